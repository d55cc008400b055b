"""`RunState`: a run as a value that a program stores, decides about, and resumes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Literal, Protocol, Self

from typing_extensions import TypeVar

from handfast.agents.agent import AnyAgent
from handfast.agents.catalog import Catalog, catalog_behind
from handfast.agents.context import RunContextWrapper
from handfast.agents.input_items import input_to_items, items_to_wire
from handfast.agents.items import ToolApprovalItem
from handfast.agents.json_types import is_object
from handfast.agents.raw import InputItem
from handfast.agents.tool_origin import ToolOrigin
from handfast.core.items import Call
from handfast.core.loop import start
from handfast.core.state import Acting, Done, Paused, Stopped, Unapproved
from handfast.core.state import RunState as CoreState
from handfast.core.usage import Limits
from handfast.errors import UserError
from handfast.runner.checkpoint import Checkpoint
from handfast.runner.config import DEFAULT_MAX_TURNS
from handfast.runner.server_conversation import ServerConversation
from handfast.runner.stored_run import read_run, require_distinct, stored_run
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import Trace

TContext = TypeVar("TContext", default=Any)
TAgent = TypeVar("TAgent", bound=AnyAgent, default=AnyAgent)

ReasoningItemIdPolicy = Literal["preserve", "omit"]


class Followed(Protocol):
    """A run that a value of this module goes with."""

    @property
    def going(self) -> bool:
        """True while somebody drives it."""
        ...

    def checkpoint(self) -> Checkpoint:
        """Where it is now."""
        ...


class RunState(Generic[TContext, TAgent]):
    """A run that has not ended, or has, with what people decided about it.

    Get one from `result.to_state()`, or from storage with `from_json`; pass it to `Runner.run` in
    place of an input to go on. The value then follows that run: when it fails, the same value can
    be passed again, and no call that was started is run a second time.

    Args:
        context: The run's context.
        original_input: What the run begins with.
        starting_agent: The agent that it begins with.
        max_turns: How many model calls it may take; None sets no limit.
        conversation_id: A conversation that the provider keeps.
        previous_response_id: A response that the provider keeps, which the run continues.
        auto_previous_response_id: Let the provider keep the run's own responses.
    """

    def __init__(
        self,
        context: RunContextWrapper[TContext],
        original_input: str | Sequence[InputItem],
        starting_agent: TAgent,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        *,
        conversation_id: str | None = None,
        previous_response_id: str | None = None,
        auto_previous_response_id: bool = False,
    ) -> None:
        checks = starting_agent.input_guardrails
        core, _ = start(
            Catalog(starting_agent).key_of(starting_agent),
            input_to_items(original_input),
            limits=Limits(max_turns),
            checks_before=any(not each.run_in_parallel for each in checks),
            checks_beside=any(each.run_in_parallel for each in checks),
        )
        kept_by_provider = conversation_id or previous_response_id or auto_previous_response_id
        server = ServerConversation(
            previous_response_id,
            conversation_id,
            auto_previous_response_id,
        )
        self._begin(
            Checkpoint(core, server=server if kept_by_provider else None),
            starting_agent,
            context,
        )

    @classmethod
    def at(
        cls,
        checkpoint: Checkpoint,
        first: TAgent,
        context: RunContextWrapper[TContext],
    ) -> Self:
        """A run at a checkpoint, with decisions and counts of its own.

        Args:
            checkpoint: Where the run is.
            first: The agent that it began with.
            context: Its context.
        """
        made = cls.__new__(cls)
        own = checkpoint.copy()
        # Two copies of a paused run do not mix.
        wrapper = RunContextWrapper(
            context.context,
            copy.deepcopy(context.usage),
            list(context.turn_input),
            context.tool_input,
            context.approvals.copy(),
            context.handed_over,
        )
        made._begin(own, first, wrapper)  # noqa: SLF001 - its own class
        return made

    def _begin(
        self,
        checkpoint: Checkpoint,
        first: TAgent,
        context: RunContextWrapper[TContext],
    ) -> None:
        self._checkpoint = checkpoint
        self._followed: Followed | None = None
        self._first: TAgent = first
        self._context = context
        self.reasoning_item_id_policy: ReasoningItemIdPolicy | None = None
        """Whether reasoning goes back with the provider's id; None leaves it to the run config."""

    @property
    def checkpoint(self) -> Checkpoint:
        """Where the run is now."""
        if self._followed is not None:
            self._checkpoint = self._followed.checkpoint()
        return self._checkpoint

    @property
    def core(self) -> CoreState:
        """The run as the core knows it: plain frozen data."""
        return self.checkpoint.core

    @property
    def first_agent(self) -> TAgent:
        """The agent that the run began with."""
        return self._first

    @property
    def context_wrapper(self) -> RunContextWrapper[TContext]:
        """The run's context."""
        return self._context

    @property
    def trace(self) -> TraceState | None:
        """The trace that the run belongs to, for it to go on with."""
        return self.checkpoint.trace

    def set_trace(self, trace: Trace | None) -> None:
        """Let the run go on in a trace; None in none of its own."""
        self._set(replace(self.checkpoint, trace=TraceState.from_trace(trace)))

    def follow(self, run: Followed) -> None:
        """Be at the checkpoint of a run from now on, wherever that gets to."""
        self._followed = run

    def require_idle(self) -> None:
        """Refuse to go on while a run that was made of this value does so already.

        Raises:
            UserError: It does: both would make the same calls, and write the same turns.
        """
        if self._followed is None or not self._followed.going:
            return
        what = "pending Session write" if self.checkpoint.kept.pending else "run"
        raise UserError(
            f"This state's {what} is already in progress. Wait until that run has ended, or resume "
            "another copy of the state.",
        )

    def get_interruptions(self) -> list[ToolApprovalItem]:
        """The calls that wait for a person, in call order."""
        return waiting_items(Catalog(self._first), self.core, self._context.approvals.scope)

    def approve(
        self,
        approval_item: ToolApprovalItem,
        always_approve: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> None:
        """Allow a call that waits; it holds for exactly these arguments.

        Args:
            approval_item: One of the interruptions.
            always_approve: Allow every later call of this tool by this agent in this run too.

        Raises:
            UserError: The item names no tool or no call.
        """
        self._context.approve_tool(approval_item, always_approve)

    def reject(
        self,
        approval_item: ToolApprovalItem,
        always_reject: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        *,
        rejection_message: str | None = None,
    ) -> None:
        """Refuse a call that waits; the model is told so and goes on.

        Args:
            approval_item: One of the interruptions.
            always_reject: Refuse every later call of this tool by this agent in this run too.
            rejection_message: What the model is told.

        Raises:
            UserError: The item names no tool or no call.
        """
        self._context.reject_tool(approval_item, always_reject, rejection_message)

    @property
    def pending_input(self) -> list[InputItem]:
        """A copy of the input that waits for the next model call."""
        return copy.deepcopy(items_to_wire(self.core.late))

    def add_input(self, late: str | Sequence[InputItem]) -> None:
        """Add to the conversation of a run that waits; the next model call sees it, after results.

        Args:
            late: A text, or input items.

        Raises:
            UserError: It is no input, the run is over, or its tools' results may end it before a
                model is called.
        """
        core = self.core
        items = input_to_items(late)
        if isinstance(core.phase, Done | Stopped):
            raise UserError("A terminal RunState takes no input: begin a new run with it.")
        if isinstance(core.phase, Acting) and core.phase.offer.judges_tools:
            raise UserError(
                "This run takes no input now: a tool result may end the run before a model is "
                "called (tool_use_behavior). Resume it first.",
            )
        self._set(replace(self.checkpoint, core=replace(core, late=(*core.late, *items))))

    def clear_pending_input(self) -> None:
        """Drop the input that waits for the next model call."""
        self._set(replace(self.checkpoint, core=replace(self.core, late=())))

    def set_reasoning_item_id_policy(self, policy: ReasoningItemIdPolicy | None) -> None:
        """Whether reasoning items go back to a model with the provider's id, from here on.

        Args:
            policy: None leaves it to the run config.

        Raises:
            UserError: There is no such policy.
        """
        if policy not in {None, "preserve", "omit"}:
            raise UserError(f"The policy is None, 'preserve' or 'omit', not {policy!r}.")
        self.reasoning_item_id_policy = policy

    def to_json(
        self,
        *,
        context_serializer: Callable[[Any], Mapping[str, Any]] | None = None,
        strict_context: bool = False,
        include_tracing_api_key: bool = False,
    ) -> dict[str, object]:
        """The run as JSON data.

        Args:
            context_serializer: Makes a mapping of the user's context object.
            strict_context: Refuse a context object that is no mapping and has no serializer,
                instead of storing what can be stored of it with a warning.
            include_tracing_api_key: Store the key of the trace as well; it is a secret.

        Raises:
            UserError: The context cannot be stored, and `strict_context` is set; or the run's
                agent cannot be told apart from another of its name.
        """
        require_distinct(self._first, self.core)
        stored = stored_run(
            self.checkpoint,
            self._first,
            self._context,
            context_serializer,
            strict=strict_context,
            with_key=include_tracing_api_key,
        )
        return {**stored, "reasoning_item_id_policy": self.reasoning_item_id_policy}

    def to_string(
        self,
        *,
        context_serializer: Callable[[Any], Mapping[str, Any]] | None = None,
        strict_context: bool = False,
        include_tracing_api_key: bool = False,
    ) -> str:
        """The run as JSON text; see `to_json`."""
        data = self.to_json(
            context_serializer=context_serializer,
            strict_context=strict_context,
            include_tracing_api_key=include_tracing_api_key,
        )
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    async def from_json(
        cls,
        initial_agent: TAgent,
        state_json: Mapping[str, object],
        *,
        context_override: object = None,
        context_deserializer: Callable[[Mapping[str, Any]], Any] | None = None,
        strict_context: bool = False,
    ) -> Self:
        """The run that `to_json` wrote.

        Args:
            initial_agent: The agent that the run began with; others are found by its handoffs.
            state_json: The data.
            context_override: The context object to go on with, or a wrapper of it.
            context_deserializer: Makes the context object from what was stored.
            strict_context: Refuse a context object that was no mapping and that nothing here
                makes again.

        Raises:
            UserError: It is no stored run, a newer one, or of other agents.
        """
        checkpoint, context = read_run(
            initial_agent,
            state_json,
            context_override,
            context_deserializer,
            strict=strict_context,
        )
        waiting_items(Catalog(initial_agent), checkpoint.core)
        require_distinct(initial_agent, checkpoint.core)
        made = cls.at(checkpoint, initial_agent, context)
        policies: Mapping[object, ReasoningItemIdPolicy] = {"omit": "omit", "preserve": "preserve"}
        policy = state_json.get("reasoning_item_id_policy")
        made.reasoning_item_id_policy = policies.get(policy)
        return made

    @classmethod
    async def from_string(
        cls,
        initial_agent: TAgent,
        state_string: str,
        *,
        context_override: object = None,
        context_deserializer: Callable[[Mapping[str, Any]], Any] | None = None,
        strict_context: bool = False,
    ) -> Self:
        """The run that `to_string` wrote; see `from_json`."""
        return await cls.from_json(
            initial_agent,
            _parsed(state_string),
            context_override=context_override,
            context_deserializer=context_deserializer,
            strict_context=strict_context,
        )

    def _set(self, checkpoint: Checkpoint) -> None:
        self._followed = None
        self._checkpoint = checkpoint


def approval_item(agent: AnyAgent, call: Call, scope: str) -> ToolApprovalItem:
    """The question to a person about a call.

    Args:
        agent: Whose call it is.
        call: The call.
        scope: The calls that it was made inside of, see `Decision.scope`.
    """
    origin = ToolOrigin.from_json_dict(call.origin)
    return ToolApprovalItem(agent, call.raw, call.name, tool_origin=origin, call_scope=scope)


def waiting_items(catalog: Catalog, state: CoreState, scope: str = "") -> list[ToolApprovalItem]:
    """The calls that wait for a person, those of agents used as tools included, in call order.

    Args:
        catalog: The agents of the run.
        state: The run.
        scope: The calls that it runs inside of, see `Decision.scope`.
    """
    if not isinstance(state.phase, Acting):
        return []
    agent = catalog[state.agent]
    items: list[ToolApprovalItem] = []
    for slot in state.phase.slots:
        call = slot.call
        if isinstance(slot, Unapproved):
            items.append(approval_item(agent, call, scope))
        elif isinstance(slot, Paused):
            behind = catalog_behind(agent, call.name)
            items.extend(waiting_items(behind, slot.child, f"{scope}{call.call_id}/"))
    return items


def _parsed(text: str) -> Mapping[str, object]:
    """The JSON object in a text; what is wrong is said without the text, which may hold secrets."""
    try:
        data: object = json.loads(text)
    except ValueError as error:
        place = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "the text"
        message = (
            f"Failed to parse run state JSON: this is not a stored run ({place} is malformed)."
        )
    else:
        if is_object(data):
            return data
        message = "Failed to parse run state JSON: this is not a stored run, it is no JSON object."
    raise UserError(message)
