from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie
from handfast_inspect.rules.scoring import grade_sites, letter_grade
from made_facts import GOOD_HEADERS, HOST, NOW, redirects, response

HTTP, HTTPS = f"http://{HOST}/", f"https://{HOST}/"


@pytest.mark.parametrize(
    ("score", "letter"),
    [
        (135, "A+"),
        (100, "A+"),
        (99, "A"),
        (95, "A"),
        (90, "A"),
        (89, "A-"),
        (85, "A-"),
        (84, "B+"),
        (80, "B+"),
        (75, "B"),
        (70, "B"),
        (65, "B-"),
        (60, "C+"),
        (55, "C"),
        (50, "C"),
        (45, "C-"),
        (40, "D+"),
        (35, "D"),
        (30, "D"),
        (25, "D-"),
        (24, "F"),
        (0, "F"),
    ],
)
def test_the_letter_is_read_from_the_score_floored_to_five(score: int, letter: str) -> None:
    assert letter_grade(score) == letter


def test_a_site_with_everything_gets_all_bonuses() -> None:
    facts = Facts(
        responses=(
            response(GOOD_HEADERS),
            redirects((HTTP, 301, HTTPS), (HTTPS, 200, None)),
        )
    )
    (site,) = grade_sites(facts, NOW)
    assert (site.grade, site.host) == ("A+", HOST)
    assert {item.test: item.modifier for item in site.items} == {
        "csp": 10,
        "cookies": 0,
        "cors": 0,
        "redirection": 0,
        "hsts": 0,
        "sri": 0,
        "framing": 5,
        "nosniff": 0,
        "referrer": 5,
        "coop": 10,
        "corp": 10,
        "coep": 10,
    }
    assert site.score == 150


def test_a_bare_site_gets_all_penalties_and_no_bonus() -> None:
    (site,) = grade_sites(Facts(responses=(response(),)), NOW)
    assert {i.test: i.modifier for i in site.items if i.modifier} == {
        "csp": -25,
        "hsts": -20,
        "framing": -20,
        "nosniff": -5,
    }
    assert (site.score, site.grade) == (30, "D")


def test_bonuses_count_only_from_ninety() -> None:
    almost = [pair for pair in GOOD_HEADERS if pair[0] != "X-Content-Type-Options"]
    (site,) = grade_sites(Facts(responses=(response(almost),)), NOW)
    assert site.score > 100
    worse = [pair for pair in almost if pair[0] != "Strict-Transport-Security"]
    (site,) = grade_sites(Facts(responses=(response(worse),)), NOW)
    assert site.score == 75


def test_the_score_never_goes_below_zero() -> None:
    cookie = Cookie("sid", HOST, same_site="x")
    (site,) = grade_sites(Facts(responses=(response(url=HTTP, cookies=(cookie,)),)), NOW)
    assert site.score >= 0
    assert site.grade == "F"


def test_each_host_has_a_grade_and_pages_have_none() -> None:
    other = response(url="https://other.test/")
    facts = Facts(responses=(response(), other, redirects()))
    assert [site.host for site in grade_sites(facts, NOW)] == ["other.test", HOST]
    assert grade_sites(Facts(), NOW) == ()


HEADERS = st.lists(
    st.tuples(
        st.sampled_from([name for name, _ in GOOD_HEADERS] + ["X-Frame-Options", "Set-Cookie"]),
        st.text(max_size=20) | st.sampled_from([value for _, value in GOOD_HEADERS]),
    ),
    max_size=8,
)


@settings(max_examples=60)
@given(HEADERS)
def test_any_headers_have_a_grade(headers: list[tuple[str, str]]) -> None:
    (site,) = grade_sites(Facts(responses=(response(headers),)), NOW)
    assert 0 <= site.score <= 155
    assert site.grade == letter_grade(site.score)
