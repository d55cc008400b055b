"""A laboratory for a module's tests, and the command line on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from command_line import Handfast, run_here
from inspected_laboratory import LaboratoryFiles, in_a_thread, laboratory_files


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LaboratoryFiles]:
    with in_a_thread(laboratory_files(tmp_path_factory.mktemp("lab"))) as files:
        yield files


@pytest.fixture
def handfast(capsys: pytest.CaptureFixture[str]) -> Handfast:
    return partial(run_here, capsys)
