"""`Runner`: the public door. Whole, streamed, sync and resumed runs are one drive."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from handfast.agents.agent import Agent, AnyAgent
from handfast.agents.agent_tool import AGENT_TOOLS
from handfast.agents.context import RunContextWrapper
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
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.run import Run
from handfast.runner.run_state import RunState
from handfast.runner.stream import RunResultStreaming

T = TypeVar("T")


# Agent tools that are invoked by hand, outside any run, find their runner here.
AGENT_TOOLS.register(run_agent_alone)


class Runner:
    """Runs agents."""

    @classmethod
    async def run(
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        *,
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
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
            session: A stored conversation that the run goes on with, and adds its turns to.

        Returns:
            The output, or the calls that wait for a person (`interruptions`).

        Raises:
            UserError: What was given cannot work.
            MaxTurnsExceeded: No output within `max_turns`.
            ModelError: A model, or the service behind it, failed.
            GuardrailTripwireTriggered: A guardrail stopped the run.
        """
        options = _Options(context, max_turns, hooks, RunConfig.of(run_config), session)
        run, step = _prepare(starting_agent, input, options)
        await drive(run, await _begun(run, step, input, max_turns))
        raise_stopped(run)
        return RunResult(run)

    @classmethod
    def run_sync(
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        *,
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
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
                session=session,
            ),
        )

    @classmethod
    def run_streamed(  # noqa: PLR0917 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: str | Sequence[InputItem] | RunState,  # noqa: A002 - the SDK's name
        context: Any = None,  # noqa: ANN401 - the user's own object, handed to user code
        max_turns: int | None = DEFAULT_MAX_TURNS,
        hooks: RunHooks[Any, Any] | None = None,
        run_config: RunConfig | Mapping[str, Any] | None = None,
        session: Session | None = None,
    ) -> RunResultStreaming:
        """Start a run and return at once; read `stream_events()` of what it returns.

        Arguments are those of `run`; its errors are raised while the events are read.

        Raises:
            UserError: What was given cannot work.
            RuntimeError: There is no running event loop.
        """
        options = _Options(context, max_turns, hooks, RunConfig.of(run_config), session)
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
    if options.session is not None:
        kept = None if stored is None else stored.kept
        run.keeper = Keeper(options.session, context, options.config.session_settings, kept)
    if stored is not None:
        return run, (stored.core, open_effects(stored.core))
    return run, first_step(run, input_to_items(given), options.max_turns)


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
