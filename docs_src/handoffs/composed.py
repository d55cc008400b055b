from __future__ import annotations

from handfast import Agent, ItemHelpers, Runner, TResponseInputItem, handoff
from handfast.extensions.handoff_filters import (
    compose,
    drop_reasoning,
    keep_last_turns,
    remove_all_tools,
)
from handfast.testing import ScriptedModel, assistant_message, function_call

writer_model = ScriptedModel([[assistant_message("Dear customer, ...")]])
writer = Agent(name="Writer", model=writer_model)
clerk = Agent(
    name="Clerk",
    handoffs=[
        handoff(
            writer,
            input_filter=compose(remove_all_tools, drop_reasoning, keep_last_turns(2)),
        ),
    ],
    model=ScriptedModel(
        [
            [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                assistant_message("I ask the writer."),
                function_call("transfer_to_writer", {}, call_id="call_1"),
            ],
        ],
    ),
)


def words_of(item: TResponseInputItem) -> object:
    content = item["content"]
    return content if isinstance(content, str) else ItemHelpers.extract_text(item)


def main() -> None:
    result = Runner.run_sync(
        clerk,
        [
            {"role": "user", "content": "Hello."},
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "My lamp is broken."},
            {"role": "assistant", "content": "I am sorry to hear that."},
            {"role": "user", "content": "Write to the shop for me."},
        ],
    )
    seen = writer_model.first_call
    assert seen is not None
    assert isinstance(seen.input, list)
    for item in seen.input:
        print(f"{item['role']}: {words_of(item)}")
    print([item.type for item in result.new_items])


if __name__ == "__main__":
    main()
