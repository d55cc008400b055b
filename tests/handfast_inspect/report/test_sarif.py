from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import Finding, Severity
from handfast_inspect.report.sarif import render_sarif, synthetic_path
from handfast_inspect.report.visible import is_hidden
from made_inspections import hostile_inspection, sample_inspection
from stored_facts import records

LOG = json.loads(render_sarif(sample_inspection()))
RUN = LOG["runs"][0]


def test_the_log_is_sarif_2_1_0_with_one_run() -> None:
    assert LOG["version"] == "2.1.0"
    assert LOG["$schema"].endswith("sarif-schema-2.1.0.json")
    assert len(LOG["runs"]) == 1
    assert RUN["tool"]["driver"]["name"] == "handfast"
    assert RUN["tool"]["driver"]["semanticVersion"] == "0.1.0"
    assert RUN["invocations"][0]["executionSuccessful"] is True


def test_every_finding_is_a_result() -> None:
    findings = sample_inspection().findings
    assert len(RUN["results"]) == len(findings)
    for result, finding in zip(RUN["results"], findings, strict=True):
        assert result["ruleId"] == finding.rule_id
        assert RUN["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == finding.rule_id
        assert result["partialFingerprints"] == {"handfast/v1": finding.fingerprint}
        assert result["message"]["text"]
        assert result["level"] in {"error", "warning", "note"}


def test_rules_carry_a_security_severity_between_0_and_10() -> None:
    ids = [rule["id"] for rule in RUN["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    for rule in RUN["tool"]["driver"]["rules"]:
        score = rule["properties"]["security-severity"]
        assert isinstance(score, str)
        assert 0 <= float(score) <= 10
        assert rule["shortDescription"]["text"]
        assert "security" in rule["properties"]["tags"]
    secret = next(r for r in RUN["tool"]["driver"]["rules"] if r["id"] == "files.secret")
    assert secret["properties"]["security-severity"] == "9.5"
    assert "external/cwe/cwe-538" in secret["properties"]["tags"]
    assert secret["defaultConfiguration"]["level"] == "error"


def test_locations_are_relative_paths_of_safe_characters() -> None:
    for log in (LOG, json.loads(render_sarif(hostile_inspection()))):
        for result in log["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert re.fullmatch(r"inspection/[A-Za-z0-9._/-]+", place["artifactLocation"]["uri"])
            assert ".." not in place["artifactLocation"]["uri"]
            assert place["region"]["startLine"] == 1


@pytest.mark.parametrize(
    ("asset", "path"),
    [
        (Asset("www.example.test", None, 443), "inspection/www.example.test/443/http.csp"),
        (Asset("2001:db8::1"), "inspection/2001_db8_1/http.csp"),
        (Asset("../../etc"), "inspection/_.._etc/http.csp"),
        (Asset(""), "inspection/_/http.csp"),
        (Asset(".."), "inspection/_/http.csp"),
    ],
)
def test_paths_are_the_same_in_every_run(asset: Asset, path: str) -> None:
    finding = Finding("http.csp", "T", Severity.LOW, asset, "x", (), "E")
    assert synthetic_path(finding) == path


def test_a_run_that_ended_early_was_not_successful() -> None:
    log = json.loads(render_sarif(replace(sample_inspection(), mode_reason="budget spent")))
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_titles_come_in_chinese() -> None:
    assert "含有机密的文件可公开访问" in json.dumps(
        json.loads(render_sarif(sample_inspection(), "zh")), ensure_ascii=False
    )


def test_hostile_text_is_shown() -> None:
    text = render_sarif(hostile_inspection())
    assert text.isascii()
    values = json.dumps(json.loads(text), ensure_ascii=False)
    assert not any(is_hidden(character) for character in values)


def test_the_same_inspection_gives_the_same_text() -> None:
    assert render_sarif(sample_inspection()) == render_sarif(sample_inspection())


@settings(max_examples=30)
@given(records(Finding))
def test_any_finding_has_a_safe_path(finding: Finding) -> None:
    path = synthetic_path(finding)
    assert re.fullmatch(r"inspection(/[A-Za-z0-9._-]+)+", path)
    assert not {"..", "."} & set(path.split("/"))
