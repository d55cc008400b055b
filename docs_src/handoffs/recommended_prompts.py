from __future__ import annotations

from handfast import Agent
from handfast.extensions.handoff_prompt import (
    RECOMMENDED_PROMPT_PREFIX,
    prompt_with_handoff_instructions,
)

billing_agent = Agent(
    name="Billing agent",
    instructions=f"""{RECOMMENDED_PROMPT_PREFIX}
You answer questions about invoices. Never guess an amount.""",
)

refund_agent = Agent(
    name="Refund agent",
    instructions=prompt_with_handoff_instructions("You refund what was paid."),
)


def main() -> None:
    print(refund_agent.instructions)


if __name__ == "__main__":
    main()
