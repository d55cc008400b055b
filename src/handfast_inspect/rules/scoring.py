"""A grade for the web part, in the manner of Mozilla's Observatory (algorithm version 4).

Start at 100. Penalties always count; bonuses count only when the score without them is 90 or
more. The grade is read from the score, floored to a multiple of five. The grade is a summary for
managers: it sets no severity and is computed from the same facts as the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.grade import GradeItem, SiteGrade
from handfast_inspect.rules.scoring_content import grade_cookies, grade_csp, grade_integrity
from handfast_inspect.rules.scoring_headers import (
    grade_cross_origin,
    grade_framing,
    grade_nosniff,
    grade_referrer,
)
from handfast_inspect.rules.scoring_transport import grade_cors, grade_hsts, grade_redirection
from handfast_inspect.rules.web import answers, host_of

_START = 100
_BONUS_FROM = 90
_STEP = 5
_GRADES = (
    (100, "A+"),
    (90, "A"),
    (85, "A-"),
    (80, "B+"),
    (70, "B"),
    (65, "B-"),
    (60, "C+"),
    (50, "C"),
    (45, "C-"),
    (40, "D+"),
    (30, "D"),
    (25, "D-"),
)

_TESTS: tuple[Callable[[Facts, HttpResponseFact, datetime], GradeItem], ...] = (
    grade_csp,
    grade_cookies,
    grade_cors,
    grade_redirection,
    grade_hsts,
    grade_integrity,
    grade_framing,
    grade_nosniff,
    grade_referrer,
)


def grade_sites(facts: Facts, now: datetime) -> tuple[SiteGrade, ...]:
    """Grade every site that answered.

    Args:
        facts: Everything that was seen.
        now: The moment of judgement.

    Returns:
        One grade for each host whose home page was asked for and answered, by host name.
    """
    homes: dict[str, HttpResponseFact] = {}
    for fact in answers(facts):
        host = host_of(fact.final_url)
        if fact.purpose != "page" and (host not in homes or fact.purpose == "https_home"):
            homes[host] = fact
    return tuple(_grade(facts, host, homes[host], now) for host in sorted(homes))


def _grade(facts: Facts, host: str, home: HttpResponseFact, now: datetime) -> SiteGrade:
    items = tuple(_items(facts, home, now))
    plain = _START + sum(min(item.modifier, 0) for item in items)
    bonus = sum(max(item.modifier, 0) for item in items)
    score = max(0, plain + bonus if plain >= _BONUS_FROM else plain)
    return SiteGrade(host=host, grade=letter_grade(score), score=score, items=items)


def _items(facts: Facts, home: HttpResponseFact, now: datetime) -> Iterator[GradeItem]:
    for test in _TESTS:
        yield test(facts, home, now)
    yield from grade_cross_origin(home)


def letter_grade(score: int) -> str:
    """The letter for a score.

    Args:
        score: 0 and up.

    Returns:
        A+ down to F.
    """
    floored = score - score % _STEP
    return next((letter for least, letter in _GRADES if floored >= least), "F")
