"""Closes the model provider that a run made for itself; one that a user gave is theirs to close."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from handfast.agents.model import ModelProvider

logger = logging.getLogger("handfast")

CLOSE_SECONDS: Final = 10.0
"""How long a provider may take to close."""


@asynccontextmanager
async def closing(provider: ModelProvider, *, own: bool) -> AsyncGenerator[None]:
    """Run the block, and close the provider after it, whatever happened inside.

    Args:
        provider: The provider.
        own: Whether the run made it; nothing is closed otherwise.
    """
    try:
        yield
    finally:
        if own:
            await _close(provider)


async def _close(provider: ModelProvider) -> None:
    """Close it to the end, also when the run is cancelled meanwhile, once or several times."""
    closing_task = asyncio.ensure_future(_in_time(provider))
    cancelled: asyncio.CancelledError | None = None
    while not closing_task.done():
        try:
            await asyncio.shield(closing_task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


async def _in_time(provider: ModelProvider) -> None:
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await provider.aclose()
    except Exception:
        logger.warning("Failed to close model provider created for run.", exc_info=True)
