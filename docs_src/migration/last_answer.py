from __future__ import annotations

from handfast import Agent, MaxTurnsExceeded, RunConfig, Runner, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def search(words: str) -> str:
    """Search the archive."""
    return f"3 of 40 boxes mention {words!r}"


def archivist() -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(
        [
            [function_call("search", {"words": "treaty"}, call_id="call_1")],
            [function_call("search", {"words": "1648"}, call_id="call_2")],
            [assistant_message("I found it in three boxes, and have not looked at the others.")],
        ],
    )
    return Agent(name="Archivist", tools=[search], model=model), model


def main() -> None:
    agent, _ = archivist()
    try:
        Runner.run_sync(agent, "Where is the treaty?", max_turns=2)
    except MaxTurnsExceeded as error:
        print(error)

    agent, model = archivist()
    config = RunConfig(max_turns_behavior="answer_without_tools")
    result = Runner.run_sync(agent, "Where is the treaty?", max_turns=2, run_config=config)
    print(result.final_output)
    last = model.last_call
    assert last is not None
    print(f"tools offered in the last call: {len(last.tools)}")


if __name__ == "__main__":
    main()
