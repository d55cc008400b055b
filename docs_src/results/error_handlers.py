from __future__ import annotations

from handfast import Agent, RunErrorHandlerInput, RunErrorHandlerResult, Runner, function_tool
from handfast.testing import ScriptedModel, function_call, refusal_message


@function_tool
def search(words: str) -> str:
    """Search the archive."""
    return f"3 of 40 boxes mention {words!r}"


def too_long(failed: RunErrorHandlerInput) -> str:
    """Its result is the output, and enters the conversation."""
    return f"I stopped after {len(failed.run_data.raw_responses)} searches."


async def refused(_failed: RunErrorHandlerInput) -> RunErrorHandlerResult:
    return RunErrorHandlerResult("Please ask a person.", include_in_history=False)


def main() -> None:
    searching = [function_call("search", {"words": "treaty"}, call_id="call_1")]
    archivist = Agent(name="Archivist", tools=[search], model=ScriptedModel([searching]))
    result = Runner.run_sync(
        archivist,
        "Where is the treaty?",
        max_turns=1,
        error_handlers={"max_turns": too_long},
    )
    print(result.final_output, result.new_items[-1].type)

    model = ScriptedModel([[refusal_message("I cannot help with that.")]])
    result = Runner.run_sync(
        Agent(name="Archivist", model=model),
        "Where is the gold?",
        error_handlers={"model_refusal": refused},
    )
    print(result.final_output, len(result.new_items))


if __name__ == "__main__":
    main()
