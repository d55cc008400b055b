from __future__ import annotations

from handfast import Agent, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool(needs_approval=True)
def delete(path: str) -> str:
    """Delete a file."""
    return f"{path} is gone"


janitor = Agent(
    name="Janitor",
    tools=[delete],
    model=ScriptedModel(
        [
            [function_call("delete", {"path": "old.log"}, call_id="call_2")],
            [assistant_message("It is clean.")],
        ],
    ),
)
host = Agent(
    name="Host",
    tools=[janitor.as_tool("clean", "Cleans the disk.")],
    model=ScriptedModel(
        [
            [function_call("clean", {"input": "Clean up."}, call_id="call_1")],
            [assistant_message("The disk is clean.")],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(host, "Make space.")
    state = result.to_state()
    for question in state.get_interruptions():
        print(f"{question.agent.name} asks: {question.name} {question.arguments}")
        state.approve(question)
    print(Runner.run_sync(host, state).final_output)


if __name__ == "__main__":
    main()
