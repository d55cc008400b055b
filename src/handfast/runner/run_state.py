"""`RunState`: a run as a value that a program stores, decides about, and resumes."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from handfast.agents.agent import AnyAgent
from handfast.agents.approval import Approvals
from handfast.agents.catalog import Catalog, catalog_behind
from handfast.agents.context import RunContextWrapper
from handfast.agents.items import ToolApprovalItem
from handfast.agents.raw import usage_of
from handfast.core.codec import decode_state, encode_state
from handfast.core.state import Acting, Paused, Unapproved
from handfast.core.state import RunState as CoreState
from handfast.errors import UserError
from handfast.runner.keeping import Kept
from handfast.runner.opaque import decode_opaque, encode_opaque, plain_data
from handfast.runner.server_conversation import ServerConversation
from handfast.tracing.trace_state import TraceState

logger = logging.getLogger("handfast")

FORMAT: Final = "handfast.run_state"


class RunState:
    """A paused or finished run, with what people decided about it.

    Get one from `result.to_state()`, or from storage with `from_json`; pass it to `Runner.run` in
    place of an input to go on.

    Args:
        state: The run itself.
        first: The agent that it began with.
        context: Its context.
        kept: What a session already holds of it.
        server: What the provider keeps of its conversation.
        trace: The trace that it belongs to.
    """

    def __init__(  # noqa: PLR0917 - a value, made by `to_state` and `from_json`
        self,
        state: CoreState,
        first: AnyAgent,
        context: RunContextWrapper[Any],
        kept: Kept | None = None,
        server: ServerConversation | None = None,
        trace: TraceState | None = None,
    ) -> None:
        self.trace = trace
        """The trace that the run belongs to, for it to go on with."""
        self.server = None if server is None else replace(server)
        """What the provider keeps of the conversation."""
        self.kept = Kept() if kept is None else kept
        """What a session already holds of the run."""
        self._state = state
        self._first = first
        # Decisions and counts are this value's own: two copies of a paused run do not mix.
        self._context = RunContextWrapper(
            context.context,
            copy.deepcopy(context.usage),
            list(context.turn_input),
            context.tool_input,
            Approvals.from_data(context.approvals.to_data()),
        )

    @property
    def core(self) -> CoreState:
        """The run as the core knows it: plain frozen data."""
        return self._state

    @property
    def first_agent(self) -> AnyAgent:
        """The agent that the run began with."""
        return self._first

    @property
    def context_wrapper(self) -> RunContextWrapper[Any]:
        """The run's context."""
        return self._context

    def get_interruptions(self) -> list[ToolApprovalItem]:
        """The calls that wait for a person, in call order."""
        return waiting_items(Catalog(self._first), self._state)

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
            strict_context: Refuse a context object that cannot be stored, instead of leaving it
                out with a warning.
            include_tracing_api_key: Store the key of `RunConfig.tracing`; otherwise only its hash.

        Raises:
            UserError: The context cannot be stored, and `strict_context` is set.
        """
        stored = encode_state(self._state, encode_opaque)
        return {
            "format": FORMAT,
            **stored,
            "agent": self._first.name,
            "session": {"written": self.kept.written, "waiting": plain_data(self.kept.waiting)},
            "server": None if self.server is None else self.server.to_data(),
            "trace": self._stored_trace(include_key=include_tracing_api_key),
            "usage": plain_data(self._context.usage),
            "approvals": self._context.approvals.to_data(),
            "tool_input": plain_data(self._context.tool_input),
            "context": self._stored_context(context_serializer, strict=strict_context),
        }

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
        initial_agent: AnyAgent,
        state_json: Mapping[str, object],
        *,
        context_override: object = None,
        context_deserializer: Callable[[Mapping[str, Any]], Any] | None = None,
    ) -> RunState:
        """The run that `to_json` wrote.

        Args:
            initial_agent: The agent that the run began with; others are found by its handoffs.
            state_json: The data.
            context_override: The context object to go on with.
            context_deserializer: Makes the context object from what was stored.

        Raises:
            UserError: It is no stored run, a newer one, or of other agents.
        """
        core = decode_state(dict(state_json), decode_opaque)
        waiting_items(Catalog(initial_agent), core)
        Catalog(initial_agent)[core.agent]  # refused here rather than in the middle of a turn
        stored = state_json.get("context")
        context: object = context_override
        if context is None and stored is not None:
            if not isinstance(stored, Mapping):
                raise UserError("The stored run's context is no mapping.")
            context = dict(stored) if context_deserializer is None else context_deserializer(stored)
        approvals = state_json.get("approvals", [])
        if not isinstance(approvals, list):
            raise UserError("The stored run's approvals are no list.")
        wrapper: RunContextWrapper[Any] = RunContextWrapper(
            context,
            usage_of(state_json.get("usage") or {"requests": 0}),
            tool_input=state_json.get("tool_input"),
            approvals=Approvals.from_data(approvals),
        )
        kept = Kept.of(state_json.get("session"))
        server = ServerConversation.of(state_json.get("server"))
        trace = TraceState.from_json(state_json.get("trace"))
        return cls(core, initial_agent, wrapper, kept, server, trace)

    @classmethod
    async def from_string(
        cls,
        initial_agent: AnyAgent,
        state_string: str,
        *,
        context_override: object = None,
        context_deserializer: Callable[[Mapping[str, Any]], Any] | None = None,
    ) -> RunState:
        """The run that `to_string` wrote; see `from_json`."""
        try:
            data: object = json.loads(state_string)
        except ValueError as error:
            raise UserError(f"This is not a stored run: {error}.") from None
        if not isinstance(data, dict):
            raise UserError("This is not a stored run: it is no JSON object.")
        return await cls.from_json(
            initial_agent,
            data,
            context_override=context_override,
            context_deserializer=context_deserializer,
        )

    def _stored_trace(self, *, include_key: bool) -> object:
        if self.trace is None:
            return None
        return plain_data(self.trace.to_json(include_tracing_api_key=include_key))

    def _stored_context(
        self,
        serializer: Callable[[Any], Mapping[str, Any]] | None,
        *,
        strict: bool,
    ) -> object:
        context = self._context.context
        if serializer is not None and context is not None:
            return dict(serializer(context))
        if context is None or isinstance(context, Mapping):
            return None if context is None else plain_data(dict(context))
        message = (
            f"The context object ({type(context).__name__}) cannot be stored with the run; pass "
            "context_serializer here and context_override when it is read."
        )
        if strict:
            raise UserError(message)
        logger.warning(message)
        return None


def waiting_items(catalog: Catalog, state: CoreState) -> list[ToolApprovalItem]:
    """The calls that wait for a person, those of agents used as tools included, in call order."""
    if not isinstance(state.phase, Acting):
        return []
    agent = catalog[state.agent]
    items: list[ToolApprovalItem] = []
    for slot in state.phase.slots:
        if isinstance(slot, Unapproved):
            items.append(ToolApprovalItem(agent, slot.call.raw, slot.call.name))
        elif isinstance(slot, Paused):
            items.extend(waiting_items(catalog_behind(agent, slot.call.name), slot.child))
    return items
