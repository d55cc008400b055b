"""`RunResult`: what a run came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, Self, TypeVar, cast

from pydantic_core import core_schema

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_tool import AgentToolInvocation
from handfast.agents.context import RunContextWrapper
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.items import RunItem, ToolApprovalItem
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.tool_guardrail import ToolInputGuardrailResult, ToolOutputGuardrailResult
from handfast.core.state import Stopped, is_over
from handfast.errors import HandfastError
from handfast.runner.config import DEFAULT_MAX_TURNS
from handfast.runner.failures import error_of
from handfast.runner.given_view import GivenView
from handfast.runner.result_text import agent_text, result_text
from handfast.runner.run import Run
from handfast.runner.run_state import RunState
from handfast.runner.run_view import RunView, ToInputListMode

T = TypeVar("T")


@dataclass
class RunErrorDetails:
    """What a run had produced when it failed; `run_data` of the error."""

    input: str | list[InputItem]
    new_items: list[RunItem]
    raw_responses: list[ModelResponse]
    last_agent: AnyAgent
    context_wrapper: RunContextWrapper
    input_guardrail_results: list[InputGuardrailResult]
    output_guardrail_results: list[OutputGuardrailResult]
    tool_input_guardrail_results: list[ToolInputGuardrailResult] = field(
        default_factory=list[ToolInputGuardrailResult],
    )
    tool_output_guardrail_results: list[ToolOutputGuardrailResult] = field(
        default_factory=list[ToolOutputGuardrailResult],
    )

    def __str__(self) -> str:
        counts = {
            **counts_of(self),
            "tool input guardrail result(s)": len(self.tool_input_guardrail_results),
            "tool output guardrail result(s)": len(self.tool_output_guardrail_results),
        }
        return result_text(
            "RunErrorDetails", {"Last agent": agent_text(self.last_agent.name)}, counts
        )


class ResultBase:
    """What whole and streamed results have in common.

    Args:
        view: A run, or what a program gave.
    """

    def __init__(self, view: RunView | GivenView) -> None:
        self._view = view

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, _handler: object
    ) -> core_schema.CoreSchema:
        """A field of a pydantic model takes a result as it is."""
        return core_schema.is_instance_schema(cls)

    @property
    def input(self) -> str | list[InputItem]:
        """The input of the run, as a handoff filter may have rewritten it."""
        return self._view.input

    @property
    def new_items(self) -> list[RunItem]:
        """What the run produced, in order; calls that wait for a person come last."""
        return self._view.new_items

    @property
    def raw_responses(self) -> list[ModelResponse]:
        """The models' responses, in order."""
        return self._view.raw_responses

    @property
    def last_response_id(self) -> str | None:
        """The provider's id of the last response."""
        return self._view.last_response_id

    @property
    def final_output(self) -> Any:  # noqa: ANN401 - the last agent's output_type says what it is
        """The output; None while the run has none."""
        return self._view.final_output

    @property
    def context_wrapper(self) -> RunContextWrapper:
        """The run's context, with its usage."""
        return self._view.context_wrapper

    @property
    def interruptions(self) -> list[ToolApprovalItem]:
        """Calls that wait for a person, those of agents used as tools included."""
        return self._view.interruptions

    @property
    def input_guardrail_results(self) -> list[InputGuardrailResult]:
        """What the input guardrails said."""
        return self._view.input_guardrail_results

    @property
    def output_guardrail_results(self) -> list[OutputGuardrailResult]:
        """What the output guardrails said."""
        return self._view.output_guardrail_results

    @property
    def tool_input_guardrail_results(self) -> list[ToolInputGuardrailResult]:
        """What the tools' input guardrails said."""
        return self._view.tool_input_guardrail_results

    @property
    def tool_output_guardrail_results(self) -> list[ToolOutputGuardrailResult]:
        """What the tools' output guardrails said."""
        return self._view.tool_output_guardrail_results

    @property
    def max_turns(self) -> int | None:
        """How many model calls the run may make; None sets no limit."""
        return self._view.max_turns

    @property
    def agent_tool_invocation(self) -> AgentToolInvocation | None:
        """The call that the run answers, where its agent is used as a tool; else None."""
        return self._view.agent_tool_invocation

    @property
    def last_agent(self) -> AnyAgent:
        """The agent that had the word last; its name alone once the program has dropped it.

        A finished run keeps no agent alive: keep your own reference to those you use again.

        Raises:
            AgentsException: The program put the result together, released its agent, and has
                dropped it.
        """
        return self._view.last_agent

    def release_agents(self, release_new_items: bool = True) -> None:  # noqa: FBT001, FBT002 - the SDK's signature
        """Keep no agent alive, as a finished run does by itself; its items tell the names.

        Args:
            release_new_items: Whether items that a program gave release their agents too.
        """
        if release_new_items and isinstance(self._view, GivenView):
            for item in self._view.new_items:
                item.release_agent()
        self._view.release()

    def final_output_as(
        self,
        cls: type[T],
        raise_if_incorrect_type: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    ) -> T:
        """The output with a type for the type checker.

        Args:
            cls: The type.
            raise_if_incorrect_type: Check it now.

        Raises:
            TypeError: It is another type, and that was to be checked.
        """
        output = self.final_output
        if raise_if_incorrect_type and not isinstance(output, cls):
            raise TypeError(f"Final output is not of type {cls.__name__}")
        return cast("T", output)

    def to_input_list(self, *, mode: ToInputListMode = "preserve_all") -> list[InputItem]:
        """The conversation so far, as input items.

        Args:
            mode: `preserve_all` is the input and everything that the run produced; `normalized`
                is what the next model call would see, where a handoff's filter or nested history
                made that less.
        """
        return self._view.to_input_list(mode)

    def to_state(self) -> RunState:
        """The run as a value: to store, to decide about its interruptions, to resume.

        Raises:
            UserError: A program put the result together, so that there is no run.
        """
        return self._view.to_state()


