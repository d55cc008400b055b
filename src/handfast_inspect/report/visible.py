"""Make hostile text harmless to look at."""

from __future__ import annotations

import unicodedata

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidirectional, zero-width, tags), surrogate, private, unassigned, separators."""

_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
"""Characters with other categories that show nothing."""

_VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x1810))
_SHORT = {"\r": "\\r", "\x00": "\\0"}
_BYTE = 0x100
_BASIC_PLANE = 0x10000


def visible(text: str, *, one_line: bool = False) -> str:
    r"""Show what a terminal, an editor or a browser would act on or hide.

    Args:
        text: Text from a target.
        one_line: Show line breaks and tabs as well, so that the result is one line.

    Returns:
        The text with every control, bidirectional, invisible, private, unassigned or lone
        surrogate character written as an escape such as `\x1b` or `\u202e`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character, one_line=one_line) for character in text)


def is_hidden(character: str) -> bool:
    """Whether a character does something other than being seen.

    Args:
        character: One character.

    Returns:
        True for what `visible` replaces; line feed and tab count as hidden here.
    """
    return (
        unicodedata.category(character) in _HIDDEN_CATEGORIES
        or character in _BLANK
        or any(ord(character) in block for block in _VARIATION_SELECTORS)
    )


def _shown(character: str, *, one_line: bool) -> str:
    if character == "\n":
        return "\\n" if one_line else "\n"
    if character == "\t":
        return "\\t" if one_line else "\t"
    return escaped(character) if is_hidden(character) else character


def escaped(character: str) -> str:
    """The escape for one character, as Python and JSON readers know it."""
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < _BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _BASIC_PLANE else f"\\U{code:08x}"
