"""Agents have any name; what a provider is sent has the form that providers take."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from cases.case_model import agent, events_of, play, scripted, steps_of
from handfast import (
    Agent,
    FunctionTool,
    HandoffOutputItem,
    RunContextWrapper,
    Runner,
    function_tool,
)
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ModelCall, ScriptedModel

ACCEPTED = re.compile(r"[a-zA-Z0-9_-]{1,64}")
NAMES = [
    ["规划", "Élodie", "Агент"],
    ["规划", "規劃", "规划 2", "规划_2"],
    ["🚀", "🛸", "e\u0301lodie", "Élodie"],
    ["x" * 200, "x" * 201, "规" * 200],
    ["Refund Agent", "refund agent", "refund-agent", "refund_agent"],
    [" ", "  ", "-", "."],
]


def offered(call: ModelCall) -> list[str]:
    return [*(tool.name for tool in call.tools), *(each.tool_name for each in call.handoffs)]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("n", [0, 1, 2])
async def test_any_agent_can_be_handed_over_to_and_used_as_a_tool(
    *,
    names: Sequence[str],
    n: int,
    streamed: bool,
) -> None:
    first, last = steps_of("names-1")
    model = ScriptedModel()
    targets = [Agent(name=name, model=model) for name in names]
    tools = [target.as_tool(None, "asks it") for target in targets]
    a = agent("A", model, handoffs=targets, tools=tools)
    model.enqueue([assistant_message("listed")])
    await Runner.run(a, "go")
    called = offered(model.calls[0])
    assert all(ACCEPTED.fullmatch(name) for name in called)
    assert len(set(called)) == len(called) == 2 * len(names)
    chosen = called[len(names) + n]
    model.extend([[function_call(chosen, first["calls"][0]["args"])]])
    model.enqueue([assistant_message(last["text"])])
    result = await play(a, streamed=streamed)
    assert result.final_output == "好的"
    assert result.last_agent is targets[n]
    taken = [item for item in result.new_items if isinstance(item, HandoffOutputItem)]
    assert taken[0].target_agent.name == names[n]


async def test_a_name_stays_as_written_in_events_and_history() -> None:
    first, last = steps_of("names-1")
    model = ScriptedModel()
    target = agent("规划", model)
    a = agent("A", model, handoffs=[target])
    model.enqueue([assistant_message("listed")])
    await Runner.run(a, "go")
    names = {"<the name offered for 规划>": offered(model.calls[0])[0]}
    model = scripted([first, last], names)
    a.model = target.model = model
    result = Runner.run_streamed(a, "go")
    events = await events_of(result)
    told = [event.new_agent.name for event in events if event.type == "agent_updated_stream_event"]
    assert told == ["A", "规划"]
    assert "规划" in str(result.to_input_list())


def test_names_are_the_same_in_every_process() -> None:
    code = (
        "from handfast import Agent, Handoff; "
        "print([Handoff.default_tool_name(Agent(name=n)) for n in ['规划', 'Élodie', 'Агент']])"
    )
    said = {
        subprocess.run(  # noqa: S603 - this interpreter, a fixed text
            [sys.executable, "-X", "utf8", "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            timeout=30,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


LONG = "company.long-server-name"


class Server:
    """A tool server whose tools have names as they come."""

    name = LONG

    def __init__(self, names: Sequence[str]) -> None:
        self.called: list[str] = []
        self._names = names

    async def list_function_tools(self, context: RunContextWrapper, agent: Any) -> list[Any]:  # noqa: ARG002 - the protocol's
        return [self._tool(name) for name in self._names]

    def _tool(self, name: str) -> FunctionTool:
        async def invoke(_context: Any, _arguments: str) -> str:
            self.called.append(name)
            return f"{name} ran"

        schema: dict[str, object] = {"type": "object", "properties": {}}
        return FunctionTool(name, "", schema, invoke, strict_json_schema=False)


@pytest.mark.parametrize(
    "names",
    [
        [f"{LONG}_{'t' * 46}", f"{LONG}_{'t' * 46}2", "short"],
        ["a.b", "a_b", "a b"],
        ["搜索", "查找", "search"],
        ["x" * 64, "x" * 65, "x" * 66],
    ],
)
async def test_tools_with_names_that_providers_refuse_are_offered_and_reached(
    *,
    names: Sequence[str],
    streamed: bool,
) -> None:
    first, last = steps_of("names-3")
    server = Server(names)
    model = ScriptedModel([[assistant_message("listed")]])
    a = agent("A", model, mcp_servers=[server])
    await Runner.run(a, "go")
    sent = offered(model.calls[0])
    assert all(ACCEPTED.fullmatch(name) for name in sent)
    assert len(set(sent)) == len(names)
    for name, wanted in zip(sent, names, strict=True):
        model = scripted([first, last], {"<the shortened name>": name})
        a.model = model
        result = await play(a, streamed=streamed)
        assert result.final_output == "done"
        assert server.called.pop() == wanted


async def test_a_function_tool_with_a_long_name_does_not_stop_the_agent(*, streamed: bool) -> None:
    first, last = steps_of("names-3")
    ran: list[str] = []

    @function_tool(name_override=f"{LONG}_{'t' * 46}")
    def long_one() -> str:
        """Long."""
        ran.append("long")
        return "ran"

    model = scripted([first, last], {"<the shortened name>": long_one.name})
    result = await play(agent("A", model, tools=[long_one]), streamed=streamed)
    assert ACCEPTED.fullmatch(offered(model.calls[0])[0])
    assert result.final_output == "done"
    assert ran == ["long"]
