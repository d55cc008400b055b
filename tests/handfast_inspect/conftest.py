"""A laboratory with its scope file, for the tests of whole inspections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from inspected_laboratory import LaboratoryFiles, laboratory_files


@pytest_asyncio.fixture(name="lab")
async def _lab(tmp_path: Path) -> AsyncIterator[LaboratoryFiles]:
    async with laboratory_files(tmp_path / "lab") as files:
        yield files
