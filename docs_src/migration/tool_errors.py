from __future__ import annotations

from handfast import Agent, RunContextWrapper, Runner, ToolCallOutputItem, function_tool
from handfast.testing import ScriptedModel, assistant_message, function_call


def explain(_context: RunContextWrapper, error: Exception) -> str:
    return f"The file is not there: {error}"


@function_tool
def count(words: int) -> str:
    """Count to a number."""
    return " ".join(map(str, range(words)))


@function_tool
def read(path: str) -> str:
    """Read a file."""
    raise FileNotFoundError(f"/srv/secret/{path}")


@function_tool(failure_error_function=explain)
def read_and_explain(path: str) -> str:
    """Read a file."""
    raise FileNotFoundError(path)


model = ScriptedModel(
    [
        [
            function_call("count", {"words": "three"}, call_id="call_1"),
            function_call("read", {"path": "notes"}, call_id="call_2"),
            function_call("read_and_explain", {"path": "notes"}, call_id="call_3"),
        ],
        [assistant_message("I could not do it.")],
    ],
)
agent = Agent(name="Reader", tools=[count, read, read_and_explain], model=model)


def main() -> None:
    result = Runner.run_sync(agent, "Read my notes.")
    for item in result.new_items:
        if isinstance(item, ToolCallOutputItem):
            print(item.output)


if __name__ == "__main__":
    main()
