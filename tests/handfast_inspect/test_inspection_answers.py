"""The laboratory's answer key, a few sites at a time: most of an inspection is waiting."""

from __future__ import annotations

import asyncio

import pytest

from handfast_inspect.lab.laboratory import PLANS
from handfast_inspect.lab.site import DOMAIN, FOUND_EVERYWHERE
from inspected_laboratory import LaboratoryFiles, inspected

AT_ONCE = 4
LABELS = [plan.name.removesuffix(f".{DOMAIN}") for plan in PLANS if plan.in_scope]
GROUPS = [LABELS[start : start + AT_ONCE] for start in range(0, len(LABELS), AT_ONCE)]


@pytest.mark.parametrize("labels", GROUPS, ids=" ".join)
async def test_what_is_to_be_found_is_found(lab: LaboratoryFiles, labels: list[str]) -> None:
    async with asyncio.TaskGroup() as group:
        for label in labels:
            group.create_task(check(lab, label))
    assert lab.laboratory.trespasses == ()


async def check(lab: LaboratoryFiles, label: str) -> None:
    """Inspects a site and compares what is found with what is to be found."""
    site = lab.site(label)
    inspection = await inspected(lab, label, scope=lab.scope, dkim_selectors=("default",))
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    expected = {(each.rule, each.severity) for each in site.expected}
    assert expected <= found, f"{label} has too little"
    rules = {rule for rule, _ in expected} | FOUND_EVERYWHERE
    more = {(rule, severity) for rule, severity in found if rule not in rules}
    if site.exact:
        assert {severity for _, severity in more} <= {"info"}, f"{label} has too much: {more}"
