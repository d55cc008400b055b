from __future__ import annotations

from handfast.agents.json_types import is_object
from handfast.core.items import Call
from handfast.runner.tool_answer import refusal_of, result_of

CALL = Call("c1", "look", "{}", {"type": "function_call", "call_id": "c1"}, "a")


def test_an_answer_is_what_the_model_reads_and_what_the_tool_returned() -> None:
    result = result_of(CALL, {"a": 1}, 100)
    assert result.value == {"a": 1}
    assert is_object(result.raw)
    assert result.raw["call_id"] == "c1"
    assert not result.failed


def test_an_answer_is_cut_to_its_window() -> None:
    raw = result_of(CALL, "x" * 1_000, 100).raw
    assert is_object(raw)
    assert len(str(raw["output"])) < 500


def test_a_refusal_says_that_it_is_one() -> None:
    result = refusal_of(CALL, "no")
    assert result.failed
    assert result.raw == {"type": "function_call_output", "call_id": "c1", "output": "no"}
