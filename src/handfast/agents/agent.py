"""`Agent`: instructions, tools and handoffs under a name. A value: the runner runs it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeAlias, cast

from typing_extensions import TypeIs

from handfast.agents.agent_fields import check_fields, model_settings_of
from handfast.agents.agent_tool import (
    DEFAULT_STREAM_EVENTS,
    AgentToolSpec,
    OutputExtractor,
    StreamListener,
)
from handfast.agents.agent_tool_handler import AgentToolHandler
from handfast.agents.agent_tool_input import InputBuilder, input_adapter
from handfast.agents.context import RunContextWrapper, TContext
from handfast.agents.guardrail import InputGuardrail, OutputGuardrail
from handfast.agents.handoff import Handoff, handoff
from handfast.agents.hooks import AgentHooksBase, RunHooksBase
from handfast.agents.hosted_tool import HostedTool
from handfast.agents.model import Model
from handfast.agents.model_settings import ModelSettings
from handfast.agents.names import function_name
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.prompt import DynamicPromptFunction, Prompt, prompt_of
from handfast.agents.together import gather_all
from handfast.agents.tool import (
    FunctionTool,
    Tool,
    ToolEnabled,
    ToolErrorFunction,
    ToolNeedsApproval,
    is_enabled,
    run_tool_error_function,
)
from handfast.agents.tool_use import ToolUseBehavior
from handfast.errors import UserError


class ToolServer(Protocol):
    """A server that offers tools, an MCP server for one."""

    @property
    def name(self) -> str:
        """What to call it."""
        ...

    async def list_function_tools(
        self,
        context: RunContextWrapper,
        agent: AgentBase,
    ) -> list[FunctionTool]:
        """Its tools, for this agent now."""
        ...


AnyAgent: TypeAlias = "Agent"
"""An agent of any context."""

Instructions: TypeAlias = (
    str | Callable[[RunContextWrapper[TContext], Any], str | Awaitable[str | None] | None]
)
"""Text, or `(context, agent)`, sync or async."""

DynamicPrompt: TypeAlias = Mapping[str, object] | Prompt | DynamicPromptFunction
"""A stored prompt, or a function of `GenerateDynamicPromptData` that names one, sync or async."""


# Functions, because a type checker knows their element type and calling `list[Tool]` costs more.
def _no_tools() -> list[Tool]:
    return []


def _no_servers() -> list[ToolServer]:
    return []


def _no_config() -> dict[str, object]:
    return {}


def _no_handoffs() -> list[AnyAgent | Handoff]:
    return []


def _no_input_guardrails() -> list[InputGuardrail]:
    return []


def _no_output_guardrails() -> list[OutputGuardrail]:
    return []


@dataclass(eq=False, repr=False)
class AgentBase(Generic[TContext]):
    """What agents of every kind have: a name, and tools. `Agent` is the kind that runs here."""

    name: str
    """What people call it, in any language."""
    handoff_description: str | None = None
    """What it is good at, for models that may hand over to it."""
    tools: list[Tool] = field(default_factory=_no_tools)
    """What its model may call."""
    mcp_servers: list[ToolServer] = field(default_factory=_no_servers)
    """Servers whose tools its model may call too; connecting them is the caller's business."""
    mcp_config: dict[str, object] = field(default_factory=_no_config)
    """How those servers' tools are offered."""

    def __setattr__(self, name: str, value: object) -> None:
        # Lists that are put in and taken out again leave no other trace for runs that share it.
        if name == "tools":
            vars(self)["_tools_set"] = self.tools_set + 1
        super().__setattr__(name, value)

    @property
    def tools_set(self) -> int:
        """How often `tools` was set: by it, a run notices that another has done so."""
        count: int = vars(self).get("_tools_set", 0)
        return count

    async def get_mcp_tools(self, run_context: RunContextWrapper[TContext]) -> list[Tool]:
        """The tools of its servers, in the order of the servers."""
        return [
            tool
            for server in self.mcp_servers
            for tool in await server.list_function_tools(run_context, self)
        ]

    async def get_all_tools(self, run_context: RunContextWrapper[TContext]) -> list[Tool]:
        """The tools that its model is offered now: its servers' and its own enabled ones."""
        # What is asked may change the list: those that were asked are those that are offered.
        tools = list(self.tools)
        asked = [tool for tool in tools if not isinstance(tool.is_enabled, bool)]
        off = {id(tool) for tool in tools if tool.is_enabled is False}
        said = await gather_all([is_enabled(tool, run_context, self) for tool in asked])
        off |= {id(tool) for tool, enabled in zip(asked, said, strict=True) if not enabled}
        own = [tool for tool in tools if id(tool) not in off]
        return [*await self.get_mcp_tools(run_context), *own]


