"""Every shown example runs, and the pages show exactly the files and what they print."""

from __future__ import annotations

import importlib.util
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import (
    EXAMPLES,
    PAGES,
    ROOT,
    before_of,
    python_blocks,
    rewritten,
    shown_in,
    text_of,
)

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
    said = {
        shown.text for shown in SHOWN if shown.path == named(example) and shown.part == "output"
    }
    assert said <= {printed}


def test_every_block_shows_its_file() -> None:
    different = [
        f"{named(shown.page)}: {shown.path}"
        for shown in SHOWN
        if shown.part != "output" and shown.text != text_of(shown.path, shown.part)
    ]
    assert different == []


def test_every_python_block_of_a_page_is_a_tested_file() -> None:
    untested = [
        named(page)
        for page in PAGES
        if python_blocks(page) != sum(shown.part != "output" for shown in shown_in(page))
    ]
    assert untested == []


def test_every_example_is_shown() -> None:
    assert {named(example) for example in EXAMPLES} - {shown.path for shown in SHOWN} == set()


def test_a_page_is_rewritten_block_by_block() -> None:
    page = (
        "A\n<!-- docs_src/x.py -->\n```python\nold\n```\nB\n"
        "<!-- docs_src/x.py: output -->\n```text\n```\n"
    )
    assert rewritten(page, lambda path, part: f"{path}|{part}\n") == (
        "A\n<!-- docs_src/x.py -->\n```python\ndocs_src/x.py|\n```\nB\n"
        "<!-- docs_src/x.py: output -->\n```text\ndocs_src/x.py|output\n```\n"
    )


def test_what_stood_before_differs_in_its_imports_alone() -> None:
    shown = [shown for shown in SHOWN if shown.part == "before"]
    assert shown
    for each in shown:
        after = text_of(each.path, "").splitlines()
        changed = [line for line in each.text.splitlines() if line not in after]
        assert changed
        assert all(line.startswith(("from agents", "import agents")) for line in changed)


@pytest.mark.skipif(
    importlib.util.find_spec("agents") is None,
    reason="the OpenAI Agents SDK is not installed: pip install openai-agents",
)
@pytest.mark.parametrize("path", sorted({each.path for each in SHOWN if each.part == "before"}))
def test_what_stood_before_prints_the_same_with_the_sdk(path: str, tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter and file
        [sys.executable, "-c", before_of(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
        cwd=tmp_path,
        env={**os.environ, "OPENAI_AGENTS_DISABLE_TRACING": "1"},
    )
    assert done.stdout == text_of(path, "output")
