"""When a session that can make itself shorter is asked to."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from handfast.agents.compaction import OpenAIResponsesCompactionArgs
from handfast.agents.raw import ModelResponse
from handfast.core.items import HandoffResult, Result
from handfast.core.state import Done, RunState
from handfast.runner.run import Run

logger = logging.getLogger("handfast")

COMPACTION_SECONDS: Final = 120.0
"""For how long a session may take to make itself shorter before the run returns without that."""


async def compact(run: Run) -> None:
    """Let a session shorten itself, once it has the output that a model's answer ended a run with.

    An answer whose calls were answered here is not the end of the conversation: a provider that
    goes by its id would forget what the tools said. The next answer without calls is. A session
    that fails at it costs no run its output.
    """
    args = _args(run)
    if run.keeper is None or args is None:
        return
    bounded = asyncio.wait_for(run.keeper.compact(args), COMPACTION_SECONDS)
    (failed,) = await asyncio.gather(bounded, return_exceptions=True)
    if failed is not None:
        logger.warning("The session could not be made shorter.", exc_info=failed)


def _args(run: Run) -> OpenAIResponsesCompactionArgs | None:
    state = run.state
    last = state.answers[-1] if state.answers else None
    if not isinstance(state.phase, Done) or last is None or not last.response_id:
        return None
    if _has_calls(state):
        return None
    args = OpenAIResponsesCompactionArgs(response_id=last.response_id, force=False)
    settings = run.catalog[last.agent].model_settings.resolve(run.config.model_settings)
    if settings.store is not None:
        args["store"] = settings.store
    return args


def _has_calls(state: RunState) -> bool:
    """Whether the last answer has calls that are answered here, or were left open."""
    raw = state.answers[-1].raw
    asked = isinstance(raw, ModelResponse) and any(
        getattr(item, "call_id", None) for item in raw.output
    )
    turn = state.items.since(state.items_mark)
    return asked or any(isinstance(item, Result | HandoffResult) for item in turn)
