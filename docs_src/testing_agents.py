from __future__ import annotations

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call

added: list[str] = []


@function_tool
def add(item: str) -> str:
    """Put something on the list."""
    added.append(item)
    return "added"


def test_the_agent_puts_what_was_asked_for_on_the_list() -> None:
    model = ScriptedModel(
        [
            [function_call("add", {"item": "milk"}, call_id="call_1")],
            [assistant_message("Milk is on the list.")],
        ],
    )
    keeper = Agent(name="Keeper", tools=[add], model=model)

    result = Runner.run_sync(keeper, "We are out of milk.")

    assert added == ["milk"]
    assert result.final_output == "Milk is on the list."
    model.assert_complete()


test_the_agent_puts_what_was_asked_for_on_the_list()
