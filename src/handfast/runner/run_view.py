"""`RunView`: a run's state as users read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_tool import AgentToolInvocation
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.input_items import items_to_wire, user_message, wire_from_item
from handfast.agents.items import RunItem, ToolApprovalItem
from handfast.agents.nested_history import was_moved
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.tool_guardrail import ToolInputGuardrailResult, ToolOutputGuardrailResult
from handfast.core.items import Item, Message
from handfast.core.log import Log
from handfast.core.state import Acting, Done, Settled
from handfast.core.state import RunState as CoreState
from handfast.runner.run import Run
from handfast.runner.run_state import RunState, waiting_items
from handfast.runner.transcript import Transcript, without_id

ToInputListMode: TypeAlias = Literal["preserve_all", "normalized"]
"""Everything that a run produced, or what its model saw of it."""


class RunView:
    """What can be read of a run at any time."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @property
    def input(self) -> str | list[InputItem]:
        """The input of the run, as a handoff filter may have rewritten it."""
        return shown_input(self._run.state.input)

    @property
    def new_items(self) -> list[RunItem]:
        """What the run produced, in order; calls that wait for a person come last."""
        run = self._run
        items = [run.public_item(item) for item in _produced(run.state)]
        return [*items, *interruptions_of(run)]

    @property
    def raw_responses(self) -> list[ModelResponse]:
        """The models' responses, in order."""
        raw = [answer.raw for answer in self._run.state.answers]
        return [each for each in raw if isinstance(each, ModelResponse)]

    @property
    def last_response_id(self) -> str | None:
        """The provider's id of the last response."""
        answers = self._run.state.answers
        return answers[-1].response_id if answers else None

    @property
    def final_output(self) -> Any:  # noqa: ANN401 - the last agent's output_type says what it is
        """The output; None while the run has none."""
        phase = self._run.state.phase
        return phase.value if isinstance(phase, Done) else None

    @property
    def last_agent(self) -> AnyAgent:
        """The agent that had the word last; its name alone once the program has dropped it.

        A finished run keeps no agent alive: keep your own reference to those you use again.
        """
        return cast("AnyAgent", self._run.catalog.view(self._run.state.agent))

    @property
    def context_wrapper(self) -> RunContextWrapper:
        """The run's context, with its usage."""
        return self._run.context

    @property
    def interruptions(self) -> list[ToolApprovalItem]:
        """Calls that wait for a person, those of agents used as tools included."""
        return interruptions_of(self._run)

    @property
    def input_guardrail_results(self) -> list[InputGuardrailResult]:
        """What the input guardrails said."""
        return self._run.input_results

    @property
    def output_guardrail_results(self) -> list[OutputGuardrailResult]:
        """What the output guardrails said."""
        return self._run.output_results

    @property
    def tool_input_guardrail_results(self) -> list[ToolInputGuardrailResult]:
        """What the tools' input guardrails said."""
        return self._run.tool_input_results

    @property
    def tool_output_guardrail_results(self) -> list[ToolOutputGuardrailResult]:
        """What the tools' output guardrails said."""
        return self._run.tool_output_results

    @property
    def agent_tool_invocation(self) -> AgentToolInvocation | None:
        """The call that the run answers, where its agent is used as a tool."""
        context = self._run.context
        if not isinstance(context, ToolContext):
            return None
        return AgentToolInvocation(
            context.tool_name,
            context.tool_call_id,
            context.tool_arguments,
        )

    @property
    def max_turns(self) -> int | None:
        """How many model calls the run may make; None sets no limit."""
        return self._run.state.limits.max_turns

    def release(self) -> None:
        """Keep no agent alive."""
        self._run.release()

    def to_state(self) -> RunState:
        """The run as a value."""
        run = self._run
        stored = RunState.at(run.checkpoint(), run.first, run.context)
        if run.transcript.omits_reasoning_ids:
            stored.set_reasoning_item_id_policy("omit")
        return stored

    def to_input_list(self, mode: ToInputListMode = "preserve_all") -> list[InputItem]:
        """The conversation so far, as input items; see `RunResult.to_input_list`."""
        state, omits = self._run.state, self._run.transcript.omits_reasoning_ids
        if mode == "normalized":
            return Transcript(omit_reasoning_ids=omits).render(state.input, state.seen)
        # What nesting moved into the input is among the produced items too, and is told once.
        told = [item for item in state.input if not was_moved(item)]
        wire = without_id if omits else wire_from_item
        return [*items_to_wire(told), *map(wire, _produced(state))]


def shown_input(conversation: Log[Item]) -> str | list[InputItem]:
    """A conversation as users gave it: plain text where that is all there is."""
    if len(conversation) == 1:
        only = conversation[0]
        if isinstance(only, Message) and only.raw == user_message(only.text).raw:
            return only.text
    return items_to_wire(conversation)


def interruptions_of(run: Run) -> list[ToolApprovalItem]:
    """The calls of a run that wait for a person, in call order."""
    return waiting_items(run.catalog, run.state, run.context.approvals.scope)


def _produced(state: CoreState) -> Sequence[Item]:
    """The record, and the answers that wait in an unfinished turn for its last one."""
    if not isinstance(state.phase, Acting):
        return state.items
    settled = [slot.result for slot in state.phase.slots if isinstance(slot, Settled)]
    return [*state.items, *settled]
