"""Finding the tags of an HTML document in one pass over hostile text.

The standard library's parser takes minutes for 64 KiB of unfinished tags and raises for others, so
this one is ours: it follows the tokenizer of the HTML standard (section 13.2.5) as far as tags,
attributes, comments and raw text go, looks at each character a bounded number of times, and gives
up at the first construct that never ends, where a browser gives up too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

MAX_ATTRIBUTES: Final = 64
"""Attributes kept of one tag."""

MAX_VALUE: Final = 2048
"""Characters kept of an attribute or of the text of an element."""

_NAME: Final = re.compile(r"[A-Za-z][^\t\n\f\r />]*")
_GAP: Final = re.compile(r"[\t\n\f\r /]*")
_ATTRIBUTE: Final = re.compile(r"[^\t\n\f\r />][^\t\n\f\r />=]*")
_EQUALS: Final = re.compile(r"[\t\n\f\r ]*=[\t\n\f\r ]*")
_UNQUOTED: Final = re.compile(r"[^\t\n\f\r >]*")
_RAW: Final = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}


@dataclass(frozen=True, slots=True)
class Tag:
    """A start or end tag."""

    name: str
    """In lower case."""
    attributes: Mapping[str, str]
    """Names in lower case; of repeated ones the first counts."""
    closing: bool = False
    """An end tag."""
    text: str = ""
    """What stands between a raw text element's tags: a script, a style sheet, a title."""


def tags(document: str) -> Iterator[Tag]:
    """Walks over the tags of a document.

    Args:
        document: HTML, or anything else.

    Yields:
        Every finished tag in order; the end tags of raw text elements are left out.
    """
    position = document.find("<")
    while position >= 0:
        if document.startswith(("<!", "<?"), position):
            position = _after_comment(document, position)
        elif document.startswith("</", position):
            closed = document.find(">", position)
            name = _NAME.match(document, position + 2)
            if closed >= 0 and name is not None:
                yield Tag(name.group().lower(), {}, closing=True)
            position = closed
        else:
            tag, position = _start_tag(document, position)
            if tag is not None:
                yield tag
        position = -1 if position < 0 else document.find("<", position)


def _after_comment(document: str, position: int) -> int:
    if not document.startswith("<!--", position):
        return document.find(">", position)
    if document.startswith((">", "->"), position + 4):  # an abruptly closed empty comment
        return position + 4
    return document.find("-->", position + 4)


def _start_tag(document: str, position: int) -> tuple[Tag | None, int]:
    name = _NAME.match(document, position + 1)
    if name is None:
        return None, position + 1
    attributes, after = _attributes(document, name.end())
    if after < 0:
        return None, -1
    tag = Tag(name.group().lower(), attributes)
    end = _RAW.get(tag.name)
    if end is None:
        return tag, after
    closing = end.search(document, after)
    text = document[after : min(after + MAX_VALUE, closing.start() if closing else len(document))]
    return Tag(tag.name, attributes, text=text), closing.end() if closing else -1


def _attributes(document: str, position: int) -> tuple[dict[str, str], int]:
    """Reads up to the end of the tag; the position is -1 where it never ends."""
    found: dict[str, str] = {}
    while True:
        position = _end_of(_GAP, document, position)
        if position >= len(document):
            return found, -1
        if document[position] == ">":
            return found, position + 1
        name_end = _end_of(_ATTRIBUTE, document, position)
        name = document[position : min(name_end, position + MAX_VALUE)].lower()
        equals = _EQUALS.match(document, name_end)
        if equals is None:
            value, position = "", name_end
        else:
            value, position = _value(document, equals.end())
            if position < 0:
                return found, -1
        if len(found) < MAX_ATTRIBUTES:
            found.setdefault(name, html.unescape(value))


def _value(document: str, position: int) -> tuple[str, int]:
    quote = document[position : position + 1]
    if quote not in {'"', "'"}:
        end = _end_of(_UNQUOTED, document, position)
        return document[position : min(end, position + MAX_VALUE)], end
    end = document.find(quote, position + 1)
    return document[position + 1 : min(end, position + 1 + MAX_VALUE)], end + 1 if end >= 0 else -1


def _end_of(pattern: re.Pattern[str], document: str, position: int) -> int:
    match = pattern.match(document, position)
    return match.end() if match else position
