"""Reading security.txt (RFC 9116) and robots.txt (RFC 9309): lines of `field: value`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_LINES: Final = 1000
"""Lines read; the rest is ignored."""

MAX_VALUE: Final = 2048
"""Characters kept of a value."""

MAX_PATHS: Final = 200
"""Paths kept of a robots.txt."""

_FIELD: Final = re.compile(r"([A-Za-z0-9-]{1,64})[ \t]*:[ \t]*(.*)", re.ASCII)
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"


@dataclass(frozen=True, slots=True)
class SecurityTxt:
    """What a security.txt says."""

    fields: tuple[tuple[str, str], ...]
    """Names in lower case, values as written."""
    signed: bool
    """Whether it is wrapped in an OpenPGP cleartext signature; the signature is not checked."""
    error: str
    """The first line that is no field; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Robots:
    """What a robots.txt says."""

    disallow: tuple[str, ...]
    """Every path that some robot must not visit, each once."""
    sitemaps: tuple[str, ...]


def read_security_txt(text: str) -> SecurityTxt:
    """Reads a security.txt.

    Args:
        text: The body.

    Returns:
        Its fields; whatever is no field, comment or signature is the `error`.
    """
    lines = text.removeprefix("\ufeff").splitlines()[:MAX_LINES]
    signed = bool(lines) and lines[0].strip() == _SIGNED
    if signed:
        lines = _cleartext(lines)
    found: list[tuple[str, str]] = []
    error = ""
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        match = _FIELD.fullmatch(line.rstrip())
        if match is not None:
            found.append((match.group(1).lower(), match.group(2)[:MAX_VALUE]))
        elif not error:
            error = f"no field: {line[:80]!r}"
    return SecurityTxt(tuple(found), signed, error)


def read_robots(text: str) -> Robots:
    """Reads a robots.txt.

    Args:
        text: The body.

    Returns:
        The paths and sitemaps named in it; lines of other kinds are ignored.
    """
    disallow: dict[str, None] = {}
    sitemaps: dict[str, None] = {}
    for line in text.removeprefix("\ufeff").splitlines()[:MAX_LINES]:
        match = _FIELD.fullmatch(line.partition("#")[0].strip())
        if match is None or not match.group(2):
            continue
        field = match.group(1).lower()
        if field == "disallow":
            disallow[match.group(2)[:MAX_VALUE]] = None
        elif field == "sitemap":
            sitemaps[match.group(2)[:MAX_VALUE]] = None
    return Robots(tuple(disallow)[:MAX_PATHS], tuple(sitemaps)[:MAX_PATHS])


def _cleartext(lines: list[str]) -> list[str]:
    # RFC 9580, section 7: armor headers end with an empty line, lines are dash-escaped.
    start = next((n for n, line in enumerate(lines) if not line.strip()), 0)
    end = next((n for n, line in enumerate(lines) if line.strip() == _SIGNATURE), len(lines))
    return [line.removeprefix("- ") for line in lines[start + 1 : end]]
