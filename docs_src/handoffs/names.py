from __future__ import annotations

from handfast import Agent, Runner
from handfast.testing import ScriptedModel, assistant_message

model = ScriptedModel([[assistant_message("你好！")]])
specialists = [
    Agent(name="Refund Agent", model=model),
    Agent(name="refund-agent", model=model),
    Agent(name="退款", model=model),
    Agent(name="发票", model=model),
    Agent(name="Élodie (VIP)", model=model),
    Agent(name="🚀" * 200, model=model),
]
triage = Agent(name="前台", handoffs=[*specialists], model=model)


def main() -> None:
    Runner.run_sync(triage, "你好")
    shown = model.first_call
    assert shown is not None
    for offered in shown.handoffs:
        print(f"{offered.tool_name} <- {offered.agent_name[:12]}")


if __name__ == "__main__":
    main()
