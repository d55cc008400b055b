"""Prose that must cite its evidence: what is not cited, or cites what is not there, is dropped.

A citation is a pair of square brackets, `[ ]` or `【 】`, with one or more evidence ids, set inside
a sentence or right behind its full stop. Sentences end at `.`, `!`, `?` before a space, and at
`。`, `！`, `？`, `；` anywhere; a new line always begins a new one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_BRACKETS = re.compile(r"[\[【]([^\[\]【】]{1,400})[\]】]")
_SEPARATORS = re.compile(r"\s*[,;，；、]\s*|\s+")
_ID_SHAPE = re.compile(r"[a-z][a-z0-9_.-]*:[0-9a-f]{8,64}")
_MARKER = re.compile(r"\s*([-*+•]|[0-9]{1,3}[.)、])\s+")

_END = re.compile(
    r"(?:(?<![.!?])[.!?]++[\"'”’)）」』]*+(?=\s|$|[\[【])|[。！？；]++[\"'”’)）」』]*+)"
    r"(?:\s*[\[【][^\[\]【】]{1,400}[\]】]\.?)*\s*"
)
_ABBREVIATIONS = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no|nr|approx|resp|dr|mr|ms|st|fig|sec|al)|\b[A-Za-z])\.$",
    re.IGNORECASE,
)


_LONGEST_ABBREVIATION = 10
"""Characters, with the one before it and its full stop."""


@dataclass(frozen=True, slots=True)
class CitedText:
    """What is left of a text, and what was dropped."""

    text: str
    dropped: tuple[str, ...]
    """The sentences that went, in order."""


def keep_cited(text: str, known_ids: Collection[str]) -> CitedText:
    """Drop every sentence that cites no evidence, or evidence that does not exist.

    Args:
        text: Prose, in English, Chinese or a mixture.
        known_ids: Ids of the evidence that was taken.

    Returns:
        The sentences that cite known evidence only, in their lines, and the others apart.
    """
    lines: list[str] = []
    dropped: list[str] = []
    for line in text.splitlines():
        marker = _MARKER.match(line)
        head = marker[0] if marker else ""
        kept: list[str] = []
        for sentence in split_sentences(line[len(head) :]):
            target = kept if _is_cited(sentence, known_ids) else dropped
            target.append(sentence)
        if kept:
            lines.append(head + "".join(kept).rstrip())
        elif not line.strip() and lines and lines[-1]:
            lines.append("")
    while lines and not lines[-1]:
        lines.pop()
    return CitedText("\n".join(lines), tuple(sentence.strip() for sentence in dropped))


def split_sentences(line: str) -> tuple[str, ...]:
    """Cut one line into sentences; joined, they are the line again.

    Args:
        line: Text without line breaks.

    Returns:
        Sentences with the space and the citations that follow them.
    """
    return tuple(_sentences(line))


def _sentences(line: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(line):
        stop = match.start() + 1
        before = line[max(start, stop - _LONGEST_ABBREVIATION) : stop]
        if line[match.start()] == "." and _ABBREVIATIONS.search(before):
            continue
        if line[start : match.end()].strip():
            yield line[start : match.end()]
            start = match.end()
    if line[start:].strip():
        yield line[start:]


def _is_cited(sentence: str, known_ids: Collection[str]) -> bool:
    cited = False
    for match in _BRACKETS.finditer(sentence):
        items = [item for item in _SEPARATORS.split(match[1].strip()) if item]
        if items and all(item in known_ids for item in items):
            cited = True
        elif any(item in known_ids or _ID_SHAPE.fullmatch(item) for item in items):
            return False
    return cited
