"""`RunConfig`: what a user sets for one run, whichever agents take part."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from handfast.agents.context import RUN_CONFIGS, RunContextWrapper, ToolContext
from handfast.agents.guardrail import InputGuardrail, OutputGuardrail
from handfast.agents.handoff import HandoffHistoryMapper, HandoffInputFilter
from handfast.agents.items import ToolApprovalItem
from handfast.agents.json_types import is_object
from handfast.agents.model import Model, ModelProvider
from handfast.agents.model_settings import ModelSettings
from handfast.agents.nested_history import require_wrappers
from handfast.agents.raw import InputItem
from handfast.agents.session import SessionSettings, settings_of
from handfast.boundary.authorize import Boundary
from handfast.errors import UserError
from handfast.models.provider import MultiProvider
from handfast.runner.formatting import (
    NO_STAND_IN,
    ToolErrorFormatter,
    ToolErrorFormatterArgs,
    ToolErrorKind,
)
from handfast.runner.keeping import SessionInputCallback
from handfast.tracing.traces import TracingConfig

logger = logging.getLogger("handfast")

DEFAULT_MAX_TURNS = 10


TRACED = "OPENAI_AGENTS_TRACE_INCLUDE_SENSITIVE_DATA"
"""The environment variable that says whether spans hold what models and tools were given."""


def traces_tell_everything() -> bool:
    """What the environment says; true where it says nothing."""
    return os.environ.get(TRACED, "true").strip().lower() in {"1", "true", "yes", "on"}


@dataclass
class ModelInputData:
    """What a model is about to be shown."""

    input: list[InputItem]
    instructions: str | None


@dataclass
class CallModelData:
    """What a `call_model_input_filter` is given."""

    model_data: ModelInputData
    agent: Any
    """The agent whose model is about to be called."""
    context: Any
    """The user's context object."""


CallModelInputFilter: TypeAlias = Callable[
    [CallModelData],
    ModelInputData | Awaitable[ModelInputData],
]
"""Edits what a model is shown, for this call only; sync or async."""

ToolNotFoundBehavior: TypeAlias = Literal["return_error_to_model", "raise_error"]
"""What a call of a tool that does not exist does: the model is told, or the run ends."""

ToolNameCollisionPolicy: TypeAlias = Literal["warn", "error"]
"""What two tools of one name mean."""

Approver: TypeAlias = Callable[
    [RunContextWrapper[Any], ToolApprovalItem],
    bool | Awaitable[bool | None] | None,
]
"""Asks a person at once: True approves, False rejects, None leaves the run waiting."""


@dataclass
class ToolExecutionConfig:
    """How the tools of one turn run.

    Raises:
        ValueError: The limit is below 1, or the flag is no bool.
    """

    max_function_tool_concurrency: int | None = None
    """How many function tools of a turn may run at once; None starts all of them."""
    pre_approval_tool_input_guardrails: bool = False
    """True asks a tool's input guardrails before a person is asked about the call, and again
    before it runs: what they refuse reaches nobody."""

    def __post_init__(self) -> None:
        limit = self.max_function_tool_concurrency
        if limit is not None and limit < 1:
            raise ValueError("tool_execution.max_function_tool_concurrency must be at least 1")
        if type(self.pre_approval_tool_input_guardrails) is not bool:
            raise ValueError("tool_execution.pre_approval_tool_input_guardrails must be a bool")

    @classmethod
    def of(cls, given: ToolExecutionConfig | Mapping[str, Any]) -> ToolExecutionConfig:
        """The settings that a user gave in one of the accepted forms.

        Raises:
            TypeError: It is neither, or the mapping has keys that are no settings.
        """
        if isinstance(given, ToolExecutionConfig):
            return given
        return cls(**_known(given, cls, "run_config.tool_execution"))


