"""What user code is handed: the run's context object, its usage, and the decisions about calls.

The context never goes to a model. Tools, hooks, guardrails, instructions and filters of one run
all get a wrapper around the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Generic

from typing_extensions import TypeVar

from handfast.agents.approval import Approvals, Decision, Question, owner_of
from handfast.agents.handed_over import HandedOver
from handfast.agents.input_items import own_id_of
from handfast.agents.json_types import is_object
from handfast.agents.usage import Usage
from handfast.errors import ModelBehaviorError, UserError

TContext = TypeVar("TContext", default=Any)
"""The type of the user's context object; `RunContextWrapper` without brackets takes any."""


@dataclass(eq=False)
class RunContextWrapper(Generic[TContext]):
    """The user's context object, with what a run knows about itself."""

    context: TContext
    """The object that was given to the run; None where none was."""
    usage: Usage = field(default_factory=Usage)
    """Requests and tokens of the run so far; in a streamed run it lags behind the stream."""
    turn_input: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])
    """The input items of the current turn."""
    tool_input: object | None = None
    """The structured input of an agent that is used as a tool, None otherwise."""
    approvals: Approvals = field(default_factory=Approvals, repr=False)
    """What people decided about this run's calls."""
    handed_over: HandedOver | None = field(default=None, repr=False)
    """The input of the handoff to the current agent, where it was to be delivered."""

    @property
    def handoff_input(self) -> object:
        """The typed input of the handoff that made this agent the current one.

        None unless that handoff has `deliver_input=True`.
        """
        return None if self.handed_over is None else self.handed_over.value

    def approve_tool(
        self,
        approval_item: object,
        always_approve: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> None:
        """Allow a call that waits.

        Args:
            approval_item: The `ToolApprovalItem` from `result.interruptions`.
            always_approve: Allow every later call of this tool by this agent in this run too.

        Raises:
            UserError: The item names no tool or no call.
        """
        self._decide(approval_item, approved=True, always=always_approve)

    def reject_tool(
        self,
        approval_item: object,
        always_reject: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        rejection_message: str | None = None,
    ) -> None:
        """Refuse a call that waits.

        Args:
            approval_item: The `ToolApprovalItem` from `result.interruptions`.
            always_reject: Refuse every later call of this tool by this agent in this run too.
            rejection_message: What the model is told instead of the default text.

        Raises:
            UserError: The item names no tool or no call.
        """
        self._decide(
            approval_item,
            approved=False,
            always=always_reject,
            message=rejection_message,
        )

    def is_tool_approved(self, tool_name: str, call_id: str) -> bool | None:
        """True or False as it was decided, None while nobody has, or agents differ in it.

        This is for showing. Whether a call may run depends on who calls with which arguments.
        """
        found = self.approvals.look_up(tool_name, call_id)
        return None if found is None else found.approved

    def get_approval_status(
        self,
        tool_name: str,
        call_id: str,
        *,
        agent: str | None = None,
        arguments: str | None = None,
        existing_pending: object | None = None,
        current_invocation: object | None = None,
    ) -> bool | None:
        """The decision about a call.

        Args:
            tool_name: The tool's public name.
            call_id: The call.
            agent: The calling agent's name, to leave out decisions made for another one.
            arguments: The call's JSON text, to leave out decisions made about other arguments.
            existing_pending: The item that waits, whose agent and tool name count as well.
            current_invocation: The `ToolApprovalItem` of the call as it is now; only a decision
                for that agent, with these arguments, counts.

        Returns:
            True when approved, False when rejected, None when nobody has decided.

        Raises:
            ModelBehaviorError: The agent's call of this id was decided about with another tool
                or other arguments.
        """
        if current_invocation is not None:
            asked = _question(current_invocation, tool_name, call_id)
            if self.approvals.bound_elsewhere(asked):
                raise ModelBehaviorError(
                    f"Call {call_id!r} was decided about with another tool or other arguments; "
                    "a call needs a unique call ID.",
                )
            found = self.approvals.find(asked)
            return None if found is None else found.approved
        found = self.approvals.find(Question(tool_name, call_id, agent, arguments))
        if found is None and existing_pending is not None:
            found = self._find_pending(existing_pending, tool_name, call_id)
        return None if found is None else found.approved

    def get_rejection_message(
        self,
        tool_name: str,
        call_id: str,
        *,
        agent: str | None = None,
        existing_pending: object | None = None,
    ) -> str | None:
        """What the person said when refusing the call; None for nothing, or no refusal.

        Args:
            tool_name: The tool's public name.
            call_id: The call.
            agent: The calling agent's name, to leave out decisions made for another one.
            existing_pending: The item that waits, whose agent and tool name count as well.
        """
        if existing_pending is not None:
            found = self._find_pending(existing_pending, tool_name, call_id)
        elif agent is None:
            found = self.approvals.look_up(tool_name, call_id)
        else:
            found = self.approvals.find(Question(tool_name, call_id, agent))
        return None if found is None or found.approved else found.message

    def _find_pending(self, item: object, tool_name: str, call_id: str) -> Decision | None:
        names = dict.fromkeys((tool_name, _attribute(item, "tool_name", "name") or tool_name))
        found = (self.approvals.find(_question(item, name, call_id)) for name in names)
        return next((each for each in found if each is not None), None)

    def _decide(
        self,
        item: object,
        *,
        approved: bool,
        always: bool,
        message: str | None = None,
    ) -> None:
        tool_name = _attribute(item, "tool_name", "name")
        call_id = _call_id(item)
        if tool_name is None or call_id is None:
            raise UserError(
                "Only a ToolApprovalItem from result.interruptions can be approved or rejected; "
                f"this {type(item).__name__} names no tool or no call.",
            )
        asked = _question(item, tool_name, call_id)
        scope = _attribute(item, "call_scope") or ""
        decision = Decision(
            tool_name,
            call_id,
            approved,
            asked.agent,
            asked.arguments,
            message,
            asked.owner,
            scope,
            asked.namespace,
            asked.item_id,
        )
        self.approvals.record(decision)
        if always:
            self.approvals.record(
                replace(decision, call_id=None, arguments=None, scope="", item_id=None)
            )


@dataclass(eq=False)
class AgentHookContext(RunContextWrapper[TContext]):
    """The context that hooks get when an agent starts or ends."""


class _Missing:
    """Stands for an argument that was not given."""


_MISSING = _Missing()


@dataclass(eq=False, init=False, kw_only=True)
class ToolContext(RunContextWrapper[TContext]):
    """The context of one tool call.

    Raises:
        ValueError: The tool's name, the call's id or its arguments are missing.
    """

    tool_name: str
    """The tool's public name."""
    tool_call_id: str
    """The id of the call."""
    tool_arguments: str
    """The arguments as the model wrote them, JSON text."""
    tool_call: object | None
    """The provider's form of the call."""
    agent: Any
    """The agent that calls."""
    run_config: Any
    """The `RunConfig` of the run."""
    tool_namespace: str | None
    """The namespace that the call named, None for most."""
    failure: BaseException | None
    """What went wrong in the call and was answered with a text; None while nothing did."""
    custom_data: Any
    """What the tool keeps for the program with the output's item; never shown to a model."""

    def __init__(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        context: TContext,
        usage: Usage | _Missing = _MISSING,
        tool_name: str | _Missing = _MISSING,
        tool_call_id: str | _Missing = _MISSING,
        tool_arguments: str | _Missing = _MISSING,
        tool_call: object | None = None,
        *,
        tool_namespace: str | None = None,
        agent: object | None = None,
        run_config: object | None = None,
        turn_input: list[Mapping[str, object]] | None = None,
        tool_input: object | None = None,
        approvals: Approvals | None = None,
    ) -> None:
        super().__init__(
            context,
            Usage() if isinstance(usage, _Missing) else usage,
            [] if turn_input is None else turn_input,
            tool_input,
            Approvals() if approvals is None else approvals,
        )
        self.tool_name = _given("tool_name", tool_name)
        self.tool_call_id = _given("tool_call_id", tool_call_id)
        self.tool_arguments = _given("tool_arguments", tool_arguments)
        self.tool_call = tool_call
        self.agent = agent
        self.run_config = RUN_CONFIGS.read(run_config)
        self.tool_namespace = tool_namespace or _attribute(tool_call, "namespace")
        self.failure = None
        self.custom_data = None

    @property
    def qualified_tool_name(self) -> str:
        """The tool's name with its namespace before a dot, where it has one of another name."""
        namespace = self.tool_namespace
        plain = namespace is None or namespace == self.tool_name
        return self.tool_name if plain else f"{namespace}.{self.tool_name}"

    @classmethod
    def from_agent_context(  # noqa: PLR0913 - the SDK's signature
        cls,
        context: RunContextWrapper[TContext],
        tool_call_id: str,
        tool_call: object | None = None,
        agent: object | None = None,
        *,
        tool_name: str | None = None,
        tool_arguments: str | None = None,
        tool_namespace: str | None = None,
        run_config: object | None = None,
    ) -> ToolContext[TContext]:
        """The context of a call within a run: shares the run's object, usage and decisions.

        Args:
            context: The run's context, or that of another call.
            tool_call_id: The id of the call.
            tool_call: The provider's form of it; names and arguments are read from it if need be.
            agent: The agent that calls; that of the other call where not given.
            tool_name: The tool's public name.
            tool_arguments: JSON text.
            tool_namespace: The namespace that the call named.
            run_config: The `RunConfig` of the run; that of the other call where not given.

        Raises:
            ValueError: Neither the arguments nor the call name the tool.
        """
        name = tool_name if tool_name is not None else _attribute(tool_call, "name")
        if name is None:
            raise ValueError("A ToolContext needs tool_name, or a tool_call that has a name.")
        if tool_arguments is None:
            tool_arguments = _attribute(tool_call, "arguments") or ""
        if isinstance(context, ToolContext):
            agent = context.agent if agent is None else agent
            run_config = context.run_config if run_config is None else run_config
        made = cls(
            context.context,
            context.usage,
            name,
            tool_call_id,
            tool_arguments,
            tool_call,
            tool_namespace=tool_namespace,
            agent=agent,
            run_config=run_config,
            turn_input=context.turn_input,
            tool_input=context.tool_input,
            approvals=context.approvals,
        )
        made.handed_over = context.handed_over
        return made

    def to_run_context(self) -> RunContextWrapper[TContext]:
        """The run's context alone, for code that is not to know of the call."""
        return RunContextWrapper(
            self.context,
            self.usage,
            self.turn_input,
            self.tool_input,
            self.approvals,
            self.handed_over,
        )


class RunConfigPort:
    """Where the runner package registers what reads a `RunConfig` out of a mapping."""

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: Callable[[Mapping[str, Any]], object] | None = None

    def register(self, read: Callable[[Mapping[str, Any]], object]) -> None:
        """Use this from now on."""
        self._read = read

    def read(self, given: object) -> object:
        """The config that was given; a mapping is read where a runner was imported.

        Raises:
            TypeError: The mapping has keys that are no settings.
        """
        return self._read(given) if self._read is not None and is_object(given) else given


RUN_CONFIGS = RunConfigPort()
"""The port of this process."""


def _given(name: str, value: str | _Missing) -> str:
    if isinstance(value, _Missing):
        raise ValueError(f"A ToolContext needs {name}.")  # noqa: TRY004 - nothing was given
    return value


def _question(item: object, tool_name: str, call_id: str) -> Question:
    """The call that an item asks about."""
    agent: object = getattr(item, "agent", None)
    name = getattr(agent, "name", None)
    return Question(
        tool_name,
        call_id,
        name if isinstance(name, str) else None,
        _attribute(item, "arguments"),
        None if agent is None else owner_of(agent),
        _attribute(item, "server_label", "tool_namespace", "namespace"),
        own_id_of(getattr(item, "raw_item", None), call_id),
    )


def _call_id(item: object) -> str | None:
    """The id that a decision is bound to.

    Raises:
        ModelBehaviorError: The provider's form has an id of its own, and none of the call.
    """
    call_id = _attribute(item, "call_id")
    raw: object = getattr(item, "raw_item", None)
    kind: object = raw.get("type") if is_object(raw) else getattr(raw, "type", None)
    own = None if raw is None else _attribute(SimpleNamespace(raw_item=raw), "call_id")
    if kind in {None, "mcp_approval_request"}:
        return call_id or _attribute(item, "id")
    if own is None and call_id is not None:
        raise ModelBehaviorError(
            f"A {kind} without call_id has no canonical invocation identity, and no decision can "
            "be bound to it.",
        )
    return call_id


def _attribute(item: object, *names: str) -> str | None:
    """The first text found under one of the names, on the item or in the provider's form of it."""
    for source in (item, getattr(item, "raw_item", None)):
        for name in names:
            value: object = source.get(name) if is_object(source) else getattr(source, name, None)
            if isinstance(value, str) and value:
                return value
    return None
