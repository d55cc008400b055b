"""Secrets taken out of data before it is written anywhere.

What is looked for: keys of known shapes, bearer and basic credentials, cookies, passwords in URLs,
private keys, and anything textual under a name that says it is secret. Nothing here raises, and the
work is bounded: long text is cut, deep and wide data is cut off, every pattern is linear.

A secret without a known shape under a harmless name cannot be recognised; do not log it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import cast

MARK = "[redacted]"
"""What stands where a secret stood."""

MAX_TEXT = 20_000
"""Characters kept of one text."""

MAX_TOTAL = 400_000
"""Characters kept of all texts in one value."""

MAX_NODES = 10_000
"""Values looked at in one nested value."""

MAX_DEPTH = 32
"""Levels of nesting looked at."""

_NAMES_OF_SECRETS = (
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|authorization|cookie"
    r"|session[_-]?id|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|client[_-]?secret"
    r"|account[_-]?key|auth[_-]?key|encryption[_-]?key)"
)
_SECRET_KEY = re.compile(
    r"(?:^|[^a-z]|access|admin|api|auth|bearer|client|csrf|db|refresh|root|session|user)"
    rf"{_NAMES_OF_SECRETS}s?$",
    re.ASCII,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])", re.ASCII)

_CUT_ROOM = 60
_MAX_ROUNDS = 20
_LEFT_OUT = "[left out]"
_MAX_NUMBER = 10**300
_KEEP_FIRST = r"\1" + MARK

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    # Private keys, whole or cut off before their end (RFC 7468).
    (
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        MARK,
    ),
    # user:password@ in a URL (RFC 3986, section 7.5); a password may have an @ of its own.
    (re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{0,30}://)[^/?#\s\"'<>]{1,500}@"), r"\1" + MARK + "@"),
    # Headers (RFC 9110, section 11.6; RFC 6265).
    (
        re.compile(
            r"\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token)"
            r"(\\{0,4}\"?\s{0,4}[:=]\s{0,4}\\{0,4}\"?)[^\r\n\"\\]+",
            re.IGNORECASE,
        ),
        r"\1\2" + MARK,
    ),
    (
        re.compile(r"\b(bearer|basic|digest|negotiate) [A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE),
        r"\1 " + MARK,
    ),
    # JSON Web Tokens (RFC 7519), and keys of services by the prefixes that they publish for secret
    # scanners; several of them in a row are one match.
    (
        re.compile(
            r"\b(?:eyJ[A-Za-z0-9_-]{5,8000}\.[A-Za-z0-9_-]{2,8000}\.[A-Za-z0-9_-]*"
            r"|sk-[A-Za-z0-9_-]{16,}|sk_(?:live|test)_[A-Za-z0-9]{10,}"
            r"|[rp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}"
            r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
            r"|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}"
            r"|A(?:KIA|SIA|IDA|ROA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}"
            r"|ya29\.[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}"
            r"|pypi-[A-Za-z0-9_-]{30,}|SG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,}"
            r"|dop_v1_[a-f0-9]{40,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}"
            r"|r8_[A-Za-z0-9]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{40,})+"
        ),
        MARK,
    ),
    # name=value, name: value and "name": "value" in plain text, also with escaped quotes.
    (
        re.compile(
            rf"((?<![A-Za-z]){_NAMES_OF_SECRETS}\\{{0,4}}[\"']?\s{{0,4}}[:=]\s{{0,4}}\\{{0,4}}(?P<q>[\"'])?)"
            r"(?(q)(?:[^\"'\\\r\n]|\\.)+|[^\s\"'&,;\\]{3,})",
            re.IGNORECASE,
        ),
        _KEEP_FIRST,
    ),
)


def redact(value: object) -> object:
    """Makes a copy of a value that has no recognisable secrets and can be written as JSON.

    Args:
        value: Anything; what JSON cannot hold becomes the name of its type.

    Returns:
        The same in plain dicts, lists, texts and numbers.
    """
    return _Walk().copy(value, 0)


def redact_text(text: str) -> str:
    """Takes secrets out of a text, and cuts it to `MAX_TEXT` characters."""
    shown = text if len(text) <= MAX_TEXT else _cut(text)
    before, rounds = "", 0
    # Again while something changes: what is taken out may bring the halves of a secret together.
    while shown != before and rounds < _MAX_ROUNDS:
        before, rounds = shown, rounds + 1
        shown = _in_json(shown)
        for pattern, replacement in _PATTERNS:
            shown = pattern.sub(replacement, shown)
    return shown


def _in_json(text: str) -> str:
    """Takes secrets out of a text that is JSON, by the names in it."""
    if not text.startswith(("{", "[")):
        return text
    try:
        value: object = json.loads(text)
        found = _Walk(plain=True).copy(value, 0)
        return text if found == value else json.dumps(found, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _cut(text: str) -> str:
    # The last word may be half a secret that no pattern knows any more.
    kept, _, _ = text[:MAX_TEXT].rpartition(" ")
    return f"{kept[: MAX_TEXT - _CUT_ROOM]} [cut, {len(text)} characters]"


def is_secret_name(name: str) -> bool:
    """Whether a name says that its value is secret: `password`, `apiKey`, `x-auth-token`."""
    return _SECRET_KEY.search(_CAMEL.sub("_", name[:200]).lower()) is not None


class _Walk:
    """One copy of one value, with its counts.

    Args:
        plain: Whether texts are left as they are, for one that looks into each text itself.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain
        self._nodes = 0
        self._characters = 0

    def copy(self, value: object, depth: int, *, secret: bool = False) -> object:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            return _LEFT_OUT
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, dict | MappingProxyType):
            return self._mapping(cast("Mapping[object, object]", value), depth, secret=secret)
        if isinstance(value, list | tuple | set | frozenset):
            items = islice(cast("Iterable[object]", value), MAX_NODES - self._nodes + 1)
            return [self.copy(item, depth + 1, secret=secret) for item in items]
        return MARK if secret else self._scalar(value)

    def _mapping(
        self, value: Mapping[object, object], depth: int, *, secret: bool
    ) -> dict[str, object]:
        copied: dict[str, object] = {}
        for key, item in islice(value.items(), MAX_NODES - self._nodes + 1):
            name = self._key(key)
            while name in copied:
                name += "'"
            hidden = secret or (is_secret_name(name) and not _is_count(name, item))
            copied[name] = self.copy(item, depth + 1, secret=hidden)
        return copied

    def _key(self, key: object) -> str:
        if isinstance(key, str | int | float | bool | None):
            return self._text(str(key) if not isinstance(key, str) else str.__str__(key))
        return f"[{type(key).__name__}]"

    def _scalar(self, value: object) -> object:
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, int):
            return int(value) if abs(value) < _MAX_NUMBER else "[a very large number]"
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else repr(float(value))
        if isinstance(value, bytes | bytearray):
            return f"[{len(value)} bytes]"
        return f"[{type(value).__name__}]"

    def _text(self, text: str) -> str:
        if self._characters > MAX_TOTAL:
            return _LEFT_OUT
        shown = text if self._plain else redact_text(text)
        self._characters += len(shown)
        return shown


def _is_count(name: str, value: object) -> bool:
    return "token" in name.lower() and isinstance(value, int | float) and math.isfinite(value)
