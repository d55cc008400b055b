"""Hostile text inside Markdown (CommonMark and GitHub's dialect)."""

from __future__ import annotations

import re

from handfast_inspect.report.visible import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&$@^])")
_LINE_START = re.compile(r"^(\s*)([-+=]|[0-9]+[.)])", re.MULTILINE)
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")
_LIST_MARKER = re.compile(r"\s*(?:[-*+•]|[0-9]{1,3}[.)])\s+")
_TICKS = re.compile(r"`+")


def plain(text: str) -> str:
    """Text that reads as text: no markup, link, image, table cell, HTML or mention comes of it.

    Args:
        text: Anything; line breaks become visible.

    Returns:
        One line of Markdown.
    """
    shown = visible(text, one_line=True)
    shown = _SPECIAL.sub(r"\\\1", shown)
    shown = _LINE_START.sub(_escape_marker, shown)
    return _AUTOLINK.sub(_break_link, shown)


def prose(text: str) -> str:
    """Paragraphs and lists written by a model: line breaks stay, all other markup is shown.

    Args:
        text: Prose.

    Returns:
        Markdown in which only blank lines and list markers have a meaning.
    """
    return "\n".join(_prose_line(line) for line in visible(text).split("\n"))


def cell_code(text: str) -> str:
    """Text as a code span inside a table cell, where pipes need an escape even in code.

    Args:
        text: Anything; line breaks become visible.

    Returns:
        A code span for a cell.
    """
    return code(text).replace("|", "\\|")


def code(text: str) -> str:
    """Text as a code span; inside a table use `cell_code`.

    Args:
        text: Anything; line breaks become visible.

    Returns:
        A code span whose fence is longer than any run of backticks inside.
    """
    shown = visible(text, one_line=True)
    if not shown.strip():
        return "` `"
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ", "\\")) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def code_block(text: str, indent: str = "") -> str:
    """Text as a fenced block.

    Args:
        text: Anything; line breaks stay.
        indent: Put before each line, for blocks inside list items.

    Returns:
        A block whose fence is longer than any run of backticks inside.
    """
    shown = visible(text)
    fence = "`" * max(3, _longest_run(shown) + 1)
    lines = [f"{fence}text", *shown.split("\n"), fence]
    return "\n".join(indent + line for line in lines)


def _prose_line(line: str) -> str:
    marker = _LIST_MARKER.match(line)
    if marker is None:
        return plain(line)
    head = re.sub(r"[•*+]", "-", marker[0]).lstrip()
    return head + plain(line[marker.end() :])


def _escape_marker(match: re.Match[str]) -> str:
    token = match[2]
    return f"{match[1]}{token[:-1]}\\{token[-1]}"


def _break_link(match: re.Match[str]) -> str:
    return f"{match[1] or match[3]}\\{match[2] or match[4]}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
