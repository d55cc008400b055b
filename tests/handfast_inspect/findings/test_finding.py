from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import CheckResult, Finding, Severity, State, fingerprint
from stored_facts import assert_survives_storage

SITE = Asset("www.example.test", "192.0.2.1", 443, "https://www.example.test/")
FINDING = Finding("http.csp", "Title", Severity.LOW, SITE, "header:x/missing", ("web:1",), "Why.")


def test_severities_are_ordered() -> None:
    assert sorted([Severity.HIGH, Severity.INFO]) == [Severity.INFO, Severity.HIGH]
    assert Severity.INFO < Severity.LOW <= Severity.LOW < Severity.CRITICAL
    assert Severity.CRITICAL > Severity.HIGH >= Severity.HIGH
    assert max(Severity.MEDIUM, Severity.HIGH) is Severity.HIGH


def test_findings_and_check_results_survive_storage() -> None:
    assert_survives_storage(Finding)
    assert_survives_storage(CheckResult)


def test_a_fingerprint_is_pinned() -> None:
    assert FINDING.fingerprint == "ea8541e0e3af1fd68c795b02dd45b392"


@pytest.mark.parametrize(
    "other",
    [
        replace(FINDING, severity=Severity.HIGH, explanation="Other.", evidence=("web:2",)),
        replace(FINDING, asset=replace(SITE, ip="192.0.2.99")),
        replace(FINDING, asset=replace(SITE, ip=None)),
        replace(FINDING, asset=replace(SITE, url="https://www.example.test/?session=1#top")),
        replace(FINDING, asset=replace(SITE, url="HTTPS://WWW.example.test")),
        replace(FINDING, asset=replace(SITE, host="WWW.Example.Test")),
    ],
)
def test_what_changes_between_runs_does_not_change_the_fingerprint(other: Finding) -> None:
    assert other.fingerprint == FINDING.fingerprint


@pytest.mark.parametrize(
    "other",
    [
        replace(FINDING, rule_id="http.hsts"),
        replace(FINDING, location="header:x/weak"),
        replace(FINDING, asset=replace(SITE, host="api.example.test")),
        replace(FINDING, asset=replace(SITE, port=8443)),
        replace(FINDING, asset=replace(SITE, url="https://www.example.test/login")),
        replace(FINDING, asset=replace(SITE, url=None)),
    ],
)
def test_another_rule_place_or_asset_is_another_finding(other: Finding) -> None:
    assert other.fingerprint != FINDING.fingerprint


@given(
    st.text(), st.builds(Asset, st.text(), st.none(), st.none(), st.none() | st.text()), st.text()
)
def test_any_asset_has_a_stable_fingerprint(rule: str, asset: Asset, location: str) -> None:
    first = fingerprint(rule, asset, location)
    assert first == fingerprint(rule, asset, location)
    assert len(first) == 32


@given(st.text(), st.text())
def test_parts_cannot_be_moved_from_one_field_to_another(left: str, right: str) -> None:
    moved = fingerprint(left + right, SITE, "")
    assert (moved == fingerprint(left, SITE, right)) == (right == "")


def test_a_malformed_url_still_loses_its_query() -> None:
    bad = replace(SITE, url="https://[broken/?session=1")
    same = replace(SITE, url="https://[broken/?session=2#top")
    assert fingerprint("a", bad, "") == fingerprint("a", same, "")
    assert fingerprint("a", bad, "") != fingerprint("a", SITE, "")


def test_states_say_whether_there_was_an_answer() -> None:
    assert [state.value for state in State] == ["fail", "pass", "not_tested", "error"]
