from __future__ import annotations

from collections.abc import Mapping

import pytest

from handfast.agents.agent import Agent
from handfast.agents.context import RunContextWrapper
from handfast.agents.prompt import GenerateDynamicPromptData, Prompt, PromptField, prompt_of
from handfast.errors import UserError


async def made(given: PromptField | None) -> Mapping[str, object] | None:
    return await prompt_of(given, RunContextWrapper({"who": "Ada"}), Agent(name="Guide"))


async def test_no_prompt_is_none() -> None:
    assert await made(None) is None


async def test_a_prompt_is_sent_with_all_its_keys() -> None:
    prompt: Prompt = {"id": "p_1", "variables": {"city": "杭州"}}
    assert await made(prompt) == {"id": "p_1", "version": None, "variables": {"city": "杭州"}}


async def test_a_function_names_the_prompt_from_context_and_agent() -> None:
    def name(data: GenerateDynamicPromptData) -> Prompt:
        return {"id": f"{data.agent.name}-{data.context.context['who']}"}

    assert await made(name) == {"id": "Guide-Ada", "version": None, "variables": None}


async def test_an_async_function_does_too() -> None:
    async def name(_data: GenerateDynamicPromptData) -> Prompt:
        return {"id": "p_2"}

    found = await made(name)
    assert found is not None
    assert found["id"] == "p_2"


@pytest.mark.parametrize("odd", [{}, {"id": 7}])
async def test_a_prompt_without_an_id_is_refused(odd: dict[str, object]) -> None:
    with pytest.raises(UserError, match="'id'"):
        await made(odd)
