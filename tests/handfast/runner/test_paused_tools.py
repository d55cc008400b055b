from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from handfast import RunContextWrapper
from handfast.runner.paused_tools import (
    MOST,
    PausedTools,
    consume_agent_tool_run_result,
    drop_agent_tool_run_result,
    get_agent_tool_state_scope,
    peek_agent_tool_run_result,
    record_agent_tool_resume_state,
    record_agent_tool_run_result,
    set_agent_tool_state_scope,
)


def call(call_id: str) -> dict[str, object]:
    return {"type": "function_call", "call_id": call_id, "name": "ask", "arguments": "{}"}


@pytest.fixture
def here() -> Iterator[dict[str, object]]:
    """A call that nobody else in this process makes."""
    made = call("paused_tools_here")
    yield made
    for scope in (None, "one"):
        drop_agent_tool_run_result(made, scope_id=scope)


def test_what_is_kept_is_found_by_its_call_until_it_is_taken() -> None:
    paused = PausedTools()
    paused.keep(call("c1"), "first")
    assert paused.peek(call("c2")) is None
    assert paused.peek(call("c1")) == "first"
    assert paused.take(call("c1")) == "first"
    assert paused.take(call("c1")) is None


def test_calls_of_one_id_in_two_scopes_are_two_calls() -> None:
    paused = PausedTools()
    paused.keep(call("c1"), "here", "one")
    paused.keep(call("c1"), "there", "two")
    assert paused.peek(call("c1")) is None
    assert paused.take(call("c1"), "one") == "here"
    assert paused.take(call("c1"), "two") == "there"


def test_a_call_that_has_no_call_id_is_known_by_its_id() -> None:
    paused = PausedTools()
    paused.keep({"type": "function_call", "id": "fc_1"}, "kept")
    assert paused.peek({"type": "function_call", "call_id": "fc_1"}) == "kept"


def test_the_oldest_makes_room_for_the_newest() -> None:
    paused = PausedTools()
    for number in range(MOST):
        paused.keep(call(f"c{number}"), number)
    paused.keep(call("c0"), "again")
    paused.keep(call("one more"), "new")
    assert paused.peek(call("c0")) == "again"
    assert paused.peek(call("c1")) is None
    assert paused.peek(call("c2")) == 2
    assert paused.peek(call("one more")) == "new"


def test_a_context_has_the_scope_that_was_said_last() -> None:
    context = RunContextWrapper(None)
    assert get_agent_tool_state_scope(context) is None
    set_agent_tool_state_scope(context, "one")
    assert get_agent_tool_state_scope(context) == "one"
    set_agent_tool_state_scope(context, None)
    assert get_agent_tool_state_scope(context) is None


def test_a_scope_does_not_keep_its_context_alive() -> None:
    paused = PausedTools()
    ended: list[str] = []

    class Context:
        def __del__(self) -> None:
            ended.append("ended")

    context = Context()
    paused.set_scope(context, "one")
    del context
    gc.collect()
    assert ended == ["ended"]


def test_a_program_keeps_a_result_and_takes_it_once(here: dict[str, object]) -> None:
    record_agent_tool_run_result(here, "result", scope_id="one")
    assert peek_agent_tool_run_result(here) is None
    assert peek_agent_tool_run_result(here, scope_id="one") == "result"
    assert consume_agent_tool_run_result(here, scope_id="one") == "result"
    assert consume_agent_tool_run_result(here, scope_id="one") is None


def test_a_state_takes_the_place_of_the_result_it_was_made_of(here: dict[str, object]) -> None:
    record_agent_tool_run_result(here, "result")
    record_agent_tool_resume_state(here, "state")
    assert peek_agent_tool_run_result(here) == "state"
    drop_agent_tool_run_result(here)
    assert peek_agent_tool_run_result(here) is None
