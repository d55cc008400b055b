from __future__ import annotations

from handfast import Agent, Runner, function_tool, handoff
from handfast.extensions import handoff_filters
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def search_tickets(words: str) -> str:
    """Tickets that contain the words."""
    return f"214 tickets mention {words!r}: ..."


faq_model = ScriptedModel([[assistant_message("Hold the button for five seconds.")]])
triage_model = ScriptedModel(
    [
        [function_call("search_tickets", {"words": "reset"}, call_id="call_1")],
        [function_call("transfer_to_faq_agent", {}, call_id="call_2")],
    ],
)

faq_agent = Agent(name="FAQ agent", model=faq_model)
triage_agent = Agent(
    name="Triage",
    tools=[search_tickets],
    handoffs=[handoff(agent=faq_agent, input_filter=handoff_filters.remove_all_tools)],
    model=triage_model,
)


def main() -> None:
    result = Runner.run_sync(triage_agent, "How do I reset it?")
    seen = faq_model.first_call
    assert seen is not None
    print(f"The FAQ agent sees {seen.input}")
    print(result.final_output)


if __name__ == "__main__":
    main()
