from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping

import jsonschema
import pytest

from handfast import AuditError, AuditLog, MemoryLog, ScopeError, UserError, parse_scope
from handfast_inspect.findings.finding import ProbeClass, Severity, State
from handfast_inspect.findings.inspection_record import Inspection, Mode, digest_evidence
from handfast_inspect.inspection import (
    INTERRUPTED,
    TIME_USED_UP,
    ended_early,
    inspect,
    planned_probes,
)
from handfast_inspect.order import Order
from handfast_inspect.probes.catalog import NMAP, PROBES
from handfast_inspect.progress import FindingSeen, ProbeEnded, ProbeStarted, Progress, Warned
from handfast_inspect.report.html import render_html
from handfast_inspect.report.json_report import read_json, render_json, schema_text
from handfast_inspect.report.markdown import render_markdown
from handfast_inspect.report.sarif import render_sarif
from inspected_laboratory import CALM, LaboratoryFiles, fingerprints, inspected


def order(files: LaboratoryFiles, target: str, *labels: str) -> Order:
    text = files.scope_for(*labels).read_text(encoding="utf-8")
    return Order(target, parse_scope(text), text, trust=files.ca, deadlines=CALM)


def states(inspection: Inspection, rule: str) -> set[State]:
    return {check.state for check in inspection.checks if check.rule_id == rule}


async def test_the_bad_site_is_found_out_and_every_report_can_be_written(
    lab: LaboratoryFiles,
) -> None:
    told: list[Progress] = []
    inspection = await inspected(lab, "bad", scope=lab.scope, told=told)
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    assert {(each.rule, each.severity) for each in lab.site("bad").expected} <= found
    assert inspection.mode is Mode.WORKFLOW
    assert inspection.mode_reason == ""
    assert not ended_early(inspection)
    assert inspection.evidence_digest == digest_evidence(inspection.evidence)
    known = {record.id for record in inspection.evidence}
    assert all(finding.evidence for finding in inspection.findings)
    assert all(set(finding.evidence) <= known for finding in inspection.findings)
    text = render_json(inspection)
    jsonschema.validate(json.loads(text), json.loads(schema_text()))
    assert read_json(text) == inspection
    assert render_markdown(inspection)
    assert render_html(inspection)
    assert json.loads(render_sarif(inspection))["version"] == "2.1.0"
    started = [step.probe for step in told if isinstance(step, ProbeStarted)]
    ended = [step.probe for step in told if isinstance(step, ProbeEnded)]
    assert (
        sorted(started)
        == sorted(ended)
        == sorted(probe.id for probe in PROBES if not probe.id.endswith("nmap"))
    )
    seen = {step.finding.fingerprint for step in told if isinstance(step, FindingSeen)}
    assert fingerprints(inspection) <= seen
    assert lab.laboratory.trespasses == ()


async def test_the_good_site_has_nothing_at_high_or_above(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, "good", scope=lab.scope)
    assert [f.rule_id for f in inspection.findings if f.severity >= Severity.MEDIUM] == []
    assert inspection.coverage.percent > 80


async def test_the_same_site_gives_the_same_fingerprints(lab: LaboratoryFiles) -> None:
    scope = lab.scope_for("halfway", probes=("passive", "read"))
    first = await inspected(lab, "halfway", scope=scope)
    second = await inspected(lab, "halfway", scope=scope)
    assert fingerprints(first) == fingerprints(second) != set()


@pytest.mark.parametrize(
    ("classes", "tested", "untested"),
    [
        (["passive"], "dns.caa", "http.csp"),
        (["passive", "read"], "http.csp", "http.methods"),
    ],
)
async def test_what_was_not_allowed_is_not_tested(
    lab: LaboratoryFiles, classes: list[str], tested: str, untested: str
) -> None:
    inspection = await inspected(lab, "bad", scope=lab.scope_for("bad", probes=classes))
    assert State.NOT_TESTED not in states(inspection, tested)
    assert states(inspection, untested) == {State.NOT_TESTED}
    visited = {visit.kind for visit in lab.laboratory.visits if visit.site == "bad.lab.example"}
    assert ("http" in visited) is ("read" in classes)


