"""The pages and the examples that they show.

An example is a file in docs_src. A page shows it as a code block under a marker, and may show what
it prints under a second one:

    <!-- docs_src/handoff.py -->            the file itself
    <!-- docs_src/handoff.py: output -->    what it prints

Run as a program (`scripts/check --fix`) it writes the files into the pages.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "docs_src").rglob("*.py"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

MARKED = re.compile(
    r"^<!-- (?P<path>docs_src/[\w/]+\.py)(?P<output>: output)? -->\n"
    r"```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
"""A marker and the block below it."""

FENCE = re.compile(r"^```python$", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """One block of a page that repeats an example or its output."""

    page: Path
    path: str
    is_output: bool
    text: str


def shown_in(page: Path) -> list[Shown]:
    """The marked blocks of a page, in its order."""
    return [
        Shown(page, found["path"], found["output"] is not None, found["text"])
        for found in MARKED.finditer(page.read_text(encoding="utf-8"))
    ]


def python_blocks(page: Path) -> int:
    """How many Python blocks the page has, marked or not."""
    return len(FENCE.findall(page.read_text(encoding="utf-8")))


def source_of(path: str) -> str:
    """What a block of that example must say: the file without its future import."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return text.replace("from __future__ import annotations\n\n", "", 1)


def output_of(path: str) -> str:
    """What the example prints, from a process of its own."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and file
        [sys.executable, str(ROOT / path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    return done.stdout


def rewritten(text: str, read: Callable[[str, bool], str]) -> str:
    """The page's text with every marked block replaced by what `read` gives for it."""

    def block(found: re.Match[str]) -> str:
        head = found[0].partition("```")[0]
        content = read(found["path"], found["output"] is not None)
        return f"{head}```{found['language']}\n{content}```"

    return MARKED.sub(block, text)


def main() -> None:
    """Bring the pages up to date with the files."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        new = rewritten(old, lambda path, output: output_of(path) if output else source_of(path))
        if new != old:
            page.write_text(new, encoding="utf-8")
            sys.stdout.write(f"wrote {page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
