"""The grade of a web site and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GradeItem:
    """One test of the grade."""

    test: str
    """csp, cookies, cors, redirection, hsts, sri, framing, nosniff, referrer, coop, corp, coep."""
    result: str
    """What was seen, in a few words."""
    modifier: int
    """Points added or taken."""


@dataclass(frozen=True, slots=True)
class SiteGrade:
    """The grade of one host."""

    host: str
    grade: str
    """A+ down to F."""
    score: int
    """0 and up; above 100 with bonuses."""
    items: tuple[GradeItem, ...]
