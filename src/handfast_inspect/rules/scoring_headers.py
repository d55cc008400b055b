"""The grade's tests about single headers: framing, nosniff, referrer, cross-origin isolation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.grade import GradeItem
from handfast_inspect.rules.csp import protects_framing
from handfast_inspect.rules.http_csp import policies_of
from handfast_inspect.rules.http_framing import framing_problem
from handfast_inspect.rules.http_headers import (
    ISOLATION_VALUES,
    PRIVATE_REFERRER,
    is_nosniff,
    isolates,
    referrer_policy,
)
from handfast_inspect.rules.web import has_header

_SHORT = {
    "cross-origin-opener-policy": "coop",
    "cross-origin-resource-policy": "corp",
    "cross-origin-embedder-policy": "coep",
}


def grade_framing(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Framing: +5, 0 or -20; frame-ancestors in a meta element does not count."""
    del facts, now
    problem = framing_problem(home)
    if problem is None:
        by_csp = protects_framing(policies_of(home))
        return GradeItem("framing", "frame-ancestors" if by_csp else "X-Frame-Options", 5)
    if problem[0] == "allow-from":
        return GradeItem("framing", "ALLOW-FROM", 0)
    return GradeItem("framing", "missing or invalid", -20)


def grade_nosniff(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """X-Content-Type-Options: 0 or -5."""
    del facts, now
    if is_nosniff(home):
        return GradeItem("nosniff", "nosniff", 0)
    return GradeItem("nosniff", "missing or invalid", -5)


def grade_referrer(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Referrer-Policy: +5, 0 or -5."""
    del facts, now
    policy, _ = referrer_policy(home)
    if policy in PRIVATE_REFERRER:
        return GradeItem("referrer", policy, 5)
    if not policy and not has_header(home, "referrer-policy"):
        return GradeItem("referrer", "missing", 0)
    return GradeItem("referrer", policy or "invalid", -5)


def grade_cross_origin(home: HttpResponseFact) -> Iterator[GradeItem]:
    """COOP, CORP and COEP: +10, 0 or -5 each."""
    for name in ISOLATION_VALUES:
        if isolates(home, name):
            yield GradeItem(_SHORT[name], "set", 10)
        elif has_header(home, name):
            yield GradeItem(_SHORT[name], "invalid", -5)
        else:
            yield GradeItem(_SHORT[name], "missing", 0)
