from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import jsonschema
import pytest

from command_line import Handfast, names_in, run_apart
from handfast import verify_file
from handfast_inspect.report.json_report import read_json, schema_text
from inspected_laboratory import LaboratoryFiles

REPORTS = {"report.json", "report.md", "report.html", "report.sarif"}
WRITTEN = REPORTS | {"audit.jsonl", "audit.jsonl.head"}


def arguments(lab: LaboratoryFiles, label: str, *more: object, probes: str = "") -> list[object]:
    """The words for an inspection of one site; fewer classes make it quick."""
    classes = probes.split() or ["passive", "read", "consent"]
    scope = lab.scope_for(label, probes=classes, name=f"{label}-{'-'.join(classes)}.toml")
    return ["inspect", f"{label}.lab.example", "--scope", scope, "--ca", lab.ca, *more]


def test_the_bad_site_gives_findings_reports_and_exit_code_1(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path
) -> None:
    ended = handfast(
        *("inspect", "bad.lab.example", "--scope", lab.scope, "--ca", lab.ca),
        *("--out", tmp_path / "R"),
    )
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.startswith("bad.lab.example: ")
    assert f"Security inspection: {tmp_path}/R/report.html" in ended.out
    assert names_in(tmp_path / "R") == WRITTEN
    inspection = read_json((tmp_path / "R" / "report.json").read_text("utf-8"))
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    assert {(each.rule, each.severity) for each in lab.site("bad").expected} <= found
    audit = verify_file(tmp_path / "R" / "audit.jsonl")
    assert audit.ok
    assert audit.records > 50


def test_the_good_site_gives_exit_code_0(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path
) -> None:
    ended = handfast(
        *("inspect", "good.lab.example", "--scope", lab.scope, "--ca", lab.ca),
        *("--out", tmp_path),
    )
    assert (ended.code, ended.err) == (0, "")
    assert " high" not in ended.out
    assert " critical" not in ended.out
    assert "Grade: A" in ended.out


@pytest.mark.parametrize(
    ("severity", "code"),
    [("never", 0), ("critical", 0), ("high", 1), ("medium", 1), ("low", 1), ("info", 1)],
)
def test_the_exit_code_is_decided_by_the_severity_that_was_asked_for(
    lab: LaboratoryFiles, handfast: Handfast, severity: str, code: int
) -> None:
    words = arguments(lab, "bad", "--json", "--fail-on", severity, probes="passive")
    assert handfast(*words).code == code


def test_a_site_with_less_than_what_was_asked_for_passes(
    lab: LaboratoryFiles, handfast: Handfast
) -> None:
    assert handfast(*arguments(lab, "wild", "--json", probes="passive")).code == 0


def test_json_alone_is_printed_and_nothing_is_written(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = handfast(*arguments(lab, "closing", "--json"))
    jsonschema.validate(json.loads(ended.out), json.loads(schema_text()))
    assert ended.err == ""
    assert names_in(tmp_path) == set()


def test_json_and_a_folder_go_together(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    ended = handfast(*arguments(lab, "closing", "--json", "--out", tmp_path))
    assert ended.out == (tmp_path / "report.json").read_text("utf-8")
    assert names_in(tmp_path) == WRITTEN


def test_without_a_folder_the_report_has_a_usual_place(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert handfast(*arguments(lab, "closing", probes="passive")).code == 0
    assert names_in(tmp_path) == {"handfast-report"}


def test_a_second_inspection_continues_the_audit_and_replaces_the_report(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    words = arguments(lab, "closing", "--out", tmp_path, probes="passive")
    handfast(*words)
    first = verify_file(tmp_path / "audit.jsonl").records
    started = read_json((tmp_path / "report.json").read_text("utf-8")).started
    handfast(*words)
    second = verify_file(tmp_path / "audit.jsonl")
    assert second.ok
    assert second.records == 2 * first
    assert read_json((tmp_path / "report.json").read_text("utf-8")).started > started
    assert names_in(tmp_path) == WRITTEN


def test_the_report_can_be_chinese(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    handfast(*arguments(lab, "closing", "--out", tmp_path, "--lang", "zh", probes="passive"))
    assert "安全检查报告" in (tmp_path / "report.html").read_text("utf-8")
    assert "安全检查报告" in (tmp_path / "report.md").read_text("utf-8")


@pytest.mark.parametrize("variables", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_a_poor_locale_spoils_nothing(
    lab: LaboratoryFiles, tmp_path: Path, variables: dict[str, str]
) -> None:
    ended = run_apart(
        *arguments(lab, "hostile", "--out", tmp_path, "--lang", "zh", probes="passive read"),
        **variables,
    )
    assert (ended.code, ended.err) == (1, "")
    assert "安全检查报告" in (tmp_path / "report.html").read_text("utf-8")


def test_the_hostile_site_writes_nothing_to_the_terminal(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    ended = handfast(*arguments(lab, "hostile", "--out", tmp_path))
    assert all(character == "\n" or character.isprintable() for character in ended.out)
    assert ended.err == ""
    assert verify_file(tmp_path / "audit.jsonl").ok
    assert lab.laboratory.trespasses == ()


def test_a_scope_may_come_through_a_pipe(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    text = lab.scope_for("closing", probes=("passive",)).read_bytes()
    reading, writing = os.pipe()
    os.write(writing, text)
    os.close(writing)
    words = ["inspect", "closing.lab.example", "--scope", f"/dev/fd/{reading}", "--out", tmp_path]
    assert handfast(*words).code == 0
    os.close(reading)
    inspection = read_json((tmp_path / "report.json").read_text("utf-8"))
    assert inspection.scope.digest == hashlib.sha256(text).hexdigest()


def test_selectors_and_ports_can_be_given(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    words = arguments(
        *(lab, "weak-key", "--dkim-selector", "default", "--dkim-selector", "other"),
        *("--http-port", 8080, "--https-port", 8443, "--out", tmp_path),
        probes="passive",
    )
    assert handfast(*words).code in {0, 1}
    inspection = read_json((tmp_path / "report.json").read_text("utf-8"))
    assert "dns.dkim" in {finding.rule_id for finding in inspection.findings}


def test_an_inspection_that_ran_out_of_time_says_so(
    lab: LaboratoryFiles, tmp_path: Path, handfast: Handfast
) -> None:
    scope = lab.scope_for("tarpit", seconds=1, name="short.toml")
    ended = handfast("inspect", "tarpit.lab.example", "--scope", scope, "--out", tmp_path)
    assert ended.code == 2
    assert "ended early" in ended.complaint
    assert "Reason: the scope's time was used up" in ended.out
    assert names_in(tmp_path) == WRITTEN
