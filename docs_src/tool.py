from __future__ import annotations

from typing import Literal

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def weather(city: str, unit: Literal["C", "F"] = "C") -> str:
    """The weather in a city.

    Args:
        city: Its name, in any language.
        unit: Of the temperature.
    """
    return f"{city}: 21 {unit}, clear"


model = ScriptedModel(
    [
        [function_call("weather", {"city": "杭州", "unit": "C"}, call_id="call_1")],
        [assistant_message("杭州今天晴，21 度。")],
    ],
)
guide = Agent(name="Guide", instructions="Answer briefly.", tools=[weather], model=model)

print(Runner.run_sync(guide, "今天杭州天气怎么样？").final_output)