def test_the_plan_is_what_the_scope_grants() -> None:
    text = (
        'probes = ["passive"]\ntargets = ["example.org"]\n[authorisation]\nby = "a"\n'
        'contact = "b"\ndate = 2026-11-30\nreference = "c"\n'
    )
    plan = planned_probes(Order("example.org", parse_scope(text), text))
    assert {probe.probe_class for probe in plan} == {ProbeClass.PASSIVE}


def test_the_real_nmap_runs_only_when_it_was_asked_for() -> None:
    text = (
        'probes = ["passive", "read", "consent"]\ntargets = ["example.org"]\n[authorisation]\n'
        'by = "a"\ncontact = "b"\ndate = 2026-11-30\nreference = "c"\n'
    )
    without = planned_probes(Order("example.org", parse_scope(text), text))
    asked = planned_probes(Order("example.org", parse_scope(text), text, use_nmap=True))
    assert {probe.id for probe in asked} - {probe.id for probe in without} == {NMAP.id}


async def test_the_record_says_what_was_used_of_what_was_granted(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, "closing")
    assert inspection.requests_sent > 0
    assert dict(inspection.budget)["requests"] == f"{inspection.requests_sent} of 2000"
    assert inspection.started <= inspection.ended
    assert inspection.tool.startswith("handfast ")
    assert inspection.scope.authorized_by.startswith("handfast lab")


async def test_a_budget_of_requests_ends_probes_not_the_inspection(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, "bad", scope=lab.scope_for("bad", requests=5))
    assert inspection.requests_sent == 5
    reasons = {c.detail for c in inspection.checks if c.state is State.NOT_TESTED}
    assert "The run has made all of its 5 requests." in reasons
    assert states(inspection, "dns.caa") == {State.FAIL}


@pytest.mark.parametrize(
    ("target", "labels", "error"),
    [
        ("nowhere.lab.example", ["bad"], ScopeError),
        ("https://bad.lab.example/", ["bad"], UserError),
        ("bad lab", ["bad"], UserError),
    ],
)
async def test_what_cannot_be_inspected_is_refused_before_anything_is_done(
    lab: LaboratoryFiles, target: str, labels: list[str], error: type[Exception]
) -> None:
    log = MemoryLog()
    with pytest.raises(error):
        await inspect(order(lab, target, *labels), lambda _: None, audit=AuditLog(log))
    assert log.records == ()
    assert lab.laboratory.visits == ()


async def test_a_name_that_does_not_exist_is_refused_and_not_written_down(
    lab: LaboratoryFiles,
) -> None:
    text = lab.scope_for("bad").read_text(encoding="utf-8")
    text = text.replace("targets = [", 'targets = ["typo.lab.example",')
    log = MemoryLog()
    wrong = Order("typo.lab.example", parse_scope(text), text)
    with pytest.raises(UserError, match="check the spelling"):
        await inspect(wrong, lambda _: None, audit=AuditLog(log))
    assert log.records == ()


async def test_an_address_can_be_inspected(lab: LaboratoryFiles) -> None:
    site = lab.site("bad")
    text = lab.scope_for("bad").read_text(encoding="utf-8")
    ports = [service.port for service in site.services]
    own = f'targets = [{{ host = "{site.address}", ports = {ports} }},'
    text = text.replace("targets = [", own)
    by_address = Order(site.address, parse_scope(text), text, trust=lab.ca, deadlines=CALM)
    async with asyncio.timeout(30):
        inspection = await inspect(by_address, lambda _: None)
    assert inspection.target == site.address
    assert "http.csp" in {finding.rule_id for finding in inspection.findings}


