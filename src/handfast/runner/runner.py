"""`Runner`: the public door. Whole, streamed, sync and resumed runs are one drive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_tool import AGENT_TOOLS
from handfast.agents.hooks import RunHooks
from handfast.agents.session import Session
from handfast.runner.agent_alone import AgentAlone
from handfast.runner.agent_runner import get_default_agent_runner
from handfast.runner.config import DEFAULT_MAX_TURNS, RunConfig
from handfast.runner.preparation import RunInput
from handfast.runner.recovery import RunErrorHandlers
from handfast.runner.result import RunResult
from handfast.runner.stream import RunResultStreaming


class Runner:
    """Runs agents."""

    @classmethod
    async def run(  # noqa: PLR0913 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
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
        return await get_default_agent_runner().run(
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
        )

    @classmethod
    def run_sync(  # noqa: PLR0913 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
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
        return get_default_agent_runner().run_sync(
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
        )

    @classmethod
    def run_streamed(  # noqa: PLR0913, PLR0917 - the SDK's signature
        cls,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
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
        return get_default_agent_runner().run_streamed(
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
        )


# Agent tools that a program invokes by hand, outside any run, begin theirs here.
AGENT_TOOLS.register(AgentAlone(Runner))