@dataclass
class RunConfig:
    """Settings of a run."""

    model: str | Model | None = None
    """Used by every agent of the run, whatever it names itself."""
    model_provider: ModelProvider = field(default_factory=MultiProvider)
    """Finds a model by its name."""
    model_settings: ModelSettings | None = None
    """Set over each agent's own settings."""
    handoff_input_filter: HandoffInputFilter | None = None
    """For handoffs that have no filter of their own."""
    nest_handoff_history: bool = False
    """Tell a receiver what came before instead of replaying it, where no filter is set."""
    handoff_history_mapper: HandoffHistoryMapper | None = None
    """Makes a receiver's input from the flat conversation, in place of the nesting that we have."""
    input_guardrails: list[InputGuardrail[Any]] | None = None
    """Checks of the input, beside those of the first agent."""
    output_guardrails: list[OutputGuardrail[Any]] | None = None
    """Checks of the final output, beside those of the last agent."""
    tracing_disabled: bool = False
    """Spans are only ever given to processors that the program adds; nothing leaves by default."""
    tracing: TracingConfig | None = None
    trace_include_sensitive_data: bool = field(default_factory=traces_tell_everything)
    """Whether spans hold inputs and outputs of models and tools; where not given, the environment
    variable `OPENAI_AGENTS_TRACE_INCLUDE_SENSITIVE_DATA` decides, and true without it."""
    workflow_name: str = "Agent workflow"
    trace_id: str | None = None
    group_id: str | None = None
    trace_metadata: Mapping[str, object] | None = None
    session_input_callback: SessionInputCallback | None = None
    """Makes the conversation out of a session's history and the new input."""
    call_model_input_filter: CallModelInputFilter | None = None
    tool_error_formatter: ToolErrorFormatter | None = None
    """Words what a model is told of calls that a person rejected, that name no tool, or that
    failed in a tool without a failure function of its own."""
    session_settings: SessionSettings | None = None
    """How much of a session the run is shown, over the session's own settings; a dict of them is
    taken too."""
    reasoning_item_id_policy: Literal["preserve", "omit"] | None = None
    """Whether reasoning items go back to a model with the provider's id; None preserves it."""
    sandbox: None = None
    """Where the SDK has its hosted sandboxes. handfast has none; anything but None is refused."""
    tool_execution: ToolExecutionConfig | None = None
    """How the tools of one turn run; a dict of its fields is taken too."""
    tool_not_found_behavior: ToolNotFoundBehavior | None = None
    """A call of a tool that does not exist is answered, or ends the run. None answers names that
    the model made up with the nearest there are, and ends a run whose tool the program took away
    while the call waited."""
    tool_name_collision_policy: ToolNameCollisionPolicy = "warn"
    """Two tools of one name: the later is offered with a warning, or the run is refused."""
    output_guardrail_blocked_message: None = None
    """Where the SDK has words that stand in for a rejected output. Here nothing does: a session has
    nothing of a turn whose output was rejected. Anything but None is refused."""
    multiple_handoffs: Literal["first", "error", "all"] = "first"
    """Several handoffs in one answer: the first runs and the others are told so; the run fails; or
    every receiver runs by itself, side by side, and the results come back to the agent."""
    max_turns_behavior: Literal["raise_error", "answer_without_tools"] = "raise_error"
    """When the turns are used up: fail, or ask once more for an answer without any tool."""
    handoff_json_repairs: int = 2
    """How often in a run a handoff's malformed arguments are given back to the model to repair."""
    output_repairs: int = 0
    """How often in a run an output that does not fit `output_type` is given back to the model."""
    boundary: Boundary = field(default_factory=Boundary.default)
    """Authorises every call."""
    approver: Approver | None = None
    """Asks a person at once about calls that need it; None returns the run with interruptions."""
    model_timeout: float | None = 600.0
    """Seconds for one model call where its settings say nothing."""
    tool_timeout: float | None = 3_600.0
    """Seconds for one tool call where the tool says nothing."""
    max_calls: int | None = 1_000
    """Tool calls over the whole run."""
    max_tokens: int | None = 10_000_000
    """Tokens over the whole run."""
    guardrail_timeout: float | None = 300.0
    """Seconds for one guardrail's verdict, of input, output or a tool; None sets no limit."""
    conversation_history_wrappers: tuple[str, str] | None = None
    """The lines before and after the records of nested history; None takes the process's, as
    `set_conversation_history_wrappers` left them."""

    @classmethod
    def of(cls, config: RunConfig | Mapping[str, Any] | None) -> RunConfig:
        """The config that a user gave in one of the accepted forms.

        Raises:
            TypeError: The mapping has keys that are no settings.
        """
        if config is None:
            return cls(model_provider=MultiProvider(keeps_connections=True))
        if isinstance(config, RunConfig):
            return config
        settings: dict[str, Any] = {
            "model_provider": MultiProvider(keeps_connections=True),
            **_known(config, cls, "run_config"),
        }
        return cls(**settings)

    @staticmethod
    def names_provider(config: object) -> bool:
        """False for settings, in one of the accepted forms, whose provider `of` makes."""
        return config is not None and (not is_object(config) or "model_provider" in config)

    def __post_init__(self) -> None:
        if self.tool_not_found_behavior not in {None, "return_error_to_model", "raise_error"}:
            raise UserError(
                "tool_not_found_behavior must be 'return_error_to_model' or 'raise_error', "
                f"not {self.tool_not_found_behavior!r}.",
            )
        if self.tool_name_collision_policy not in {"warn", "error"}:
            raise ValueError("tool_name_collision_policy must be either 'warn' or 'error'")
        if self.sandbox is not None:
            raise UserError(
                "RunConfig.sandbox: there are no hosted sandboxes here. A tool runs its commands "
                "with handfast.sandboxes.sandbox.choose_sandbox().",
            )
        if self.output_guardrail_blocked_message is not None:
            raise UserError(NO_STAND_IN)
        if self.handoff_input_filter is not None and not callable(self.handoff_input_filter):
            raise UserError(f"Invalid input filter: {self.handoff_input_filter!r} is not callable.")
        if self.conversation_history_wrappers is not None:
            require_wrappers(self.conversation_history_wrappers)
        self._read_mappings()

    def _read_mappings(self) -> None:
        """Take settings that were given as mappings of their fields."""
        model_settings: object = self.model_settings
        if is_object(model_settings):
            self.model_settings = ModelSettings.of(model_settings)
        if self.session_settings is not None:
            self.session_settings = settings_of(self.session_settings)
        if self.tool_execution is not None:
            self.tool_execution = ToolExecutionConfig.of(self.tool_execution)

    async def word_tool_error(self, ctx: ToolContext[Any], error: Exception, default: str) -> str:
        """What a model is told of a tool that failed."""
        return await self.word_answer(
            "tool_exception",
            ctx.tool_name,
            ctx.tool_call_id,
            default,
            ctx,
            error,
        )

    async def word_answer(  # noqa: PLR0917 - the fields of what a formatter is given
        self,
        kind: ToolErrorKind,
        tool_name: str,
        call_id: str,
        default: str,
        context: RunContextWrapper[Any],
        error: Exception | None = None,
    ) -> str:
        """What a model is told of a call that came to nothing, in the formatter's words.

        A formatter that fails, or says nothing that is text, leaves the default.
        """
        if self.tool_error_formatter is None:
            return default
        args = ToolErrorFormatterArgs(kind, "function", tool_name, call_id, default, context, error)
        try:
            said: Any = self.tool_error_formatter(args)
            if inspect.isawaitable(said):
                said = await said
        except Exception:  # the edge to user code: the model must get an answer all the same
            logger.exception("tool_error_formatter failed; the model is told the default")
            return default
        return said if isinstance(said, str) else default


def _known(given: object, cls: type[Any], name: str) -> Mapping[str, Any]:
    """A mapping of settings, none of them unknown."""
    if not is_object(given):
        raise TypeError(f"{name} must be a {cls.__name__} or a dict, not {type(given).__name__}.")
    unknown = sorted(given.keys() - {each.name for each in fields(cls)})
    if unknown:
        raise TypeError(f"Unknown {name} settings: {', '.join(unknown)}")
    return given


RUN_CONFIGS.register(RunConfig.of)
