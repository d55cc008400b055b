from __future__ import annotations

import asyncio
import logging

import pytest

from handfast.agents.model import ModelProvider
from handfast.runner.own_provider import closing


class Provider(ModelProvider):
    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.closed = 0
        self.began = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def aclose(self) -> None:
        self.began.set()
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        self.closed += 1


@pytest.mark.parametrize("own", [True, False])
async def test_only_a_provider_of_the_runs_own_is_closed(*, own: bool) -> None:
    provider = Provider()
    async with closing(provider, own=own):
        assert provider.closed == 0
    assert provider.closed == int(own)


async def test_it_is_closed_after_an_error_which_comes_out_unchanged() -> None:
    provider = Provider()
    with pytest.raises(ValueError, match="mine"):
        async with closing(provider, own=True):
            raise ValueError("mine")
    assert provider.closed == 1


async def test_a_provider_that_cannot_be_closed_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "handfast"):
        async with closing(Provider(RuntimeError("stuck")), own=True):
            pass
    assert "Failed to close model provider created for run" in caplog.text


async def test_closing_goes_to_its_end_however_often_the_run_is_cancelled() -> None:
    provider = Provider()
    provider.gate.clear()

    async def run() -> None:
        async with closing(provider, own=True):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(run())
    await asyncio.sleep(0)
    task.cancel()
    await provider.began.wait()
    task.cancel()
    await asyncio.sleep(0)
    provider.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert provider.closed == 1
