from __future__ import annotations

import pytest
from pydantic import BaseModel

from handfast import Agent, ModelBehaviorError, Runner, function_tool
from handfast.runner.usable_answer import MAX_SILENT_ANSWERS
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

THOUGHT: dict[str, object] = {"type": "reasoning", "id": "rs_1", "summary": []}


class Report(BaseModel):
    text: str


@pytest.mark.parametrize("silence", [[], [THOUGHT], [assistant_message("")]])
async def test_a_model_that_says_nothing_time_after_time_ends_the_run(
    silence: list[dict[str, object]],
) -> None:
    model = ScriptedModel([silence] * 10)
    agent = Agent(name="a", model=model, output_type=Report)
    with pytest.raises(ModelBehaviorError, match="neither words nor calls"):
        await Runner.run(agent, "go", max_turns=None)
    assert len(model.calls) == MAX_SILENT_ANSWERS


async def test_a_model_that_finds_its_words_again_goes_on() -> None:
    found = [assistant_message('{"text": "x"}')]
    model = ScriptedModel([[], [], found])
    result = await Runner.run(Agent(name="a", model=model, output_type=Report), "go")
    assert result.final_output == Report(text="x")


async def test_silence_between_work_is_no_silence_in_a_row() -> None:
    @function_tool
    def work() -> str:
        """Work."""
        return "done"

    turn: list[list[dict[str, object]]] = [[THOUGHT], [THOUGHT], [function_call("work")]]
    model = ScriptedModel([*turn, *turn, [assistant_message("done")]])
    result = await Runner.run(Agent(name="a", model=model, tools=[work]), "go")
    assert result.final_output == "done"


async def test_a_call_that_was_cut_is_told_of_and_not_made() -> None:
    ran: list[str] = []

    @function_tool
    def write(text: str = "") -> str:
        """Write."""
        ran.append(text)
        return "written"

    cut = {**function_call("write", '{"text": "Once'), "status": "incomplete"}
    model = ScriptedModel([[cut], [assistant_message("done")]])
    with pytest.raises(ModelBehaviorError, match="output limit cut the call of 'write'"):
        await Runner.run(Agent(name="a", model=model, tools=[write]), "go")
    assert ran == []
