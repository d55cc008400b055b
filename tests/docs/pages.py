"""The pages and the examples that they show.

An example is a file in docs_src. A page shows it as a code block under a marker, and may show what
it prints, or what it was before its import root was changed, under further ones:

    <!-- docs_src/handoff.py -->            the file itself
    <!-- docs_src/handoff.py: output -->    what it prints
    <!-- docs_src/handoff.py: before -->    the file as it was for the OpenAI Agents SDK

Run as a program (`scripts/check --fix`) it writes the files into the pages.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "docs_src").rglob("*.py"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

MARKED = re.compile(
    r"^<!-- (?P<path>docs_src/[\w/]+\.py)(?:: (?P<part>output|before))? -->\n"
    r"```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
"""A marker and the block below it."""

IMPORT_ROOT = re.compile(r"^(from|import) handfast\b", re.MULTILINE)
"""Where a line names the library that it imports from."""

FENCE = re.compile(r"^```python$", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """One block of a page that repeats an example, its output or what it was before."""

    page: Path
    path: str
    part: str
    text: str


def shown_in(page: Path) -> list[Shown]:
    """The marked blocks of a page, in its order."""
    return [
        Shown(page, found["path"], found["part"] or "", found["text"])
        for found in MARKED.finditer(page.read_text(encoding="utf-8"))
    ]


def python_blocks(page: Path) -> int:
    """How many Python blocks the page has, marked or not."""
    return len(FENCE.findall(page.read_text(encoding="utf-8")))


def source_of(path: str) -> str:
    """What a block of that example must say: the file without its future import."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return text.replace("from __future__ import annotations\n\n", "", 1)


def before_of(path: str) -> str:
    """What the example was when it was written for the OpenAI Agents SDK."""
    return IMPORT_ROOT.sub(r"\1 agents", source_of(path))


def output_of(path: str) -> str:
    """What the example prints, from a process and in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603 - our own interpreter and file
            [sys.executable, str(ROOT / path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=50,
            cwd=folder,
        )
    return done.stdout


def text_of(path: str, part: str) -> str:
    """What a block under a marker must say."""
    read = {"": source_of, "output": output_of, "before": before_of}
    return read[part](path)


def rewritten(text: str, read: Callable[[str, str], str]) -> str:
    """The page's text with every marked block replaced by what `read` gives for it."""

    def block(found: re.Match[str]) -> str:
        head = found[0].partition("```")[0]
        content = read(found["path"], found["part"] or "")
        return f"{head}```{found['language']}\n{content}```"

    return MARKED.sub(block, text)


def main() -> None:
    """Bring the pages up to date with the files."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        new = rewritten(old, text_of)
        if new != old:
            page.write_text(new, encoding="utf-8")
            sys.stdout.write(f"wrote {page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