@dataclass(eq=False, repr=False)
class Agent(AgentBase[TContext]):
    """A model with instructions, tools, and other agents that it may hand over to.

    Agents are equal only to themselves and may hand over in a circle.

    Raises:
        TypeError: A field, or an element of a list, has a type that cannot work; the message
            names the field.
    """

    instructions: Instructions[TContext] | None = None
    """The system prompt, or a function that makes it."""
    prompt: DynamicPrompt | None = None
    """A prompt that the provider stores; Responses endpoint only."""
    handoffs: list[Agent | Handoff[TContext]] = field(default_factory=_no_handoffs)
    """Who may go on with the conversation: agents, or `handoff()` objects for more control."""
    model: str | Model | None = None
    """The model or its name; None takes the run's or the provider's default."""
    model_settings: ModelSettings = field(default_factory=ModelSettings)
    """Settings of its model calls; a dict of them is taken too."""
    input_guardrails: list[InputGuardrail[TContext]] = field(default_factory=_no_input_guardrails)
    """Checks of the run's input, where this agent is the first."""
    output_guardrails: list[OutputGuardrail[TContext]] = field(
        default_factory=_no_output_guardrails
    )
    """Checks of the final output, where this agent gives it."""
    output_type: type[object] | AgentOutputSchemaBase | None = None
    """The type of its final output; None is text."""
    hooks: AgentHooksBase[TContext] | None = None
    """Told of what happens to this agent."""
    tool_use_behavior: ToolUseBehavior = "run_llm_again"
    """What happens after its function tools have answered."""
    reset_tool_choice: bool = True
    """Whether a forced tool choice is lifted once it has called a tool, so that it can end."""

    def __post_init__(self) -> None:
        self.model_settings = cast("ModelSettings", model_settings_of(self.model_settings))
        check_fields(self)
        if self.tools or self.handoffs or self.input_guardrails or self.output_guardrails:
            _check_elements(self)

    def __repr__(self) -> str:
        tools = [tool.name for tool in self.tools]
        receivers = [_receiver_name(target) for target in self.handoffs]
        return f"Agent(name={self.name!r}, tools={tools!r}, handoffs={receivers!r})"

    def clone(self, **changes: Any) -> Agent[TContext]:  # noqa: ANN401 - each field has its type
        """A copy with some fields replaced; lists that are not given stay the same lists."""
        return replace(self, **changes)

    async def get_system_prompt(self, run_context: RunContextWrapper[TContext]) -> str | None:
        """The instructions as text for this run.

        Raises:
            TypeError: The instructions cannot be called with exactly a context and an agent.
            UserError: They returned something else than text.
        """
        instructions = self.instructions
        if instructions is None or isinstance(instructions, str):
            return instructions
        _require_two_arguments("instructions", instructions)
        made: object = instructions(run_context, self)
        text = await cast("Awaitable[object]", made) if inspect.isawaitable(made) else made
        if text is not None and not isinstance(text, str):
            raise UserError(
                f"The instructions of {self.name!r} must return a str, not {type(text).__name__}.",
            )
        return text

    async def get_prompt(
        self,
        run_context: RunContextWrapper[TContext],
    ) -> Mapping[str, object] | None:
        """The stored prompt for this run.

        Raises:
            UserError: It, or what a function returned, is no mapping with an `id`.
        """
        return await prompt_of(self.prompt, run_context, self)

    def get_handoffs(self) -> list[Handoff]:
        """Its handoffs as `Handoff` objects, enabled or not.

        Raises:
            UserError: Something else was put into the list after the agent was made.
        """
        return [_handoff_of(self.name, target) for target in self.handoffs]

    def as_tool(  # noqa: PLR0913 - the SDK's signature
        self,
        tool_name: str | None = None,
        tool_description: str | None = None,
        custom_output_extractor: OutputExtractor | None = None,
        is_enabled: ToolEnabled = True,  # noqa: FBT002 - the SDK's signature
        on_stream: StreamListener | None = None,
        *,
        run_config: object = None,
        max_turns: int | None = None,
        hooks: RunHooksBase | None = None,
        previous_response_id: str | None = None,
        conversation_id: str | None = None,
        session: object = None,
        failure_error_function: ToolErrorFunction | None = run_tool_error_function,
        needs_approval: ToolNeedsApproval = False,
        parameters: type[object] | None = None,
        input_builder: InputBuilder | None = None,
        include_input_schema: bool = False,
        on_stream_max_pending_events: int | None = DEFAULT_STREAM_EVENTS,
    ) -> FunctionTool:
        """This agent as a tool: it gets an input, answers, and the caller goes on.

        Unlike a handoff, it does not see the conversation and does not take it over.

        Args:
            tool_name: The function's name; made from the agent's where not given.
            tool_description: What tells the model when to call it.
            custom_output_extractor: Makes the output from the agent's result. Without one it is
                the final output; where that is empty, and no output guardrail has judged it, the
                last words of the agent or of a tool that it called.
            is_enabled: Whether the model is offered it.
            on_stream: Is told the events of the agent's run, which is then streamed.
            run_config: The `RunConfig` of the agent's run; the caller's where not given.
            max_turns: Model calls of the agent's run.
            hooks: Hooks of the agent's run.
            previous_response_id: The response that the agent's run continues.
            conversation_id: The provider's conversation that it continues.
            session: The session of the agent's run; none where not given.
            failure_error_function: Makes the answer when the run fails; None ends the caller's.
            needs_approval: Whether a person has to approve a call.
            parameters: A pydantic model, dataclass or TypedDict for structured arguments.
            input_builder: Makes the agent's input from them.
            include_input_schema: Whether the agent is shown their schema.
            on_stream_max_pending_events: How many events may wait for a slow `on_stream`; one more
                ends the agent's run. None lets any number wait.

        Raises:
            UserError: `parameters` is no such type, `on_stream` cannot be called, or no event may
                wait for it.
            TypeError: `run_config` has settings that do not exist.
        """
        spec = AgentToolSpec(
            agent=self,
            adapter=input_adapter(parameters),
            custom_output_extractor=custom_output_extractor,
            max_turns=max_turns,
            run_config=run_config,
            hooks=hooks,
            session=session,
            previous_response_id=previous_response_id,
            conversation_id=conversation_id,
            on_stream=on_stream,
            on_stream_max_pending_events=on_stream_max_pending_events,
            input_builder=input_builder,
            include_input_schema=include_input_schema,
            structured=parameters is not None,
        )
        return _tool_of(
            spec, tool_name, tool_description, is_enabled, needs_approval, failure_error_function
        )


