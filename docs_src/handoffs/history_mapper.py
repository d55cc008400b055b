from __future__ import annotations

from handfast import Agent, RunConfig, Runner, TResponseInputItem
from handfast.testing import ScriptedModel, assistant_message, function_call


def users_words(transcript: list[TResponseInputItem]) -> list[TResponseInputItem]:
    """The receiver's whole input, made of the flat conversation so far."""
    return [item for item in transcript if item.get("role") == "user"]


writer_model = ScriptedModel([[assistant_message("Dear customer, ...")]])
writer = Agent(name="Writer", model=writer_model)
clerk = Agent(
    name="Clerk",
    handoffs=[writer],
    model=ScriptedModel(
        [
            [
                assistant_message("I ask the writer."),
                function_call("transfer_to_writer", {}, call_id="call_1"),
            ],
        ],
    ),
)


def main() -> None:
    config = RunConfig(nest_handoff_history=True, handoff_history_mapper=users_words)
    Runner.run_sync(clerk, "Write to the shop.", run_config=config)
    seen = writer_model.first_call
    assert seen is not None
    print(seen.input)


if __name__ == "__main__":
    main()
