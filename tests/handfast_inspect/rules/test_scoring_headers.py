from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.page import Page
from handfast_inspect.rules.scoring_headers import (
    grade_cross_origin,
    grade_framing,
    grade_nosniff,
    grade_referrer,
)
from made_facts import GOOD_HEADERS, NOW, response

XFO = "X-Frame-Options"


@pytest.mark.parametrize(
    ("headers", "points"),
    [
        ([("Content-Security-Policy", "frame-ancestors 'self'")], 5),
        ([(XFO, "DENY")], 5),
        ([(XFO, "ALLOW-FROM https://a.test")], 0),
        ([(XFO, "nonsense")], -20),
        ([], -20),
    ],
)
def test_framing(headers: list[tuple[str, str]], points: int) -> None:
    assert grade_framing(Facts(), response(headers), NOW).modifier == points


def test_framing_in_a_meta_element_does_not_count() -> None:
    page = Page(meta_csp=("frame-ancestors 'none'",), meta_framing="DENY")
    assert grade_framing(Facts(), response((), page=page), NOW).modifier == -20


@pytest.mark.parametrize(("value", "points"), [("nosniff", 0), ("", -5), ("x", -5)])
def test_nosniff(value: str, points: int) -> None:
    fact = response((("X-Content-Type-Options", value),))
    assert grade_nosniff(Facts(), fact, NOW).modifier == points


@pytest.mark.parametrize(
    ("value", "points"),
    [("same-origin", 5), ("unsafe-url", -5), ("origin", -5), ("nonsense", -5), (None, 0)],
)
def test_referrer(value: str | None, points: int) -> None:
    fact = response(() if value is None else (("Referrer-Policy", value),))
    assert grade_referrer(Facts(), fact, NOW).modifier == points


def test_cross_origin_headers() -> None:
    assert [item.modifier for item in grade_cross_origin(response(GOOD_HEADERS))] == [10, 10, 10]
    assert [item.modifier for item in grade_cross_origin(response())] == [0, 0, 0]
    bad = response((("Cross-Origin-Opener-Policy", "x"),))
    assert [item.modifier for item in grade_cross_origin(bad)] == [-5, 0, 0]
