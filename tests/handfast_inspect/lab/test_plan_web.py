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


def test_the_good_site_is_the_clean_one() -> None:
    assert [plan.name for plan in WEB_SITES if plan.clean] == ["good.lab.example"]


def test_the_bad_site_has_a_long_answer_key() -> None:
    (bad,) = [plan for plan in WEB_SITES if plan.name == "bad.lab.example"]
    assert len(bad.expected) > 25