def _tool_of(  # noqa: PLR0917 - the second half of `as_tool`
    spec: AgentToolSpec,
    name: str | None,
    description: str | None,
    is_enabled: ToolEnabled,
    needs_approval: ToolNeedsApproval,
    failure_error_function: ToolErrorFunction | None,
) -> FunctionTool:
    agent = spec.agent
    return FunctionTool(
        name=name or function_name("", agent.name),
        description=description or agent.handoff_description or "",
        params_json_schema=dict(spec.schema),
        on_invoke_tool=AgentToolHandler(spec),
        is_enabled=is_enabled,
        needs_approval=needs_approval,
        failure_error_function=failure_error_function,
        agent_tool=spec,
        schema_is_strict=True,
    )


def _check_elements(agent: AnyAgent) -> None:
    for name, element, hint in _ELEMENTS:
        for position, value in enumerate(getattr(agent, name)):
            if not isinstance(value, element) and not _is_tool_like(name, value):
                raise TypeError(
                    f"Agent {name}[{position}] must be {hint}, got {type(value).__name__}",
                )


def _is_tool_like(field_name: str, value: object) -> bool:
    """True for somebody else's tool: a thing with a name that is no agent."""
    named = isinstance(getattr(value, "name", None), str)
    return field_name == "tools" and named and not isinstance(value, AgentBase)


def _receiver_name(target: object) -> str:
    return target.agent_name if isinstance(target, Handoff) else getattr(target, "name", "?")


def _handoff_of(owner: str, target: object) -> Handoff:
    if _is_handoff(target):
        return target
    if is_agent(target):
        return handoff(target)
    raise UserError(f"Agent {owner!r} hands off to {target!r}; it must be an Agent or a Handoff.")


def _is_handoff(value: object) -> TypeIs[Handoff]:
    return isinstance(value, Handoff)


def is_agent(value: object) -> TypeIs[AnyAgent]:
    """True for an agent of any context."""
    return isinstance(value, Agent)


def _require_two_arguments(name: str, function: Callable[..., object]) -> None:
    try:
        inspect.signature(function).bind(None, None)
    except ValueError:  # some built-in callables do not tell
        return
    except TypeError:
        parameters = list(inspect.signature(function).parameters)
        raise TypeError(
            f"'{name}' callable must accept exactly 2 arguments (context, agent), "
            f"but got {len(parameters)}: {parameters}",
        ) from None


_ELEMENTS: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("tools", (FunctionTool, HostedTool), "a tool; make one of a function with function_tool"),
    ("handoffs", (Agent, Handoff), "an Agent or a Handoff; make one with handoff()"),
    ("input_guardrails", InputGuardrail, "an InputGuardrail; make one with @input_guardrail"),
    ("output_guardrails", OutputGuardrail, "an OutputGuardrail; make one with @output_guardrail"),
)
