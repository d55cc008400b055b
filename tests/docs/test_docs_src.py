"""Every shown example runs, and the pages show exactly the files and what they print."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from docs.pages import EXAMPLES, PAGES, ROOT, python_blocks, rewritten, shown_in, source_of

SHOWN = [shown for page in PAGES for shown in shown_in(page)]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_runs_and_prints_what_its_page_says(
    example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    said = {shown.text for shown in SHOWN if shown.path == named(example) and shown.is_output}
    assert said <= {printed}


def test_every_block_shows_its_file() -> None:
    different = [
        f"{named(shown.page)}: {shown.path}"
        for shown in SHOWN
        if not shown.is_output and shown.text != source_of(shown.path)
    ]
    assert different == []


def test_every_python_block_of_a_page_is_a_tested_file() -> None:
    untested = [
        named(page)
        for page in PAGES
        if python_blocks(page) != sum(not shown.is_output for shown in shown_in(page))
    ]
    assert untested == []


def test_every_example_is_shown() -> None:
    assert {named(example) for example in EXAMPLES} - {shown.path for shown in SHOWN} == set()


def test_a_page_is_rewritten_block_by_block() -> None:
    page = (
        "A\n<!-- docs_src/x.py -->\n```python\nold\n```\nB\n"
        "<!-- docs_src/x.py: output -->\n```text\n```\n"
    )
    assert rewritten(page, lambda path, output: f"{path} {output}\n") == (
        "A\n<!-- docs_src/x.py -->\n```python\ndocs_src/x.py False\n```\nB\n"
        "<!-- docs_src/x.py: output -->\n```text\ndocs_src/x.py True\n```\n"
    )
