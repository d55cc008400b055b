"""An agent used as a tool: what its caller sends, what its run is given, what comes back.

The spec is data. Inside a run, the driver reads it and runs the agent as a part of that run. Where
a program invokes the tool by hand, no run knows of the call: it goes through `AGENT_TOOLS`. Agents
do not know what runs them, so the runner package puts that there, once, when it is imported.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypedDict, cast

from pydantic import TypeAdapter, ValidationError

from handfast.agents.agent_tool_input import (
    AgentToolInput,
    InputBuilder,
    StructuredToolInputBuilderOptions,
    default_tool_input_builder,
    input_schema,
    schema_summary,
)
from handfast.agents.context import RUN_CONFIGS, RunContextWrapper
from handfast.agents.hooks import RunHooksBase
from handfast.agents.items import NamedAgent
from handfast.agents.raw import InputItem
from handfast.agents.validation import faults_of, json_bytes
from handfast.errors import ModelBehaviorError, UserError

DEFAULT_STREAM_EVENTS = 1_024
"""How many events of the agent's run may wait for a slow `on_stream`."""


OutputExtractor: TypeAlias = Callable[[Any], Awaitable[str] | str]
"""Makes the tool's output from the agent's `RunResult`; sync or async."""


@dataclass(frozen=True, slots=True)
class AgentToolInvocation:
    """The call that an agent's run answers, where the agent is used as a tool."""

    tool_name: str
    tool_call_id: str
    tool_arguments: str
    """JSON text."""


class AgentToolStreamEvent(TypedDict):
    """What an `on_stream` is told."""

    event: Any
    """The stream event of the agent's run."""
    agent: Any
    """The agent that runs."""
    tool_call: Any
    """The call that it runs for, as the SDK shows it; None where the tool was invoked by hand."""


StreamListener: TypeAlias = Callable[[AgentToolStreamEvent], object]
"""Is told each event of the agent's run; sync or async."""


@dataclass(frozen=True, slots=True, eq=False)
class AgentToolSpec:
    """How the agent behind a tool is run.

    Raises:
        UserError: `on_stream` cannot be called, or no event may wait for it; the type of the
            arguments has no schema.
        TypeError: `run_config` has settings that do not exist.
    """

    agent: NamedAgent
    adapter: TypeAdapter[object]
    """Validates the call's arguments."""
    custom_output_extractor: OutputExtractor | None = None
    """Makes the output from the `RunResult`; None takes its final output."""
    max_turns: int | None = None
    """Model calls of the agent's run; None takes the default."""
    run_config: object = None
    """The `RunConfig` of the agent's run; None takes the caller's."""
    hooks: RunHooksBase | None = None
    session: object = None
    previous_response_id: str | None = None
    conversation_id: str | None = None
    on_stream: StreamListener | None = None
    on_stream_max_pending_events: int | None = DEFAULT_STREAM_EVENTS
    input_builder: InputBuilder | None = None
    include_input_schema: bool = False
    structured: bool = False
    """True when the tool has parameters of its own, which are then the run's `tool_input`."""
    schema: Mapping[str, object] = field(init=False)
    """The strict JSON schema of the call's arguments."""

    def __post_init__(self) -> None:
        _check_stream(self.on_stream, self.on_stream_max_pending_events)
        object.__setattr__(self, "run_config", RUN_CONFIGS.read(self.run_config))
        object.__setattr__(self, "schema", input_schema(self.adapter))

    async def read(self, arguments: str, tool_name: str) -> AgentCall:
        """What the agent is run with, from the call's arguments.

        Args:
            arguments: JSON text.
            tool_name: What the tool is called, for messages.

        Raises:
            ModelBehaviorError: The arguments are not what the tool takes.
            UserError: The input builder returned something that is no input.
        """
        value = self._validated(arguments, tool_name)
        params: object = self.adapter.dump_python(value, mode="json")
        if self.input_builder is None and not self.structured:
            return AgentCall(str(cast("Mapping[str, object]", params)["input"]), None)
        wanted = self.include_input_schema and self.structured
        options: StructuredToolInputBuilderOptions = {
            "params": params,
            "summary": schema_summary(self.schema),
            "json_schema": dict(self.schema) if wanted else None,
        }
        builder = default_tool_input_builder if self.input_builder is None else self.input_builder
        built = builder(options)
        given: object = await built if inspect.isawaitable(built) else built
        return AgentCall(_require_input(given), params)

    def _validated(self, arguments: str, tool_name: str) -> object:
        try:
            return self.adapter.validate_json(json_bytes(arguments) or b"{}")
        except ValidationError as error:
            raise ModelBehaviorError(
                f"Invalid JSON input for tool {tool_name}: {faults_of(error)}",
                arguments_of=tool_name,
            ) from error


@dataclass(frozen=True, slots=True)
class AgentCall:
    """One call of an agent used as a tool."""

    input: AgentToolInput
    """The input of its run."""
    tool_input: object
    """Structured arguments as JSON data, for `RunContextWrapper.tool_input`; None for text."""


class AgentToolRunner(Protocol):
    """Runs an agent for a tool call that no runner is looking after."""

    async def __call__(
        self,
        spec: AgentToolSpec,
        context: RunContextWrapper,
        call: AgentCall,
    ) -> object:
        """The tool's output."""
        ...


class AgentToolPort:
    """Where the runner package registers what runs an agent."""

    __slots__ = ("_run",)

    def __init__(self) -> None:
        self._run: AgentToolRunner | None = None

    def register(self, run: AgentToolRunner) -> None:
        """Use this from now on."""
        self._run = run

    async def invoke(
        self,
        spec: AgentToolSpec,
        context: RunContextWrapper,
        arguments: str,
        tool_name: str,
    ) -> object:
        """Run the agent of a spec.

        Args:
            spec: How the agent is run.
            context: What the caller has: the context of the call, of its run, or neither.
            arguments: JSON text.
            tool_name: What the tool is called, for messages.

        Raises:
            UserError: No runner was imported.
            ModelBehaviorError: The arguments are not what the tool takes.
            AgentToolPausedError: A call inside the agent's run waits for a person.
        """
        if self._run is None:
            raise UserError(
                f"The agent {spec.agent.name!r} is used as a tool, and nothing here can run an "
                "agent. Import handfast, whose Runner does.",
            )
        return await self._run(spec, context, await spec.read(arguments, tool_name))


AGENT_TOOLS = AgentToolPort()
"""The port of this process."""


def _check_stream(listener: object, most: int | None) -> None:
    if listener is not None and not callable(listener):
        raise UserError(
            f"on_stream must be callable or None, not {type(listener).__name__}. A RunConfig is "
            "passed by name: run_config=...",
        )
    if most is not None and most <= 0:
        raise UserError(
            f"on_stream_max_pending_events must be a positive integer or None, not {most!r}.",
        )


def _require_input(given: object) -> AgentToolInput:
    if isinstance(given, str):
        return given
    if isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        return cast("Sequence[InputItem]", given)
    raise UserError(
        f"An input_builder must return a str or a list of input items, not {type(given).__name__}.",
    )
