from __future__ import annotations

from handfast import Agent, MaxTurnsExceeded, RunErrorDetails, Runner, function_tool
from handfast.testing import ScriptedModel, function_call


@function_tool
def search(words: str) -> str:
    """Search the archive."""
    return f"3 of 40 boxes mention {words!r}"


archivist = Agent(
    name="Archivist",
    tools=[search],
    model=ScriptedModel([[function_call("search", {"words": "treaty"}, call_id="call_1")]]),
)


def main() -> None:
    try:
        Runner.run_sync(archivist, "Where is the treaty?", max_turns=1)
    except MaxTurnsExceeded as error:
        print(error)
        produced = error.run_data
        if isinstance(produced, RunErrorDetails):
            print([item.type for item in produced.new_items])
            print(produced.context_wrapper.usage.requests, "request")


if __name__ == "__main__":
    main()