class RunResult(ResultBase):
    """What a run came to: an output, or calls that wait for a person.

    `Runner` makes them; a program puts one together with the values that it shall show.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        input: str | list[InputItem],  # noqa: A002 - the SDK's name
        new_items: list[RunItem],
        raw_responses: list[ModelResponse],
        final_output: Any,  # noqa: ANN401 - whatever an agent's output_type is
        input_guardrail_results: list[InputGuardrailResult],
        output_guardrail_results: list[OutputGuardrailResult],
        tool_input_guardrail_results: list[ToolInputGuardrailResult],
        tool_output_guardrail_results: list[ToolOutputGuardrailResult],
        context_wrapper: RunContextWrapper,
        _last_agent: AnyAgent,
        *,
        max_turns: int | None = DEFAULT_MAX_TURNS,
        interruptions: list[ToolApprovalItem] | None = None,
    ) -> None:
        produced = (input, new_items, raw_responses, final_output)
        checked = (input_guardrail_results, output_guardrail_results)
        tools_checked = (tool_input_guardrail_results, tool_output_guardrail_results)
        super().__init__(
            GivenView(
                *produced,
                *checked,
                *tools_checked,
                context_wrapper,
                _last_agent,
                max_turns,
                interruptions or [],
            ),
        )

    @classmethod
    def of(cls, run: Run) -> Self:
        """The result of a run; one that is over keeps its agents alive no longer."""
        made = cls.__new__(cls)
        ResultBase.__init__(made, RunView(run))
        if is_over(run.state):
            run.release()
        return made

    def __repr__(self) -> str:
        waiting = len(self.interruptions)
        end = f"waits for {waiting} approvals" if waiting else f"output {self.final_output!r}"
        return f"RunResult(agent={last_name(self)!r}, {end})"

    def __str__(self) -> str:
        facts = {"Last agent": agent_text(last_name(self))}
        return result_text("RunResult", facts, counts_of(self), (self.final_output,))


def last_name(result: ResultBase) -> str:
    """The name of a result's last agent, as far as it is known."""
    try:
        return result.last_agent.name
    except HandfastError:
        return "?"


def raise_stopped(run: Run) -> None:
    """Raise the error that a run ended with; return where it did not end with one."""
    phase = run.state.phase
    if not isinstance(phase, Stopped):
        return
    error = error_of(phase.failure)
    if isinstance(error, HandfastError):
        view = RunView(run)
        error.run_data = RunErrorDetails(
            view.input,
            view.new_items,
            view.raw_responses,
            view.last_agent,
            view.context_wrapper,
            view.input_guardrail_results,
            view.output_guardrail_results,
            view.tool_input_guardrail_results,
            view.tool_output_guardrail_results,
        )
    raise error


class _Counted(Protocol):
    @property
    def new_items(self) -> list[RunItem]: ...
    @property
    def raw_responses(self) -> list[ModelResponse]: ...
    @property
    def input_guardrail_results(self) -> list[InputGuardrailResult]: ...
    @property
    def output_guardrail_results(self) -> list[OutputGuardrailResult]: ...


def counts_of(result: _Counted) -> dict[str, int]:
    """How much of what there is, for the text of a result."""
    return {
        "new item(s)": len(result.new_items),
        "raw response(s)": len(result.raw_responses),
        "input guardrail result(s)": len(result.input_guardrail_results),
        "output guardrail result(s)": len(result.output_guardrail_results),
    }
