"""Function names for agents that have any name at all.

Providers take `^[a-zA-Z0-9_-]{1,64}$` for the name of a function; people call their agents 退款,
Élodie or 🚀. An ASCII name keeps the form that users of the OpenAI Agents SDK know: lower case,
every other character an underscore. Any other name is written as it sounds (退款: tui_kuan) and
gets a hash of the whole: it is the same in every process and differs from every other name's.
"""

from __future__ import annotations

import hashlib
import re

MAX_NAME_LENGTH = 64
"""Characters; the shortest limit among providers (OpenAI, Mistral and Gemini state it)."""

HASH_LENGTH = 8
"""Hexadecimal digits of the hash that tells names apart."""

_NOT_A_NAME = re.compile(r"[^a-z0-9_]")
_GAP = re.compile(r"[^a-z0-9]+")
_SYLLABLE = re.compile(r"(?<=[a-z])(?=[A-Z])")


def function_name(prefix: str, name: str) -> str:
    """A name that every provider accepts, for something that people call `name`.

    Args:
        prefix: What the name begins with: letters, digits and underscores, at most 48.
        name: Any text.

    Returns:
        The SDK's form of an ASCII name that fits; `hashed_name` for any other.
    """
    if name and name.isascii():
        plain = prefix + _NOT_A_NAME.sub("_", name.lower())
        if len(plain) <= MAX_NAME_LENGTH:
            return plain
    return hashed_name(prefix, name)


def hashed_name(prefix: str, name: str) -> str:
    """As `function_name`, always with the hash: for names that would be the same without it."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    readable = _readable(name)
    if not prefix and not readable[:1].isalpha():
        prefix = "agent_"  # Gemini wants a letter or an underscore at the beginning
    readable = readable[: MAX_NAME_LENGTH - len(prefix) - HASH_LENGTH - 1].rstrip("_")
    return f"{prefix}{readable}_{digest}" if readable else f"{prefix}{digest}"


def _readable(name: str) -> str:
    """A name in ASCII letters and digits, as it sounds, with single underscores for gaps."""
    from anyascii import anyascii  # noqa: PLC0415 - reads its tables, for names that few programs have

    heard = _SYLLABLE.sub("_", anyascii(name[:MAX_NAME_LENGTH]))
    return _GAP.sub("_", heard.lower()).strip("_")
