from __future__ import annotations

import io
import sys

import pytest

from handfast import Agent, function_tool, run_demo_loop
from handfast.testing import ScriptedModel, assistant_message, function_call


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a person types."""
    keyboard = io.StringIO()
    monkeypatch.setattr(sys, "stdin", keyboard)
    return keyboard


def types(keyboard: io.StringIO, text: str) -> None:
    keyboard.write(text)
    keyboard.seek(0)


@function_tool
def look_up() -> str:
    """Looks it up."""
    return "found"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_conversation_goes_on_until_the_last_word(
    typed: io.StringIO,
    capsys: pytest.CaptureFixture[str],
    *,
    stream: bool,
) -> None:
    types(typed, "Hi\n\nAnd you?\nquit\nnever\n")
    model = ScriptedModel([[assistant_message("hello")], [assistant_message("fine")]])
    await run_demo_loop(Agent(name="A", model=model), stream=stream)
    out = capsys.readouterr().out
    assert "hello" in out
    assert "fine" in out
    assert model.last_call is not None
    assert [item["content"] for item in model.last_call.input if item["role"] == "user"] == [  # type: ignore[index]  # a list of mappings
        "Hi",
        "And you?",
    ]
    model.assert_complete()


async def test_tools_and_handoffs_are_told_of(
    typed: io.StringIO,
    capsys: pytest.CaptureFixture[str],
) -> None:
    types(typed, "Hi\n")
    model = ScriptedModel(
        [
            [function_call("look_up")],
            [function_call("transfer_to_boss")],
            [assistant_message("done")],
        ],
    )
    boss = Agent(name="Boss", model=model)
    await run_demo_loop(Agent(name="A", model=model, tools=[look_up], handoffs=[boss]))
    out = capsys.readouterr().out
    for told in ("[tool called]", "[tool output: found]", "[Agent updated: Boss]", "done"):
        assert told in out
