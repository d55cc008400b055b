from __future__ import annotations

from types import SimpleNamespace

import pytest

from handfast.tracing import (
    AgentSpanData,
    CustomSpanData,
    FunctionSpanData,
    GenerationSpanData,
    GuardrailSpanData,
    HandoffSpanData,
    MCPListToolsSpanData,
    ResponseSpanData,
    SpanData,
    TaskSpanData,
    TurnSpanData,
)


@pytest.mark.parametrize(
    ("data", "exported"),
    [
        (
            AgentSpanData("a", ["b"], ["t"], "str", {"hidden": 1}),
            {"type": "agent", "name": "a", "handoffs": ["b"], "tools": ["t"], "output_type": "str"},
        ),
        (
            FunctionSpanData("f", "{}", 7),
            {"type": "function", "name": "f", "input": "{}", "output": "7", "mcp_data": None},
        ),
        (
            GenerationSpanData(model="m", usage={"input_tokens": 1}),
            {
                "type": "generation",
                "input": None,
                "output": None,
                "model": "m",
                "model_config": None,
                "usage": {"input_tokens": 1},
            },
        ),
        (
            ResponseSpanData(SimpleNamespace(id="resp_1")),
            {"type": "response", "response_id": "resp_1", "usage": None},
        ),
        (
            ResponseSpanData(response_id="resp_2"),
            {"type": "response", "response_id": "resp_2", "usage": None},
        ),
        (HandoffSpanData("a", "b"), {"type": "handoff", "from_agent": "a", "to_agent": "b"}),
        (CustomSpanData("c", {"k": 1}), {"type": "custom", "name": "c", "data": {"k": 1}}),
        (
            GuardrailSpanData("g", triggered=True),
            {"type": "guardrail", "name": "g", "triggered": True},
        ),
        (
            MCPListToolsSpanData("s", ["t"]),
            {"type": "mcp_tools", "server": "s", "result": ["t"]},
        ),
    ],
)
def test_each_kind_exports_its_own_fields(data: SpanData, exported: dict[str, object]) -> None:
    assert data.export() == exported
    assert data.type == exported["type"]


def test_runs_and_turns_are_custom_spans_to_readers_that_do_not_know_them() -> None:
    task, turn = TaskSpanData("w", {"requests": 1}), TurnSpanData(2, "a")
    assert (task.type, turn.type) == ("task", "turn")
    assert task.export() == {
        "type": "custom",
        "name": "task",
        "data": {"sdk_span_type": "task", "name": "w", "usage": {"requests": 1}},
    }
    assert turn.export() == {
        "type": "custom",
        "name": "turn",
        "data": {"sdk_span_type": "turn", "turn": 2, "agent_name": "a"},
    }
    assert "usage" not in TaskSpanData("w").export()["data"]  # type: ignore[operator]  # a dict
    turn.usage = {"input_tokens": 1}
    assert turn.export()["data"]["usage"] == {"input_tokens": 1}  # type: ignore[index]  # a dict
