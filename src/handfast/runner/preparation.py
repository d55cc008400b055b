"""From the arguments of `Runner.run` to a run and its first step."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from typing_extensions import TypedDict, TypeIs

from handfast.agents.agent import AnyAgent, is_agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.handoff import Handoff
from handfast.agents.hooks import RunHooks, RunHooksBase
from handfast.agents.input_items import given_items
from handfast.agents.raw import InputItem
from handfast.agents.session import Session
from handfast.core.loop import Step, resume
from handfast.core.state import Done
from handfast.core.state import RunState as CoreState
from handfast.errors import UserError
from handfast.runner.begin import first_step
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.keeping import Keeper
from handfast.runner.recovery import RunErrorHandlers, recoverable
from handfast.runner.run import Driver, Run
from handfast.runner.run_state import RunState
from handfast.runner.server_conversation import ServerConversation
from handfast.runner.transcript import Transcript

logger = logging.getLogger("handfast")

RunInput: TypeAlias = str | Sequence[InputItem] | RunState
"""A text, a list of input items, or the state of an earlier run."""


class RunOptions(TypedDict, total=False):
    """What `Runner.run` may be told beside agent and input; see there."""

    context: Any
    max_turns: int | None
    hooks: RunHooks[Any, Any] | None
    run_config: RunConfig | Mapping[str, Any] | None
    error_handlers: RunErrorHandlers | None
    previous_response_id: str | None
    auto_previous_response_id: bool
    conversation_id: str | None
    session: Session | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that has not been driven yet."""

    run: Run
    step: Step
    """Its first step, without what a session holds."""
    given: RunInput | None
    """Its input; None once the step holds what the session holds."""
    max_turns: int | None
    owns_provider: bool
    """Whether the run made its model provider, and is to close it."""

    async def begin(self) -> Step:
        """The first step, with what the session holds before the input."""
        run = self.run
        if run.keeper is None or self.given is None or isinstance(self.given, RunState):
            return self.step
        conversation = await run.keeper.begin(self.given, run.config.session_input_callback)
        return first_step(run, conversation, self.max_turns)


def prepare(
    starting_agent: AnyAgent,
    given: RunInput,
    options: RunOptions,
    config: RunConfig,
    driver: Driver,
) -> Prepared:
    """Make a run of what a user gave; nothing is called yet.

    Args:
        starting_agent: The first agent.
        given: The input.
        options: The other arguments.
        config: The settings among them.
        driver: Drives the run, and those of agents that it uses as tools.

    Raises:
        UserError: What was given cannot work.
        TypeError: Hooks or settings are of a type that cannot work.
    """
    max_turns = options.get("max_turns", DEFAULT_MAX_TURNS)
    own = not RunConfig.names_provider(options.get("run_config"))
    run, stored = _run(starting_agent, given, config, options, driver)
    if stored is not None:
        step = _next_step(run, _with_handlers(stored.core, run))
        run.begin(step)
        stored.follow(run)
        return Prepared(run, step, given, max_turns, own)
    return Prepared(run, first_step(run, given_items(given), max_turns), given, max_turns, own)


def _run(
    starting_agent: AnyAgent,
    given: RunInput,
    config: RunConfig,
    options: RunOptions,
    driver: Driver,
) -> tuple[Run, RunState | None]:
    if not is_agent(starting_agent):
        raise UserError(f"Runner runs an Agent, not {type(starting_agent).__name__}.")
    hooks = options.get("hooks")
    if hooks is not None and not _is_hooks(hooks):
        raise TypeError(f"Run hooks must be instances of RunHooks. Received {hooks!r}")
    stored = given if isinstance(given, RunState) else None
    context = _context(options.get("context"), stored)
    run = Run(starting_agent, context, config, driver, hooks=hooks)
    run.error_handlers = options.get("error_handlers") or {}
    run.server = _server(options)
    session = options.get("session")
    if stored is not None:
        _take_up(run, stored, session)
    _check_server(run, session)
    if session is not None:
        run.keeper = Keeper(session, context, config.session_settings, run.kept)
    return run, stored


def _next_step(run: Run, core: CoreState) -> Step:
    # An output whose session was not given it has not been handed out: the run ends with it now.
    if isinstance(core.phase, Done) and run.kept.pending:
        return core, ()
    return resume(core)


def _with_handlers(core: CoreState, run: Run) -> CoreState:
    """The state with the failures that this run's handlers are for, not the earlier run's."""
    return replace(core, rules=replace(core.rules, recovers=recoverable(run.error_handlers)))


def _take_up(run: Run, stored: RunState, session: Session | None) -> None:
    """Go on where a stored run is, and let its value follow."""
    stored.require_idle()
    checkpoint = stored.checkpoint
    checkpoint.kept.require(session)
    run.trace, run.server = checkpoint.trace, run.server or checkpoint.server
    run.take_up(checkpoint)
    if stored.reasoning_item_id_policy is not None and run.config.reasoning_item_id_policy is None:
        omit = stored.reasoning_item_id_policy == "omit"
        run.transcript = Transcript(omit_reasoning_ids=omit)


def _server(options: RunOptions) -> ServerConversation | None:
    previous, conversation = options.get("previous_response_id"), options.get("conversation_id")
    chained = options.get("auto_previous_response_id", False)
    if previous is None and conversation is None and not chained:
        return None
    return ServerConversation(previous, conversation, chained)


def _check_server(run: Run, session: Session | None) -> None:
    """Refuse before any model call what cannot work with a conversation that a provider keeps."""
    if run.server is None:
        return
    if session is not None:
        raise UserError(
            "Session persistence cannot be combined with conversation_id, "
            "previous_response_id, or auto_previous_response_id.",
        )
    guarded = any(agent.output_guardrails for agent in run.catalog)
    if guarded or run.config.output_guardrails:
        raise UserError(
            "Output guardrails cannot be combined with conversation_id, previous_response_id, "
            "or auto_previous_response_id: an output that they reject would stay in the "
            "server-managed conversation history.",
        )
    filtered = run.config.handoff_input_filter is not None or any(
        isinstance(target, Handoff) and target.input_filter is not None
        for agent in run.catalog
        for target in agent.handoffs
    )
    if filtered:
        raise UserError(
            "Server-managed conversations do not support handoff input filters. The provider "
            "keeps the history: remove conversation_id, previous_response_id and "
            "auto_previous_response_id, or the filters.",
        )
    if run.config.nest_handoff_history:
        logger.warning(
            "nest_handoff_history is off: the provider keeps this conversation, and only what is "
            "new is sent.",
        )


def _is_hooks(value: object) -> TypeIs[RunHooks[Any, Any]]:
    return isinstance(value, RunHooksBase)


def _is_context(value: object) -> TypeIs[RunContextWrapper[Any]]:
    return isinstance(value, RunContextWrapper)


def _context(given: object, stored: RunState | None) -> RunContextWrapper[Any]:
    if stored is None:
        return given if _is_context(given) else RunContextWrapper(given)
    wrapper = stored.context_wrapper
    if given is not None:
        wrapper.context = given.context if _is_context(given) else given
    return wrapper