async def test_a_person_can_end_it_and_keeps_what_was_seen(lab: LaboratoryFiles) -> None:
    stop = asyncio.Event()
    told: list[Progress] = []

    def tell(step: Progress) -> None:
        told.append(step)
        if isinstance(step, FindingSeen):
            stop.set()

    wanted = order(lab, "tarpit.lab.example", "tarpit")
    async with asyncio.timeout(30):
        inspection = await inspect(wanted, tell, stop=stop)
    assert ended_early(inspection)
    assert inspection.mode_reason == INTERRUPTED
    assert inspection.findings
    assert INTERRUPTED in {c.detail for c in inspection.checks if c.state is State.NOT_TESTED}
    assert render_html(inspection)


async def test_an_end_before_anything_was_looked_at_leaves_nothing(lab: LaboratoryFiles) -> None:
    stop = asyncio.Event()
    stop.set()
    log = MemoryLog()
    with pytest.raises(UserError, match="before anything was looked at"):
        await inspect(
            order(lab, "bad.lab.example", "bad"), lambda _: None, stop=stop, audit=AuditLog(log)
        )
    assert log.records == ()


async def test_the_scopes_time_is_the_end_of_it(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, "tarpit", scope=lab.scope_for("tarpit", seconds=1))
    assert inspection.mode_reason == TIME_USED_UP
    assert ended_early(inspection)
    assert TIME_USED_UP in {c.detail for c in inspection.checks}


async def test_a_cancelled_inspection_leaves_no_task_behind(lab: LaboratoryFiles) -> None:
    before = asyncio.all_tasks()
    begun = asyncio.Event()

    def tell(step: Progress) -> None:
        if isinstance(step, FindingSeen):
            begun.set()

    wanted = order(lab, "tarpit.lab.example", "tarpit")
    running = asyncio.ensure_future(inspect(wanted, tell))
    await asyncio.wait_for(begun.wait(), 20)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert running.cancelled()
    left = [task.get_coro() for task in asyncio.all_tasks() - before]
    ours = [each for each in left if "/lab/" not in getattr(each, "cr_code").co_filename]  # noqa: B009 - a Coroutine hides it
    assert ours == []


@pytest.mark.parametrize("render", [render_markdown, render_html])
async def test_a_report_in_chinese(lab: LaboratoryFiles, render: Callable[..., str]) -> None:
    text = render(await inspected(lab, "closing"), "zh")
    assert "安全检查报告" in text


async def test_the_audit_has_the_whole_story_and_no_secret(lab: LaboratoryFiles) -> None:
    log = MemoryLog()
    async with asyncio.timeout(30):
        inspection = await inspect(
            order(lab, "exposed.lab.example", "exposed"), lambda _: None, audit=AuditLog(log)
        )
    first, *middle, last = log.records
    assert (first.kind, first.data["step"]) == ("inspection", "started")
    assert (last.kind, last.data["step"]) == ("inspection", "ended")
    assert last.data["evidence_sha256"] == inspection.evidence_digest
    asked = [record for record in middle if record.kind == "egress"]
    reached = {record.data["address"] for record in asked if record.data["verdict"] == "allow"}
    servers = {str(server.address) for server in order(lab, "", "exposed").scope.name_servers}
    assert reached <= servers | {lab.site("exposed").address}
    written = "\n".join(record.line.decode() for record in log.records)
    assert "AKIA" not in written
    assert "PRIVATE KEY" not in written


class FullDisk:
    """An audit that takes everything but the last record."""

    def record(self, kind: str, data: Mapping[str, object]) -> object:
        del kind
        if data.get("step") == "ended":
            raise AuditError("no space left")
        return None


async def test_an_audit_that_breaks_at_the_end_costs_no_finding(lab: LaboratoryFiles) -> None:
    told: list[Progress] = []
    wanted = order(lab, "closing.lab.example", "closing")
    inspection = await inspect(wanted, told.append, audit=FullDisk())
    assert inspection.findings
    warned = [step.text for step in told if isinstance(step, Warned)]
    assert warned == ["the end of the inspection is not in the audit: no space left"]


async def test_nmap_is_given_no_name_that_it_would_look_up_itself(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, "closing", use_nmap=True)
    details = {check.detail for check in inspection.checks if check.rule_id == "svc.inventory"}
    assert any(detail.startswith("nmap would look closing.lab.example up") for detail in details)
