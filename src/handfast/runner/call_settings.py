"""The settings of one model call: the agent's, the run's, and what follows from the run itself."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace
from typing import Final

from handfast.agents.agent import AnyAgent
from handfast.agents.model import Model, ModelTracing
from handfast.agents.model_settings import ModelSettings
from handfast.core.effects import CallModel
from handfast.runner.run import Run

UNLIMITED_SECONDS: Final = 86_400.0
"""A day: what an adapter is told where the run sets no limit, so that not even then one waits for
ever."""

_CACHE_KEY: Final = "prompt_cache_key"


def call_settings(run: Run, effect: CallModel, agent: AnyAgent, model: Model) -> ModelSettings:
    """What a model is asked for in one call.

    Args:
        run: The run, whose settings are over the agent's.
        effect: The call.
        agent: Whose turn it is.
        model: The model that answers.
    """
    settings = agent.model_settings.resolve(run.config.model_settings)
    # A forced tool choice is lifted once a tool was called, or the model could never answer.
    lifted = effect.tools_off or (effect.tools_used and agent.reset_tool_choice)
    if lifted and settings.tool_choice is not None:
        settings = replace(settings, tool_choice=None)
    if settings.timeout is None:
        settings = replace(settings, timeout=run.config.model_timeout or UNLIMITED_SECONDS)
    if _wants_cache_key(settings) and model.takes_prompt_cache_key():
        extra = {**(settings.extra_args or {}), _CACHE_KEY: _cache_key(run)}
        settings = replace(settings, extra_args=extra)
    return settings


def call_tracing(run: Run) -> ModelTracing:
    """What a model may record of its calls."""
    if run.config.tracing_disabled:
        return ModelTracing.DISABLED
    if run.config.trace_include_sensitive_data:
        return ModelTracing.ENABLED
    return ModelTracing.ENABLED_WITHOUT_DATA


def inner_cache_key(run: Run, child: Run, call_id: str) -> str:
    """The cache key of a run inside another, which has it again when both are resumed.

    Args:
        run: The run that the call belongs to.
        child: The run behind the call.
        call_id: The call's id, which no other call of the run has.
    """
    return _shared_key(child) or f"agents-sdk:run:{_digest(f'{_cache_key(run)}/{call_id}')}"


def _wants_cache_key(settings: ModelSettings) -> bool:
    """True where nobody chose a key: requests of one run begin alike, and one key says so."""
    return all(
        _CACHE_KEY not in (given or {}) for given in (settings.extra_args, settings.extra_body)
    )


def _cache_key(run: Run) -> str:
    """The key of the run: that of its conversation, where it has one."""
    if run.cache_key is None:
        run.cache_key = _shared_key(run) or f"agents-sdk:run:{uuid.uuid4().hex}"
    return run.cache_key


def _shared_key(run: Run) -> str | None:
    """The key of the runs of one conversation; None for a run by itself."""
    boundaries = {
        "conversation": None if run.server is None else run.server.conversation_id,
        "session": None if run.keeper is None else run.keeper.session_id,
        "group": run.config.group_id,
    }
    for kind, value in boundaries.items():
        if value:
            return f"agents-sdk:{kind}:{_digest(value)}"
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
