"""Prose cut into paragraphs, list items and citations, for reports that show links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_MARKER = re.compile(r"\s*([-*+•]|[0-9]{1,3}[.)、])\s+")
_TOKEN = re.compile(r"[^\s,;，；、\[\]【】]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, or the id of a piece of evidence."""

    text: str
    is_citation: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or the items of a list."""

    lines: tuple[tuple[Piece, ...], ...]
    is_list: bool


def prose_blocks(text: str, known_ids: Collection[str]) -> tuple[Block, ...]:
    """Cut prose into blocks.

    Args:
        text: Prose as a model wrote it; blank lines part paragraphs, `-` and the like mark items.
        known_ids: Ids that are citations wherever they stand.

    Returns:
        Blocks in order; neighbouring items form one list.
    """
    blocks: list[Block] = []
    fresh = True
    for line in text.split("\n"):
        if not line.strip():
            fresh = True
            continue
        marker = _MARKER.match(line)
        pieces = tuple(_pieces(line[marker.end() :] if marker else line, known_ids))
        is_list = marker is not None
        if blocks and blocks[-1].is_list is is_list and (is_list or not fresh):
            blocks[-1] = Block((*blocks[-1].lines, pieces), is_list)
        else:
            blocks.append(Block((pieces,), is_list))
        fresh = False
    return tuple(blocks)


def _pieces(line: str, known_ids: Collection[str]) -> Iterator[Piece]:
    start = 0
    for match in _TOKEN.finditer(line):
        if match[0] not in known_ids:
            continue
        if match.start() > start:
            yield Piece(line[start : match.start()])
        yield Piece(match[0], is_citation=True)
        start = match.end()
    if start < len(line):
        yield Piece(line[start:])
