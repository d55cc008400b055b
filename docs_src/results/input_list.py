from __future__ import annotations

from handfast import Agent, RunConfig, Runner, TResponseInputItem
from handfast.testing import ScriptedModel, assistant_message, function_call

writer = Agent(name="Writer", model=ScriptedModel([[assistant_message("Dear shop, ...")]]))
clerk = Agent(
    name="Clerk",
    handoffs=[writer],
    model=ScriptedModel(
        [
            [assistant_message("I am sorry to hear that.")],
            [function_call("transfer_to_writer", {}, call_id="call_1")],
        ],
    ),
)


def words(items: list[TResponseInputItem]) -> list[object]:
    return [item.get("role") or item["type"] for item in items]


def main() -> None:
    first = Runner.run_sync(clerk, "My lamp is broken.")
    # The next run goes on with what was said.
    asked = {"role": "user", "content": "Write to the shop for me."}
    conversation = [*first.to_input_list(), asked]
    nesting = RunConfig(nest_handoff_history=True)
    second = Runner.run_sync(clerk, conversation, run_config=nesting)
    print("preserve_all:", words(second.to_input_list()))
    print("normalized:", words(second.to_input_list(mode="normalized")))


if __name__ == "__main__":
    main()
