"""Strict-Transport-Security, parsed as RFC 6797, section 6.1 demands."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIRECTIVE = re.compile(
    r"\s*(?P<name>[!#$%&'*+\-.^_`|~0-9A-Za-z]+)"
    r"(?:\s*=\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<token>[!#$%&'*+\-.^_`|~0-9A-Za-z]*)))?\s*"
)


@dataclass(frozen=True, slots=True)
class Hsts:
    """A valid policy."""

    max_age: int
    """Seconds."""
    include_subdomains: bool
    preload: bool


@dataclass(frozen=True, slots=True)
class InvalidHsts:
    """A header that browsers ignore."""

    reason: str


def parse_hsts(value: str) -> Hsts | InvalidHsts:
    """Parse one header value.

    Args:
        value: The first Strict-Transport-Security header; browsers ignore further ones (section
            8.1).

    Returns:
        The policy, or why a browser would ignore it.
    """
    directives: dict[str, str | None] = {}
    for part in value.split(";"):
        if not part.strip():
            continue
        match = _DIRECTIVE.fullmatch(part)
        if match is None:
            return InvalidHsts(f"malformed directive {part.strip()!r}")
        name = match["name"].lower()
        if name in directives:
            return InvalidHsts(f"the directive {name} appears twice")
        quoted = match["quoted"]
        directives[name] = match["token"] if quoted is None else quoted
    return _policy(directives)


def _policy(directives: dict[str, str | None]) -> Hsts | InvalidHsts:
    if "max-age" not in directives:
        return InvalidHsts("max-age is missing")
    age = directives["max-age"] or ""
    if not re.fullmatch(r"[0-9]{1,18}", age):
        return InvalidHsts(f"max-age is not a number of seconds: {age!r}")
    if directives.get("includesubdomains") is not None:
        return InvalidHsts("includeSubDomains takes no value")
    return Hsts(
        max_age=int(age),
        include_subdomains="includesubdomains" in directives,
        preload="preload" in directives,
    )
