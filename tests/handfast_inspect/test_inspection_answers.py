"""The laboratory's answer key, site by site."""

from __future__ import annotations

import pytest

from handfast_inspect.lab.laboratory import PLANS
from handfast_inspect.lab.site import DOMAIN, FOUND_EVERYWHERE
from inspected_laboratory import LaboratoryFiles, inspected

LABELS = [plan.name.removesuffix(f".{DOMAIN}") for plan in PLANS if plan.in_scope]


@pytest.mark.parametrize("label", LABELS)
async def test_what_is_to_be_found_is_found(lab: LaboratoryFiles, label: str) -> None:
    site = lab.site(label)
    inspection = await inspected(lab, label, scope=lab.scope, dkim_selectors=("default",))
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    expected = {(each.rule, each.severity) for each in site.expected}
    assert expected <= found
    rules = {rule for rule, _ in expected} | FOUND_EVERYWHERE
    more = {(rule, severity) for rule, severity in found if rule not in rules}
    if site.exact:
        assert {severity for _, severity in more} <= {"info"}, more
    assert lab.laboratory.trespasses == ()
