from __future__ import annotations

from handfast import Agent, RunContextWrapper, Runner, handoff
from handfast.testing import ScriptedModel, assistant_message, function_call


def on_handoff(context: RunContextWrapper[list[str]]) -> None:
    context.context.append("the librarian is on her way")


def in_opening_hours(context: RunContextWrapper[list[str]], _agent: Agent[list[str]]) -> bool:
    return "closed" not in context.context


model = ScriptedModel(
    [
        [function_call("ask_the_librarian", {}, call_id="call_1")],
        [assistant_message("Third shelf on the left.")],
    ],
)
librarian = Agent[list[str]](name="Librarian", model=model)
desk = Agent[list[str]](
    name="Desk",
    handoffs=[
        handoff(
            agent=librarian,
            on_handoff=on_handoff,
            tool_name_override="ask_the_librarian",
            tool_description_override="For anything about where books stand.",
            is_enabled=in_opening_hours,
        ),
    ],
    model=model,
)


def main() -> None:
    notes: list[str] = []
    result = Runner.run_sync(desk, "Where is Moby-Dick?", context=notes)
    print(notes)
    print(f"{result.last_agent.name}: {result.final_output}")


if __name__ == "__main__":
    main()
