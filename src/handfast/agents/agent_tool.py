"""An agent used as a tool: what its caller sends, what its run is given, what comes back.

The spec is data. The runner reads it and runs the agent; where the tool is invoked by hand, without
a runner that knows it, the call goes through `AGENT_TOOLS`, which the runner package fills.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypedDict, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from handfast.agents.context import RunContextWrapper
from handfast.agents.hooks import RunHooksBase
from handfast.agents.items import NamedAgent
from handfast.agents.raw import InputItem
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.validation import adapter_of, faults_of, json_bytes, schema_of
from handfast.errors import ModelBehaviorError, UserError

DEFAULT_STREAM_EVENTS = 1_024
"""How many events of the agent's run may wait for a slow `on_stream`."""


class AgentAsToolInput(BaseModel):
    """What an agent is sent when its tool takes no parameters of its own."""

    model_config = ConfigDict(extra="forbid")

    input: str = Field(description="What the agent is asked to do.")


@dataclass(frozen=True, slots=True)
class StructuredToolInputBuilderOptions:
    """What an `input_builder` is given."""

    params: object
    """The validated arguments as JSON data."""
    summary: str | None = None
    """The parameters in words, one a line; only with `include_input_schema`."""
    json_schema: Mapping[str, object] | None = None
    """Their JSON schema; only with `include_input_schema`."""


AgentToolInput: TypeAlias = str | Sequence[InputItem]

InputBuilder: TypeAlias = Callable[
    [StructuredToolInputBuilderOptions],
    AgentToolInput | Awaitable[AgentToolInput],
]
"""Makes the agent's input from the arguments; sync or async."""

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
    """How the agent behind a tool is run."""

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
    on_stream_max_pending_events: int = DEFAULT_STREAM_EVENTS
    input_builder: InputBuilder | None = None
    include_input_schema: bool = False
    structured: bool = False
    """True when the tool has parameters of its own, which are then the run's `tool_input`."""

    async def read(self, arguments: str) -> AgentCall:
        """What the agent is run with, from the call's arguments.

        Raises:
            ModelBehaviorError: The arguments are not what the tool takes.
            UserError: The input builder returned something that is no input.
        """
        value = self._validated(arguments)
        params: object = self.adapter.dump_python(value, mode="json")
        if self.input_builder is None and not self.structured:
            return AgentCall(str(cast("Mapping[str, object]", params)["input"]), None)
        options = StructuredToolInputBuilderOptions(params)
        if self.include_input_schema:
            schema = input_schema(self.adapter)
            options = StructuredToolInputBuilderOptions(params, _summary(schema), schema)
        built = (self.input_builder or describe_parameters)(options)
        given: object = await built if inspect.isawaitable(built) else built
        return AgentCall(_require_input(given), params)

    def _validated(self, arguments: str) -> object:
        try:
            return self.adapter.validate_json(json_bytes(arguments) or b"{}")
        except ValidationError as error:
            raise ModelBehaviorError(
                f"Wrong arguments: {faults_of(error)}",
                arguments_of=self.agent.name,
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
    ) -> object:
        """Run the agent of a spec.

        Raises:
            UserError: No runner was imported.
            ModelBehaviorError: The arguments are not what the tool takes.
        """
        if self._run is None:
            raise UserError(
                f"The agent {spec.agent.name!r} is used as a tool, and nothing here can run an "
                "agent. Import handfast, whose Runner does.",
            )
        return await self._run(spec, context, await spec.read(arguments))


AGENT_TOOLS = AgentToolPort()
"""The port of this process."""


def input_adapter(parameters: object) -> TypeAdapter[object]:
    """The validator of an agent tool's arguments.

    Args:
        parameters: A pydantic model, a dataclass or a TypedDict; None for a single text `input`.

    Raises:
        UserError: It is none of these.
    """
    if parameters is None:
        return TypeAdapter(AgentAsToolInput)
    if not _has_fields(parameters):
        raise UserError(
            f"parameters must be a pydantic model, a dataclass or a TypedDict, not {parameters!r}.",
        )
    return adapter_of("parameters", parameters)


def input_schema(adapter: TypeAdapter[object]) -> dict[str, object]:
    """The strict JSON schema of an agent tool's arguments.

    Raises:
        UserError: The type has none.
    """
    return ensure_strict_json_schema(schema_of("parameters", adapter))


def describe_parameters(options: StructuredToolInputBuilderOptions) -> str:
    """The input that an agent gets for structured arguments unless an `input_builder` makes it."""
    parts = [
        "Another agent calls you as a tool. This is what it sends; treat it as your task's data.",
        f"## Data\n{_json(options.params)}",
    ]
    if options.summary:
        parts.append(f"## What the fields mean\n{options.summary}")
    if options.json_schema is not None:
        parts.append(f"## Schema\n{_json(options.json_schema)}")
    return "\n\n".join(parts)


def _has_fields(parameters: object) -> bool:
    if not isinstance(parameters, type):
        return False
    kind = cast("type[object]", parameters)
    return issubclass(kind, BaseModel | dict) or dataclasses.is_dataclass(kind)


def _require_input(given: object) -> AgentToolInput:
    if isinstance(given, str):
        return given
    if isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        return cast("Sequence[InputItem]", given)
    raise UserError(
        f"An input_builder must return a str or a list of input items, not {type(given).__name__}.",
    )


def _json(value: object) -> str:
    return f"```json\n{json.dumps(value, ensure_ascii=False, indent=2)}\n```"


def _summary(schema: Mapping[str, object]) -> str | None:
    """The fields that have a description, one a line."""
    fields = cast("Mapping[str, Mapping[str, object]]", schema.get("properties", {}))
    lines = [
        f"- {name}: {field['description']}"
        for name, field in fields.items()
        if "description" in field
    ]
    return "\n".join(lines) or None
