"""The inspection, without a model, against the answer key of the laboratory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from handfast import load_scope
from handfast_inspect.findings.finding import Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.inspection import inspect
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.pages_exposed import PLANTED_SECRET
from handfast_inspect.lab.site import FOUND_EVERYWHERE, Site
from handfast_inspect.order import Order
from handfast_inspect.report.json_report import render_json

LABELS = (
    *("good", "bad", "halfway", "plain", "exposed", "alike", "hostile", "services"),
    *("detour", "away", "metadata", "closing", "garbage", "bomb", "flood"),
    *("expired", "incomplete", "old-tls", "no-encryption"),
    *("spf-many", "monitor", "lost", "wild", "bogus"),
)
SIDE_BY_SIDE = 3
"""Inspections at once: all share one event loop with the laboratory."""


async def inspect_site(label: str, scope_file: Path, turn: asyncio.Semaphore) -> Inspection:
    order = Order(
        target=f"{label}.lab.example",
        scope=load_scope(scope_file),
        scope_text="",
        trust=scope_file.with_name("ca.pem"),
    )
    async with turn:
        return await inspect(order, lambda _: None)


def differences(site: Site, inspection: Inspection) -> list[str]:
    """What was missed, and what was found that is not there."""
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    wanted = {(expected.rule, expected.severity) for expected in site.expected}
    wrong = [f"{site.name}: missed {rule} ({severity})" for rule, severity in wanted - found]
    known = {rule for rule, _ in wanted} | FOUND_EVERYWHERE
    if site.exact:
        wrong += [
            f"{site.name}: false alarm {finding.rule_id} ({finding.severity.value})"
            for finding in inspection.findings
            if finding.severity is not Severity.INFO and finding.rule_id not in known
        ]
    return wrong


@pytest.mark.timeout(180)
async def test_an_inspection_finds_what_was_planted_and_nothing_else(tmp_path: Path) -> None:
    async with Laboratory() as laboratory:
        scope_file = laboratory.write_scope(tmp_path)
        turn = asyncio.Semaphore(SIDE_BY_SIDE)
        inspections = await asyncio.gather(
            *(inspect_site(label, scope_file, turn) for label in LABELS)
        )
    sites = [laboratory.book.site(inspection.target) for inspection in inspections]
    pairs = zip(sites, inspections, strict=True)
    assert [wrong for site, inspection in pairs for wrong in differences(site, inspection)] == []
    assert not laboratory.trespasses
    methods = {visit.what.split(" ")[0] for visit in laboratory.visits if " /" in visit.what}
    assert methods <= {"GET", "HEAD", "OPTIONS", "TRACE"}
    assert not any(PLANTED_SECRET in render_json(inspection) for inspection in inspections)
