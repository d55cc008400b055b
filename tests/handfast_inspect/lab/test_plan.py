from __future__ import annotations

import pytest

from handfast_inspect.lab.laboratory import PLANS
from handfast_inspect.lab.plan import DnsPlan, SitePlan
from handfast_inspect.lab.site import DOMAIN, OUTSIDE

by_name = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)


def test_no_two_sites_share_a_name() -> None:
    names = [name for plan in PLANS for name in (plan.name, *plan.aliases)]
    assert len(set(names)) == len(names)


def test_only_the_outside_is_out_of_scope() -> None:
    assert [plan.name for plan in PLANS if not plan.in_scope] == [OUTSIDE]


@by_name
def test_a_site_lies_in_the_domain_unless_it_is_out_of_scope(plan: SitePlan) -> None:
    assert plan.name.endswith(f".{DOMAIN}") is plan.in_scope


@by_name
def test_a_site_has_one_service_of_a_kind(plan: SitePlan) -> None:
    kinds = [service.kind for service in plan.services]
    assert len(set(kinds)) == len(kinds)


@by_name
def test_a_site_says_in_one_line_what_it_is_about(plan: SitePlan) -> None:
    assert 0 < len(plan.description) < 100
    assert "\n" not in plan.description


@by_name
def test_no_finding_is_expected_twice_at_a_site(plan: SitePlan) -> None:
    assert len({found.rule for found in plan.expected}) == len(plan.expected)


def test_every_name_server_but_the_resolver_has_a_zone() -> None:
    servers = [s for plan in PLANS for s in plan.services if isinstance(s, DnsPlan)]
    assert [server.role for server in servers if not server.zones] == ["resolver"]
