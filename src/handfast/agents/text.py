"""Text that is bounded, and that every store and encoding can hold."""

from __future__ import annotations


def cut(text: str, max_chars: int) -> str:
    """The first characters of a text, with a mark that says how many are missing."""
    if len(text) <= max_chars:
        return text
    missing = len(text) - max_chars
    return f"{text[:max_chars]}\n[{missing:,} of {len(text):,} characters cut]"


def storable(text: str) -> str:
    """The text without what UTF-8 and databases refuse, each made visible in its place.

    Halves of surrogate pairs become their escapes, NUL becomes its symbol, U+2400.
    """
    if "\x00" in text:
        text = text.replace("\x00", "\u2400")
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
