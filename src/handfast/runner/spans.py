"""`RunSpans`: the spans of one run that are open now: the run itself, its agent, its turn."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from handfast.agents.usage import Usage
from handfast.tracing.create import agent_span, task_span, turn_span
from handfast.tracing.mark import Mark
from handfast.tracing.setup import get_trace_provider
from handfast.tracing.span_data import AgentSpanData, TaskSpanData, TurnSpanData
from handfast.tracing.spans import CURRENT_SPAN, Span, SpanError
from handfast.tracing.traces import Trace

REDACTED: Final = "Error details are redacted."
UNAVAILABLE: Final = "Error details are unavailable."


class RunSpans:
    """The open spans of a run. Parents are named, never guessed: effects run side by side.

    Args:
        workflow_name: What the run is called.
        usage: What the run has spent, counted on as it goes.
        tasks_and_turns: Whether there are spans for the run itself and for its turns.
        sensitive: Whether spans may hold what users, models and tools said.
    """

    def __init__(
        self,
        workflow_name: str,
        usage: Usage,
        *,
        tasks_and_turns: bool = True,
        sensitive: bool = True,
    ) -> None:
        self.sensitive = sensitive
        self.handed_over = False
        """True once an agent has handed over: the next span is another agent's, or its own anew."""
        self._usage = usage
        self._tasks_and_turns = tasks_and_turns
        provider = get_trace_provider()
        self._outer: Trace | Span | None = (
            provider.get_current_span() or provider.get_current_trace()
        )
        self._agent_key: str | None = None
        self._agent: Span[AgentSpanData] | None = None
        self._turn: Span[TurnSpanData] | None = None
        self._turn_begin = _counts(usage)
        self._task: Span[TaskSpanData] | None = None
        self._task_begin = self._turn_begin
        if tasks_and_turns:
            self._task = task_span(workflow_name, parent=self._outer)
            self._task.start()

    @property
    def around_agent(self) -> Trace | Span | None:
        """What an agent's span belongs to."""
        return self._outer if self._task is None else self._task

    @property
    def agent(self) -> Span | None:
        """The span of the agent that has the word."""
        return self._agent

    @property
    def innermost(self) -> Span | None:
        """The span of the turn, else of the agent, else of the run."""
        return self._turn or self._agent or self._task

    def agent_is(self, key: str, name: str, output_type: str) -> None:
        """Open a span for an agent that gets the word; one that has it already keeps its own."""
        if self._agent is not None and key == self._agent_key and not self.handed_over:
            return
        self.end_agent()
        self.handed_over = False
        self._agent_key = key
        self._agent = agent_span(name, output_type=output_type, parent=self.around_agent)
        self._agent.start()

    def agent_offers(self, tools: Sequence[str], handoffs: Sequence[str]) -> None:
        """Note what the agent may call."""
        if self._agent is not None:
            self._agent.span_data.tools = list(tools)
            self._agent.span_data.handoffs = list(handoffs)

    @property
    def agent_is_described(self) -> bool:
        """True once it was noted what the agent may call."""
        return self._agent is None or self._agent.span_data.tools is not None

    def begin_turn(self, turn: int, agent_name: str) -> None:
        """Open a span for a turn."""
        self.end_turn()
        if not self._tasks_and_turns:
            return
        self._turn_begin = _counts(self._usage)
        self._turn = turn_span(turn, agent_name, parent=self._agent)
        self._turn.start()

    def end_turn(self) -> None:
        """Close the turn's span."""
        if self._turn is None:
            return
        spent = _spent(self._turn_begin, _counts(self._usage))
        self._turn.span_data.usage = {
            key: value for key, value in spent.items() if key not in {"requests", "total_tokens"}
        }
        self._turn.finish()
        self._turn = None

    def end_agent(self, error: SpanError | None = None) -> None:
        """Close the agent's span."""
        self.end_turn()
        if self._agent is None:
            return
        if error is not None and self._agent.error is None:
            self._agent.set_error(error)
        self._agent.finish()
        self._agent = None

    def end(self, error: SpanError | None = None) -> None:
        """Close every span that is open."""
        self.end_agent(error)
        if self._task is None:
            return
        self._task.span_data.usage = _spent(self._task_begin, _counts(self._usage))
        self._task.finish()
        self._task = None

    def told(self, error: BaseException) -> str:
        """An error's words, where spans may hold them."""
        return words_of(error, sensitive=self.sensitive)


def words_of(error: BaseException, *, sensitive: bool, untold: str = UNAVAILABLE) -> str:
    """An error's words, where spans may hold them; an error that cannot be told spoils no run.

    Args:
        error: The error.
        sensitive: Whether its words may be told.
        untold: What to say of an error whose `str()` fails.
    """
    if not sensitive:
        return REDACTED
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - the edge to foreign code, in the middle of an error
        return untold


@contextmanager
def current(span: Span | None) -> Generator[None]:
    """Make a span the parent of those that user code opens inside."""
    if span is None:
        yield
        return
    mark: Mark[Span] = Mark(CURRENT_SPAN)
    mark.set(span)
    try:
        yield
    finally:
        mark.reset(tolerant=True)


def _counts(usage: Usage) -> dict[str, int]:
    return {
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "cached_input_tokens": usage.input_tokens_details.cached_tokens,
        "cache_write_input_tokens": usage.input_tokens_details.cache_write_tokens,
    }


def _spent(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {key: after[key] - before[key] for key in after}
