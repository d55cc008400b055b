"""`GivenView`: a result that a program puts together itself, for its tests for one."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any, cast

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_tool import AgentToolInvocation
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import RunItem, ToolApprovalItem
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.tool_guardrail import ToolInputGuardrailResult, ToolOutputGuardrailResult
from handfast.errors import HandfastError, UserError
from handfast.runner.run_state import RunState
from handfast.runner.run_view import ToInputListMode


@dataclass
class GivenView:
    """What was given, readable as a run is."""

    input: str | list[InputItem]
    new_items: list[RunItem]
    raw_responses: list[ModelResponse]
    final_output: Any
    input_guardrail_results: list[InputGuardrailResult]
    output_guardrail_results: list[OutputGuardrailResult]
    tool_input_guardrail_results: list[ToolInputGuardrailResult]
    tool_output_guardrail_results: list[ToolOutputGuardrailResult]
    context_wrapper: RunContextWrapper
    agent: AnyAgent | weakref.ref[AnyAgent]
    max_turns: int | None = None
    interruptions: list[ToolApprovalItem] = field(default_factory=list[ToolApprovalItem])

    @property
    def last_agent(self) -> AnyAgent:
        """The agent that had the word last.

        Raises:
            AgentsException: It was released, and the program has dropped it.
        """
        agent = self.agent() if isinstance(self.agent, weakref.ref) else self.agent
        if agent is None:
            raise HandfastError("Last agent reference is no longer available.")
        return agent

    @property
    def last_response_id(self) -> str | None:
        """The provider's id of the last response."""
        return self.raw_responses[-1].response_id if self.raw_responses else None

    @property
    def agent_tool_invocation(self) -> AgentToolInvocation | None:
        """The call that the context is one of; None for the context of a run."""
        context = self.context_wrapper
        if not isinstance(context, ToolContext):
            return None
        return AgentToolInvocation(context.tool_name, context.tool_call_id, context.tool_arguments)

    def release(self) -> None:
        """Keep the agent alive no longer."""
        if not isinstance(self.agent, weakref.ref):
            self.agent = weakref.ref(self.agent)

    def to_state(self) -> RunState:
        """Refused: there is no run to resume.

        Raises:
            UserError: Always.
        """
        raise UserError(
            "This result was put together by the program: there is no run behind it that could be "
            "stored or resumed.",
        )

    def to_input_list(self, mode: ToInputListMode = "preserve_all") -> list[InputItem]:  # noqa: ARG002 - nothing was filtered
        """The input and the items, as input items; questions to a person are not among them."""
        told = [item for item in self.new_items if not isinstance(item, ToolApprovalItem)]
        given = ItemHelpers.input_to_new_input_list(self.input)
        return [*given, *(cast("InputItem", item.to_input_item()) for item in told)]
