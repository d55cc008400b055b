from __future__ import annotations

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"{city}: rain"


def test_the_guide_is_told_the_date_and_offered_the_weather() -> None:
    model = ScriptedModel(
        [
            [function_call("weather", {"city": "Oslo"}, call_id="call_1")],
            [assistant_message("Take an umbrella.")],
        ],
    )
    guide = Agent(name="Guide", instructions="Today is Monday.", tools=[weather], model=model)

    Runner.run_sync(guide, "What shall I wear in Oslo?")

    first, second = model.calls
    assert first.system_instructions == "Today is Monday."
    assert [tool.name for tool in first.tools] == ["weather"]
    assert second.input[-1] == {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": "Oslo: rain",
    }
    model.assert_complete()


if __name__ == "__main__":
    test_the_guide_is_told_the_date_and_offered_the_weather()
