"""Words about handoffs."""

from __future__ import annotations

from handfast.extensions.handoff_prompt import (
    RECOMMENDED_PROMPT_PREFIX,
    prompt_with_handoff_instructions,
)


def test_the_prefix_explains_agents_handoffs_and_silence_about_them() -> None:
    for word in ("multi-agent", "agents", "handoffs", "transfer_to_<agent_name>", "do not mention"):
        assert word in RECOMMENDED_PROMPT_PREFIX


def test_a_prompt_keeps_its_words_after_the_prefix() -> None:
    made = prompt_with_handoff_instructions("你是翻译。")
    assert made.startswith(RECOMMENDED_PROMPT_PREFIX)
    assert made.endswith("\n\n你是翻译。")
