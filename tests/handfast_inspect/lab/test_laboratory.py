from __future__ import annotations

import asyncio
import gc
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from handfast import UserError
from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.laboratory import PLANS, Laboratory
from handfast_inspect.lab.site import OUTSIDE, ServiceKind
from laboratory_client import LaboratoryClient, careless

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


async def test_twenty_starts_and_stops_leave_nothing() -> None:
    files: list[int] = []
    for _ in range(20):
        async with Laboratory() as laboratory:
            client = LaboratoryClient(laboratory)
            assert (await client.get("good.lab.example", kind=HTTPS)).status == 200
            address, port = client.where("tarpit.lab.example", HTTP)
            _, left_open = await asyncio.open_connection(address, port)
            _, half = await asyncio.open_connection(*client.where("good.lab.example", HTTPS))
        left_open.transport.abort()
        half.transport.abort()
        await asyncio.gather(left_open.wait_closed(), half.wait_closed(), return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        files.append(open_files())
    gc.collect()
    assert len(set(files)) == 1


async def test_no_thread_is_started() -> None:
    before = set(threading.enumerate())
    async with Laboratory() as laboratory:
        await LaboratoryClient(laboratory).get("bad.lab.example")
        assert set(threading.enumerate()) == before


async def test_nothing_answers_after_the_end() -> None:
    async with Laboratory() as laboratory:
        client = LaboratoryClient(laboratory)
    with pytest.raises(ConnectionError):
        await client.get("good.lab.example")
    assert laboratory.ended.is_set()


async def test_several_laboratories_stand_side_by_side() -> None:
    async with Laboratory() as one, Laboratory() as other:
        assert one.resolver != other.resolver
        for laboratory in (one, other):
            answer = await LaboratoryClient(laboratory).get("bad.lab.example")
            assert answer.status == 200


async def test_a_lifetime_ends_it() -> None:
    async with Laboratory(lifetime=0.05) as laboratory:
        async with asyncio.timeout(10):
            await laboratory.ended.wait()
        with pytest.raises(ConnectionError):
            await LaboratoryClient(laboratory).get("good.lab.example")


async def test_a_lifetime_that_is_not_used_up_leaves_nothing() -> None:
    async with Laboratory(lifetime=600):
        pass
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_the_address_and_the_ports_can_be_chosen() -> None:
    async with Laboratory() as first:
        host = first.book.site(PLANS[0].name).address
    async with Laboratory(host=host, base_port=12_000) as chosen:
        assert chosen.sites[0].address == host
        assert chosen.book.port("good.lab.example", HTTP) == 12_080
        assert chosen.book.port("good.lab.example", HTTPS) == 12_443


async def test_a_taken_port_is_a_clear_error_and_leaves_nothing() -> None:
    async with Laboratory() as first:
        site = first.sites[0]
        port = site.port(HTTP)
        assert port is not None
        before = open_files()
        with pytest.raises(UserError, match="taken"):
            async with Laboratory(host=site.address, base_port=port - 80):
                pytest.fail("started on taken ports")
        assert open_files() == before


async def test_every_service_accepts_a_connection(laboratory: Laboratory) -> None:
    for site, service in laboratory.book.services():
        _, writer = await asyncio.open_connection(site.address, service.port)
        writer.transport.abort()
        assert site.name


async def test_a_visit_out_of_scope_is_a_trespass(
    client: LaboratoryClient, laboratory: Laboratory
) -> None:
    await client.get("bad.lab.example")
    assert not laboratory.trespasses
    await client.get(OUTSIDE, "/collect")
    assert [visit.what for visit in laboratory.trespasses] == ["connect", "GET /collect"]


async def test_certificates_count_from_the_moment_given() -> None:
    moment = datetime(2020, 1, 1, tzinfo=UTC)
    async with Laboratory(now=moment) as laboratory:
        assert laboratory.now == moment
        client = LaboratoryClient(laboratory)
        answer = await client.get("good.lab.example", kind=HTTPS, tls=careless())
        assert answer.status == 200


async def test_many_visitors_at_once_are_served() -> None:
    async with Laboratory(pace=Pace(drip_seconds=0.001)) as laboratory:
        client = LaboratoryClient(laboratory)
        names = ["good.lab.example", "bad.lab.example", "exposed.lab.example"] * 15
        answers = await asyncio.gather(*(client.get(name, kind=HTTPS) for name in names))
        assert {answer.status for answer in answers} == {200}
