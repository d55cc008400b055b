"""A person's yes holds for what was shown, and secrets stay where they belong."""

from __future__ import annotations

import logging
import traceback
from typing import Any

import pytest

from cases.case_model import agent, outputs, play, scripted, shown, step, steps_of
from handfast import Model, RunState, function_tool
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import json_answer, provider_server


def deleting(ran: list[str]) -> Any:
    @function_tool(needs_approval=True)
    def delete(path: str) -> str:
        """Delete."""
        ran.append(path)
        return f"deleted {path}"

    return delete


SCRIPT = steps_of("security-1")


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("second_id", ["c1", "c2"])
async def test_a_yes_holds_for_that_call_with_those_arguments(
    *,
    stored: bool,
    always: bool,
    second_id: str,
    streamed: bool,
) -> None:
    ran: list[str] = []
    first, second = SCRIPT
    second = {**second, "calls": [{**second["calls"][0], "id": second_id}]}
    model = scripted([first, second, step("A", text="done")])
    a = agent("A", model, tools=[deleting(ran)])
    paused = await play(a, streamed=streamed)
    state = paused.to_state()
    state.approve(state.get_interruptions()[0], always_approve=always)
    if stored:
        state = await RunState.from_string(a, state.to_string())
    result = await play(a, state, streamed=streamed)
    if always:
        assert result.final_output == "done"
        assert ran == ["/tmp/a", "/home"]  # noqa: S108 - a name in a script
        return
    assert ran == ["/tmp/a"]  # noqa: S108 - a name in a script
    assert [item.arguments for item in result.interruptions] == ['{"path": "/home"}']
    again = result.to_state()
    again.reject(again.get_interruptions()[0])
    result = await play(a, again, streamed=streamed)
    assert result.final_output == "done"
    assert ran == ["/tmp/a"]  # noqa: S108 - a name in a script
    assert "Tool execution was not approved." in outputs(shown(model)).values()


SECRETS = ["hunter2", "tok-123456"]


@pytest.mark.parametrize("kind", [OpenAIChatCompletionsModel, OpenAIResponsesModel])
@pytest.mark.parametrize("failure", ["refused", "status", "nonsense"])
async def test_an_address_is_shown_without_the_secrets_in_it(
    *,
    kind: Any,
    failure: str,
    streamed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = (
        json_answer({"error": {"message": "no"}}, 500) if failure == "status" else json_answer([])
    )
    async with provider_server(answer) as server:
        port = "9" if failure == "refused" else server.url.split(":")[2].partition("/")[0]
        url = f"http://me:hunter2@127.0.0.1:{port}/v1?token=tok-123456"
        model: Model = kind("m", base_url=url, api_key="sk-key-123456", max_retries=0)
        with caplog.at_level(logging.DEBUG, "handfast"), pytest.raises(Exception) as caught:  # noqa: PT011 - any
            await play(agent("A", model), streamed=streamed)
        told = "".join(traceback.format_exception(caught.value, chain=False))
        for text in (str(caught.value), repr(caught.value), told, repr(model), caplog.text):
            assert not [secret for secret in (*SECRETS, "sk-key") if secret in text], text
        assert "127.0.0.1" in str(caught.value)
        await model.close()
