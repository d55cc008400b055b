"""A typed output is found where a model put it, or asked for again, or refused with its text."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from cases.case_model import agent, chat_answer, chat_stream, play, scripted, step, steps_of, texts
from cases.case_model import shown as shown_to
from handfast import InvalidFinalOutputError, RunConfig
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from provider_server import provider_server


class Spam(BaseModel):
    is_spam: bool
    why: str


class Small(BaseModel):
    a: int


FENCES = [
    "```json\n{}\n```",
    "Sure!\n```json\n{}\n```\nAnything else?",
    "```\n{}\n```",
    "```JSON\r\n{}\r\n```",
    "```json\r\n{}\r\n```\r\nand\r\n```python\r\nprint(1)\r\n```",
    "```python\nx = {{1: 2}}\n```\n```json\n{}\n```",
    "The answer is {} as you can see.",
    "{}\n\n{}",
    "  \n{}\n  ",
    "~~~json\n{}\n~~~",
    "```json\n{}",
]


@pytest.mark.parametrize("frame", FENCES)
async def test_one_value_that_fits_is_found(*, frame: str, streamed: bool) -> None:
    text = frame.replace("{}", '{"a": 1}').replace("{{", "{").replace("}}", "}")
    model = scripted([step("A", text=text)])
    result = await play(agent("A", model, output_type=Small), streamed=streamed)
    assert result.final_output == Small(a=1)


async def test_a_fence_after_a_sentence_is_read(*, streamed: bool) -> None:
    answer = chat_stream if streamed else chat_answer
    async with provider_server(*map(answer, steps_of("structured-1"))) as server:
        model = OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
        result = await play(agent("A", model, output_type=Spam), streamed=streamed)
        await model.close()
    assert result.final_output == Spam(is_spam=True, why="x")


async def test_the_search_stops_at_the_first_closing_fence(*, streamed: bool) -> None:
    model = scripted(steps_of("structured-3"))
    result = await play(agent("A", model, output_type=Small), streamed=streamed)
    assert result.final_output == Small(a=1)


WRONG = [
    "no JSON here",
    '{"b": 1}',
    '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```',
    '{"a": "x"}',
    '{"a": 1',
]


@pytest.mark.parametrize("text", WRONG)
async def test_otherwise_the_model_is_asked_again_with_the_error(
    *,
    text: str,
    streamed: bool,
) -> None:
    model = scripted([step("A", text=text), step("A", text='{"a": 3}')])
    a = agent("A", model, output_type=Small)
    result = await play(a, streamed=streamed, run_config=RunConfig(output_repairs=1))
    assert result.final_output == Small(a=3)
    told = texts(shown_to(model))
    assert told[1] == text
    assert "is no valid Small" in told[2]


@pytest.mark.parametrize("repairs", [0, 1, 3])
async def test_after_a_bounded_number_of_times_the_error_carries_the_text(
    *,
    repairs: int,
    streamed: bool,
) -> None:
    model = scripted([step("A", text=f"not JSON, number {n}") for n in range(10)])
    a = agent("A", model, output_type=Small)
    config: Any = RunConfig(output_repairs=repairs)
    with pytest.raises(InvalidFinalOutputError, match=f"not JSON, number {repairs}"):
        await play(a, streamed=streamed, run_config=config)
    assert len(model.calls) == repairs + 1
