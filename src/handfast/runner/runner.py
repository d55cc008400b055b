"""`Runner`: the public door. Whole, streamed, sync and resumed runs are one drive."""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from handfast.agents.agent import Agent, AnyAgent
from handfast.agents.agent_tool import AGENT_TOOLS
from handfast.agents.context import RunContextWrapper
from handfast.agents.handoff import Handoff
from handfast.agents.hooks import RunHooks, RunHooksBase
from handfast.agents.input_items import input_to_items
from handfast.agents.raw import InputItem
from handfast.agents.session import Session
from handfast.core.loop import Step, open_effects
from handfast.errors import UserError
from handfast.runner.agent_alone import run_agent_alone
from handfast.runner.begin import first_step
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.drive import drive
from handfast.runner.keeping import Keeper
from handfast.runner.recovery import RunErrorHandlers
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.run import Run
from handfast.runner.run_state import RunState
from handfast.runner.run_trace import run_trace, untraced
from handfast.runner.server_conversation import ServerConversation
from handfast.runner.stream import RunResultStreaming

T = TypeVar("T")

logger = logging.getLogger("handfast")


# Agent tools that are invoked by hand, outside any run, find their runner here.
AGENT_TOOLS.register(run_agent_alone)


class Runner:
    """Runs agents."""

    @classmethod
    async def run(  # noqa: PLR0913 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        *,
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
        error_handlers: RunErrorHandlers | None = None,
        previous_response_id: str | None = None,
        auto_previous_response_id: bool = False,
        conversation_id: str | None = None,
        session: Session | None = None,
    ) -> RunResult:
        """Run an agent, and whoever it hands over to, until there is an output.

        Args:
            starting_agent: The first agent.
            input: A text, a list of input items, or the `RunState` of an earlier run to go on with.
            context: Your own object, handed to tools, hooks and guardrails; never to a model.
            max_turns: How many model calls the run may take; None sets no limit. A resumed run
                keeps the limit that it began with.
            hooks: Told of everything that happens.
            run_config: Settings, as a `RunConfig` or a mapping of its fields.
            error_handlers: By kind of failure (`max_turns`, `model_refusal`,
                `invalid_final_output`), what may give an output in place of it.
            previous_response_id: A response that the provider keeps, which the run continues.
            auto_previous_response_id: Let the provider keep the run's own responses, and send only
                what is new.
            conversation_id: A conversation that the provider keeps; only what is new is sent.
            session: A stored conversation that the run goes on with, and adds its turns to.

        Returns:
            The output, or the calls that wait for a person (`interruptions`).

        Raises:
            UserError: What was given cannot work.
            MaxTurnsExceeded: No output within `max_turns`.
            ModelError: A model, or the service behind it, failed.
            GuardrailTripwireTriggered: A guardrail stopped the run.
        """
        options = _Options(
            context,
            max_turns,
            hooks,
            RunConfig.of(run_config),
            session,
            error_handlers or {},
            _server(previous_response_id, conversation_id, chained=auto_previous_response_id),
        )
        stored = input.trace if isinstance(input, RunState) else None
        with run_trace(options.config, stored):
            run, step = _prepare(starting_agent, input, options)
            await drive(run, await _begun(run, step, input, max_turns))
        raise_stopped(run)
        return RunResult(run)

    @classmethod
    def run_sync(  # noqa: PLR0913 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        *,
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
        error_handlers: RunErrorHandlers | None = None,
        previous_response_id: str | None = None,
        auto_previous_response_id: bool = False,
        conversation_id: str | None = None,
        session: Session | None = None,
    ) -> RunResult:
        """Run an agent from code without an event loop; arguments and errors are those of `run`.

        Calls in one thread share an event loop, so that connections of model clients stay usable.

        Raises:
            RuntimeError: There is a running event loop in this thread: await `run` there.
        """
        return _in_own_loop(
            cls.run(
                starting_agent,
                input,
                context=context,
                max_turns=max_turns,
                hooks=hooks,
                run_config=run_config,
                error_handlers=error_handlers,
                previous_response_id=previous_response_id,
                auto_previous_response_id=auto_previous_response_id,
                conversation_id=conversation_id,
                session=session,
            ),
        )

    @classmethod
    def run_streamed(  # noqa: PLR0913, PLR0917 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
        previous_response_id: str | None = None,
        auto_previous_response_id: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        conversation_id: str | None = None,
        session: Session | None = None,
        *,
        error_handlers: RunErrorHandlers | None = None,
    ) -> RunResultStreaming:
        """Start a run and return at once; read `stream_events()` of what it returns.

        Arguments are those of `run`; its errors are raised while the events are read.

        Raises:
            UserError: What was given cannot work.
            RuntimeError: There is no running event loop.
        """
        options = _Options(
            context,
            max_turns,
            hooks,
            RunConfig.of(run_config),
            session,
            error_handlers or {},
            _server(previous_response_id, conversation_id, chained=auto_previous_response_id),
        )
        with untraced(options.config):
            run, step = _prepare(starting_agent, input, options)
        begin = partial(_begun, run, step, input, max_turns)
        return RunResultStreaming(run, step, max_turns, begin)


