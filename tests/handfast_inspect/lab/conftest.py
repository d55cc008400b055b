from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.laboratory import Laboratory
from laboratory_client import LaboratoryClient, StandingLaboratory

FAST = Pace(drip_seconds=0.001, idle_seconds=5, connection_seconds=20)


@pytest.fixture
async def laboratory() -> AsyncIterator[Laboratory]:
    async with Laboratory(pace=FAST) as running:
        yield running


@pytest.fixture
def client(laboratory: Laboratory) -> LaboratoryClient:
    return LaboratoryClient(laboratory)


@pytest.fixture(scope="module")
def standing() -> Iterator[StandingLaboratory]:
    laboratory = Laboratory(pace=FAST)
    with asyncio.Runner() as runner:
        runner.run(laboratory.__aenter__())
        try:
            yield StandingLaboratory(runner, laboratory)
        finally:
            runner.run(laboratory.__aexit__())
