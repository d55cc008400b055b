"""Reading an MTA-STS policy (RFC 8461, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_PATTERNS: Final = 100
"""`mx` lines kept of a policy."""

_MODES: Final = frozenset({"enforce", "testing", "none"})
_MAX_AGE_DIGITS: Final = 10


@dataclass(frozen=True, slots=True)
class StsPolicy:
    """What a policy says, or why it says nothing."""

    mode: str = ""
    mx: tuple[str, ...] = ()
    max_age: int | None = None
    """Seconds."""
    error: str = ""
    fetched: bool = True
    evidence: tuple[str, ...] = ()


def read_sts_policy(text: str, evidence: tuple[str, ...] = ()) -> StsPolicy:
    """Reads a policy.

    Args:
        text: The body.
        evidence: Ids of what proves it.

    Returns:
        Its fields; `error` names the first thing that makes it unusable.
    """
    fields: list[tuple[str, str]] = []
    for line in text.splitlines()[: MAX_PATTERNS + 50]:
        name, _, value = line.partition(":")
        fields.append((name.strip().lower(), value.strip()))
    first = dict(reversed(fields))
    mode = first.get("mode", "").lower()
    patterns = tuple(value.lower() for name, value in fields if name == "mx")[:MAX_PATTERNS]
    age = first.get("max_age", "")
    max_age = int(age) if age.isdecimal() and len(age) <= _MAX_AGE_DIGITS else None
    problem = _problem(first, patterns, max_age)
    return StsPolicy(mode[:40], patterns, max_age, problem, evidence=evidence)


def _problem(first: dict[str, str], patterns: tuple[str, ...], max_age: int | None) -> str:
    mode = first.get("mode", "").lower()
    if first.get("version") != "STSv1":
        return "the version is not STSv1"
    if mode not in _MODES:
        return f"the mode {mode[:40]!r} is not one of enforce, testing, none"
    if max_age is None:
        return "max_age is missing or no number"
    if not patterns and mode != "none":
        return "no mx is named"
    return ""
