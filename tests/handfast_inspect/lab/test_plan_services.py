from __future__ import annotations

from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.plan_services import HAZARDS, RESOLVER_NAME
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient


async def test_the_resolver_is_the_name_server_of_the_parent(
    laboratory: Laboratory, client: LaboratoryClient
) -> None:
    assert laboratory.resolver == client.where(RESOLVER_NAME, ServiceKind.DNS)


async def test_every_hazard_lets_its_visitor_in(client: LaboratoryClient) -> None:
    for plan in HAZARDS:
        for service in plan.services:
            await client.exchange(plan.name, service.kind, b"hello\r\n\r\n", at_most=1, end=True)


async def test_the_services_stand_on_one_host(laboratory: Laboratory) -> None:
    site = laboratory.book.site("services.lab.example")
    assert len({service.port for service in site.services}) == len(site.services) == 7
