from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import RobotsFact, SecurityTxtFact
from handfast_inspect.rules.well_known import check_robots, check_security_txt
from made_facts import HOST, NOW, PROOF, SITE, failures, states

URL = f"https://{HOST}/.well-known/security.txt"
GOOD = SecurityTxtFact(
    SITE,
    PROOF,
    200,
    URL,
    "text/plain; charset=utf-8",
    signed=True,
    fields=(("contact", "mailto:a@b.test"), ("expires", "2027-06-30T00:00:00Z")),
)


def only(fact: SecurityTxtFact) -> Facts:
    return Facts(security_txt=(fact,))


def test_a_good_file_passes() -> None:
    assert states(check_security_txt(only(GOOD), NOW)) == ["pass"]


def field(name: str, *values: str) -> SecurityTxtFact:
    rest = tuple(pair for pair in GOOD.fields if pair[0] != name)
    return replace(GOOD, fields=rest + tuple((name, value) for value in values))


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (replace(GOOD, status=404, fields=()), {"missing": "info"}),
        (replace(GOOD, content_type="text/html", fields=()), {"missing": "info"}),
        (field("contact"), {"no-contact": "low"}),
        (field("expires"), {"no-expires": "low"}),
        (field("expires", "soon"), {"no-expires": "low"}),
        (field("expires", "2026-10-31T00:00:00Z"), {"expired": "low"}),
        (field("expires", "2027-01-01T00:00:00"), {}),
        (field("expires", "2029-01-01T00:00:00Z"), {"far-expiry": "info"}),
        (field("expires", "2027-01-01T00:00:00Z", "2027-01-02T00:00:00Z"), {"no-expires": "low"}),
        (replace(GOOD, content_type="text/html"), {"content-type": "low"}),
        (replace(GOOD, content_type=""), {"content-type": "low"}),
        (replace(GOOD, final_url=URL.replace("https", "http")), {"not-https": "low"}),
        (replace(GOOD, error="line 3"), {"syntax": "low"}),
        (replace(GOOD, signed=False), {"unsigned": "info"}),
        (field("canonical", URL), {}),
        (field("canonical", "https://other.test/x"), {"not-canonical": "info"}),
    ],
)
def test_faults_of_security_txt(fact: SecurityTxtFact, expected: dict[str, str]) -> None:
    found = failures(check_security_txt(only(fact), NOW))
    assert found == {f"security.txt/{key}": value for key, value in expected.items()}


def test_no_answer_is_not_tested() -> None:
    assert states(check_security_txt(only(replace(GOOD, status=None)), NOW)) == ["not_tested"]
    robots = Facts(robots=(RobotsFact(SITE, PROOF, None),))
    assert states(check_robots(robots, NOW)) == ["not_tested"]


@given(st.text())
def test_any_expiry_can_be_judged(text: str) -> None:
    assert list(check_security_txt(only(field("expires", text)), NOW))


@pytest.mark.parametrize(
    ("paths", "named"),
    [(("/admin/", "/search"), 1), (("/search", "/tag/"), 0), ((), 0), (("/后台/",), 1)],
)
def test_private_sounding_paths_are_a_note(paths: tuple[str, ...], named: int) -> None:
    facts = Facts(robots=(RobotsFact(SITE, PROOF, 200, paths),))
    expected = {"robots.txt/private-paths": "info"} if named else {}
    assert failures(check_robots(facts, NOW)) == expected


def test_a_long_list_of_paths_is_cut() -> None:
    paths = tuple(f"/admin/{n}" for n in range(25))
    (verdict,) = check_robots(Facts(robots=(RobotsFact(SITE, PROOF, 200, paths),)), NOW)
    assert verdict.observed.endswith("… and 5 more")
