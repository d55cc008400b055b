from __future__ import annotations

from handfast import Usage
from handfast.runner.spans import REDACTED, UNAVAILABLE, RunSpans, current, words_of
from handfast.tracing import AgentSpanData, SpanError, custom_span, get_current_span, trace
from tracing_recorder import Recorder


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def test_spans_of_a_run_lie_in_each_other_and_say_what_was_spent(recorder: Recorder) -> None:
    usage = Usage()
    with trace("w"):
        spans = RunSpans("w", usage)
        assert spans.innermost is not None
        spans.agent_is("a", "Ann", "str")
        spans.agent_is("a", "Ann", "str")
        described = [spans.agent_is_described]
        spans.agent_offers(["t"], ["Bob"])
        assert [*described, spans.agent_is_described] == [False, True]
        for turn in (1, 2):
            spans.begin_turn(turn, "Ann")
            usage.add(Usage(requests=1, input_tokens=10, output_tokens=3, total_tokens=13))
        spans.handed_over = True
        spans.agent_is("a", "Ann", "str")
        spans.end(SpanError(message="bad", data=None))
    assert recorder.tree() == [
        "task w",
        "  agent Ann",
        "    turn",
        "    turn",
        "  agent Ann",
    ]
    turns, (task,) = recorder.of("turn"), recorder.of("task")
    used = {"input_tokens": 10, "output_tokens": 3}
    nothing = {"cached_input_tokens": 0, "cache_write_input_tokens": 0}
    assert [getattr(each.span_data, "usage", None) for each in turns] == [{**used, **nothing}] * 2
    assert getattr(task.span_data, "usage", None) == {
        "requests": 2,
        "input_tokens": 20,
        "output_tokens": 6,
        "total_tokens": 26,
        **nothing,
    }
    first, second = recorder.of("agent")
    assert isinstance(first.span_data, AgentSpanData)
    assert (first.span_data.tools, first.span_data.handoffs) == (["t"], ["Bob"])
    assert (first.error, second.error) == (None, {"message": "bad", "data": None})


def test_runs_and_turns_can_be_left_out(recorder: Recorder) -> None:
    with trace("w"), custom_span("around") as around:
        spans = RunSpans("w", Usage(), tasks_and_turns=False)
        spans.agent_offers([], [])
        assert spans.innermost is None
        spans.agent_is("a", "Ann", "str")
        spans.begin_turn(1, "Ann")
        assert spans.innermost is spans.agent
        spans.end()
        spans.end()
    (agent,) = recorder.of("agent")
    assert agent.parent_id == around.span_id
    assert recorder.of("turn") == recorder.of("task") == []


def test_errors_are_told_only_where_spans_may_hold_them_and_never_raise() -> None:
    assert words_of(ValueError("secret"), sensitive=True) == "secret"
    assert words_of(ValueError("secret"), sensitive=False) == REDACTED
    assert words_of(Unspeakable(), sensitive=True) == UNAVAILABLE
    assert words_of(Unspeakable(), sensitive=True, untold="odd") == "odd"


def test_a_span_is_current_inside_a_block(recorder: Recorder) -> None:
    with trace("w"):
        span = custom_span("s")
        with current(span):
            assert get_current_span() is span
        with current(None):
            assert get_current_span() is None
    assert recorder.spans == []
