from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast.errors import UserError
from handfast_inspect.findings.finding import Finding
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.findings.store import FindingStore
from handfast_inspect.report.json_report import read_json, render_json, schema_text
from handfast_inspect.report.summary import most_important
from handfast_inspect.report.visible import is_hidden
from made_inspections import hostile_inspection, sample_inspection
from stored_facts import records

SCHEMA = json.loads(schema_text())


def faults(text: str) -> list[str]:
    """What the schema has against a report."""
    try:
        jsonschema.validate(json.loads(text), SCHEMA, jsonschema.Draft202012Validator)
    except jsonschema.ValidationError as error:
        return [error.message]
    return []


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("inspection", [sample_inspection(), hostile_inspection()])
def test_a_report_fits_the_schema_and_is_read_back(inspection: Inspection) -> None:
    text = render_json(inspection)
    assert faults(text) == []
    assert read_json(text) == inspection
    assert render_json(read_json(text)) == text


def test_the_report_is_canonical() -> None:
    text = render_json(sample_inspection())
    assert text == render_json(sample_inspection())
    document = json.loads(text)
    assert list(document) == sorted(document)
    assert document["schema_version"] == 1
    assert document["summary"]["top"] == [
        finding.fingerprint for finding in most_important(sample_inspection().findings)
    ]


def test_hidden_characters_are_escaped_and_chinese_is_not() -> None:
    text = render_json(replace(hostile_inspection(), mode_reason="预算用完"))
    assert not any(is_hidden(c) for c in text if c != "\n")
    assert "预算用完" in text


@settings(max_examples=25)
@given(st.lists(records(Finding), max_size=3), st.text())
def test_any_findings_fit_the_schema_and_come_back(findings: list[Finding], text: str) -> None:
    base = next(c for c in sample_inspection().checks if c.finding)
    store = FindingStore(replace(base, finding=f, rule_id=f.rule_id) for f in findings)
    inspection = replace(sample_inspection(), checks=store.checks, target=text, mode_reason=text)
    document = render_json(inspection)
    assert faults(document) == []
    assert read_json(document) == inspection


def changed(**changes: object) -> str:
    return json.dumps(json.loads(render_json(sample_inspection())) | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "is an object"),
        ("{}", "schema version"),
        (changed(schema_version=2), "schema version 1"),
        (changed(findings=3), r"\$.findings"),
        (changed(findings=[3]), r"\$.findings\[0\]"),
        (changed(findings=[]), "names a finding"),
        (changed(mode="magic"), r"\$.mode"),
        (changed(surprise=1), "no field surprise"),
        (changed(evidence=[3]), r"\$.evidence\[0\]"),
    ],
)
def test_what_is_no_report_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_json(text)


def test_a_finding_that_was_changed_by_hand_is_noticed() -> None:
    document = json.loads(render_json(sample_inspection()))
    document["findings"][0]["asset"]["host"] = "elsewhere.test"
    with pytest.raises(UserError, match="it was changed"):
        read_json(json.dumps(document))


def test_an_inspection_that_ended_early_has_a_report() -> None:
    early: Inspection = replace(
        sample_inspection(), checks=(), grades=(), sections=(), evidence=(), mode_reason="stopped"
    )
    assert read_json(render_json(early)) == early
