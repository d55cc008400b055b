"""What user code is handed: the run's context object, its usage, and the decisions about calls.

The context never goes to a model. Tools, hooks, guardrails, instructions and filters of one run
all get a wrapper around the same object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import TypeVar

from handfast.agents.approval import Approvals, Decision
from handfast.agents.json_types import is_object
from handfast.agents.usage import Usage
from handfast.errors import UserError

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
        """True or False as it was decided, None while nobody has."""
        return self.get_approval_status(tool_name, call_id)

    def get_approval_status(
        self,
        tool_name: str,
        call_id: str,
        *,
        agent: str | None = None,
        arguments: str | None = None,
        existing_pending: object | None = None,
    ) -> bool | None:
        """The decision about a call.

        Args:
            tool_name: The tool's public name.
            call_id: The call.
            agent: The calling agent's name, to leave out decisions made for another one.
            arguments: The call's JSON text, to leave out decisions made about other arguments.
            existing_pending: The item that waits, whose tool name is tried as well.

        Returns:
            True when approved, False when rejected, None when nobody has decided.
        """
        found = self.approvals.decision_for(tool_name, call_id, agent=agent, arguments=arguments)
        if found is None and existing_pending is not None:
            other = _attribute(existing_pending, "tool_name", "name")
            if other is not None and other != tool_name:
                found = self.approvals.decision_for(
                    other,
                    call_id,
                    agent=agent,
                    arguments=arguments,
                )
        return None if found is None else found.approved

    def get_rejection_message(
        self,
        tool_name: str,
        call_id: str,
        *,
        agent: str | None = None,
    ) -> str | None:
        """What the person said when refusing the call; None for nothing, or no refusal."""
        found = self.approvals.decision_for(tool_name, call_id, agent=agent)
        return None if found is None or found.approved else found.message

    def _decide(
        self,
        item: object,
        *,
        approved: bool,
        always: bool,
        message: str | None = None,
    ) -> None:
        tool_name = _attribute(item, "tool_name", "name")
        call_id = _attribute(item, "call_id", "id")
        if tool_name is None or call_id is None:
            raise UserError(
                "Only a ToolApprovalItem from result.interruptions can be approved or rejected; "
                f"this {type(item).__name__} names no tool or no call.",
            )
        agent = getattr(getattr(item, "agent", None), "name", None)
        owner = agent if isinstance(agent, str) else None
        arguments = _attribute(item, "arguments")
        self.approvals.record(Decision(tool_name, call_id, approved, owner, arguments, message))
        if always:
            self.approvals.record(Decision(tool_name, None, approved, owner, None, message))


@dataclass(eq=False)
class AgentHookContext(RunContextWrapper[TContext]):
    """The context that hooks get when an agent starts or ends."""


@dataclass(eq=False)
class ToolContext(RunContextWrapper[TContext]):
    """The context of one tool call."""

    tool_name: str = field(kw_only=True)
    """The tool's public name."""
    tool_call_id: str = field(kw_only=True)
    """The id of the call."""
    tool_arguments: str = field(kw_only=True)
    """The arguments as the model wrote them, JSON text."""
    tool_call: object | None = field(default=None, kw_only=True)
    """The provider's form of the call."""
    agent: object | None = field(default=None, kw_only=True)
    """The agent that calls."""
    run_config: object | None = field(default=None, kw_only=True)
    """The `RunConfig` of the run."""
    tool_namespace: str | None = field(default=None, kw_only=True)
    """The namespace that the call named, None for most."""
    failure: BaseException | None = field(default=None, kw_only=True)
    """What went wrong in the call and was answered with a text; None while nothing did."""

    @property
    def qualified_tool_name(self) -> str:
        """The tool's name with its namespace before a dot, where it has one."""
        return f"{self.tool_namespace}.{self.tool_name}" if self.tool_namespace else self.tool_name

    @classmethod
    def from_agent_context(
        cls,
        context: RunContextWrapper[TContext],
        tool_call_id: str,
        tool_call: object | None = None,
        agent: object | None = None,
        *,
        tool_name: str | None = None,
        tool_arguments: str | None = None,
        run_config: object | None = None,
    ) -> ToolContext[TContext]:
        """The context of a call within a run: shares the run's object, usage and decisions.

        Args:
            context: The run's context.
            tool_call_id: The id of the call.
            tool_call: The provider's form of it; names and arguments are read from it if need be.
            agent: The agent that calls.
            tool_name: The tool's public name.
            tool_arguments: JSON text.
            run_config: The `RunConfig` of the run.

        Raises:
            UserError: Neither the arguments nor the call name the tool.
        """
        name = tool_name if tool_name is not None else _attribute(tool_call, "name")
        if name is None:
            raise UserError("A ToolContext needs tool_name, or a tool_call that has a name.")
        if tool_arguments is None:
            tool_arguments = _attribute(tool_call, "arguments") or ""
        return cls(
            context.context,
            context.usage,
            context.turn_input,
            context.tool_input,
            context.approvals,
            tool_name=name,
            tool_call_id=tool_call_id,
            tool_arguments=tool_arguments,
            tool_call=tool_call,
            agent=agent,
            run_config=run_config,
        )


def _attribute(item: object, *names: str) -> str | None:
    """The first text found under one of the names, on the item or in the provider's form of it."""
    for source in (item, getattr(item, "raw_item", None)):
        for name in names:
            value: object = source.get(name) if is_object(source) else getattr(source, name, None)
            if isinstance(value, str) and value:
                return value
    return None
