from __future__ import annotations

import pytest

from handfast_inspect.lab.plan_web import WEB_SITES
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, careless

WEB = [
    (plan.name, service.kind)
    for plan in WEB_SITES
    for service in plan.services
    if service.kind in {ServiceKind.HTTP, ServiceKind.HTTPS}
]


@pytest.mark.parametrize(("name", "kind"), WEB)
async def test_every_web_site_answers_http(
    client: LaboratoryClient, name: str, kind: ServiceKind
) -> None:
    answer = await client.get(name, kind=kind, tls=careless())
    assert answer.status in {200, 301, 302}


def test_nothing_is_to_be_found_at_the_good_site() -> None:
    (good,) = [plan for plan in WEB_SITES if plan.name == "good.lab.example"]
    assert good.exact
    assert good.expected == ()


def test_the_bad_site_has_a_long_answer_key() -> None:
    (bad,) = [plan for plan in WEB_SITES if plan.name == "bad.lab.example"]
    assert len(bad.expected) > 25
