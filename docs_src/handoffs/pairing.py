from __future__ import annotations

from handfast import Agent, HandoffInputData, Runner, function_tool, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def search(words: str) -> str:
    """Search the archive."""
    return "three boxes " * 1_000


def without_outputs(data: HandoffInputData) -> HandoffInputData:
    """Drops long outputs, and forgets that their calls stay behind."""
    kept = tuple(each for each in data.pre_handoff_items if each.type != "tool_call_output_item")
    return data.clone(pre_handoff_items=kept)


writer_model = ScriptedModel([[assistant_message("It is in three boxes.")]])
writer = Agent(name="Writer", model=writer_model)
clerk = Agent(
    name="Clerk",
    tools=[search],
    handoffs=[handoff(writer, input_filter=without_outputs)],
    model=ScriptedModel(
        [
            [function_call("search", {"words": "treaty"}, call_id="call_1")],
            [function_call("transfer_to_writer", {}, call_id="call_2")],
        ],
    ),
)


def main() -> None:
    Runner.run_sync(clerk, "Where is the treaty?")
    seen = writer_model.first_call
    assert seen is not None
    assert isinstance(seen.input, list)
    for item in seen.input:
        print(item.get("role") or item["type"], item.get("call_id"))


if __name__ == "__main__":
    main()