@dataclass(frozen=True, slots=True)
class _Options:
    context: object
    max_turns: int | None
    hooks: RunHooks[Any, Any] | None
    config: RunConfig
    session: Session | None
    error_handlers: RunErrorHandlers
    server: ServerConversation | None


def _server(
    previous_response_id: str | None,
    conversation_id: str | None,
    *,
    chained: bool,
) -> ServerConversation | None:
    if previous_response_id is None and conversation_id is None and not chained:
        return None
    return ServerConversation(previous_response_id, conversation_id, chained)


def _prepare(
    starting_agent: AnyAgent,
    given: str | Sequence[InputItem] | RunState,
    options: _Options,
) -> tuple[Run, Step]:
    if not isinstance(starting_agent, Agent):
        raise UserError(f"Runner runs an Agent, not {type(starting_agent).__name__}.")
    if options.hooks is not None and not isinstance(options.hooks, RunHooksBase):
        raise TypeError(f"Run hooks must be instances of RunHooks. Received {options.hooks!r}")
    stored = given if isinstance(given, RunState) else None
    context = _context(options.context, stored)
    run = Run(starting_agent, context, options.config, drive, hooks=options.hooks)
    run.error_handlers = options.error_handlers
    run.trace = None if stored is None else stored.trace
    run.server = options.server or (None if stored is None else stored.server)
    _check_server(run, options)
    if options.session is not None:
        kept = None if stored is None else stored.kept
        run.keeper = Keeper(options.session, context, options.config.session_settings, kept)
    if stored is not None:
        return run, (stored.core, open_effects(stored.core))
    return run, first_step(run, input_to_items(given), options.max_turns)


def _check_server(run: Run, options: _Options) -> None:
    """Refuse before any model call what cannot work with a conversation that a provider keeps."""
    if run.server is None:
        return
    if options.session is not None:
        raise UserError(
            "Session persistence cannot be combined with conversation_id, "
            "previous_response_id, or auto_previous_response_id.",
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


def _context(given: object, stored: RunState | None) -> RunContextWrapper[Any]:
    if stored is None:
        return given if isinstance(given, RunContextWrapper) else RunContextWrapper(given)
    wrapper = stored.context_wrapper
    if given is not None:
        wrapper.context = given
    return wrapper


async def _begun(
    run: Run,
    step: Step,
    given: str | Sequence[InputItem] | RunState,
    max_turns: int | None,
) -> Step:
    """The first step, with what the session holds before the input."""
    if run.keeper is None or isinstance(given, RunState):
        return step
    conversation = await run.keeper.begin(given, run.config.session_input_callback)
    return first_step(run, conversation, max_turns)


# ---- without an event loop ----------------------------------------------------------------------

_loops = threading.local()


def _in_own_loop(run: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        run.close()
        raise RuntimeError(
            "Runner.run_sync() cannot be called when an event loop is already running; "
            "use `await Runner.run(...)`.",
        )
    runner: asyncio.Runner | None = getattr(_loops, "runner", None)
    if runner is None or runner.get_loop().is_closed():
        runner = _loops.runner = asyncio.Runner()
        # Closed with its thread, which drops the thread-local value.
        weakref.finalize(runner, _close, runner.get_loop())
    return runner.run(run)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_running() and not loop.is_closed():
        loop.close()
