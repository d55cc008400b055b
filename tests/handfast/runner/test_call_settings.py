from __future__ import annotations

from typing import Any

import pytest

from handfast import (
    Agent,
    InMemorySession,
    ModelRequest,
    ModelSettings,
    ModelTracing,
    RunConfig,
    Runner,
    RunState,
    function_tool,
)
from handfast.runner.call_settings import UNLIMITED_SECONDS
from handfast.testing import ScriptedModel, assistant_message, function_call


class Caching(ScriptedModel):
    def takes_prompt_cache_key(self) -> bool:
        return True


@function_tool
def look() -> str:
    """Look."""
    return "seen"


async def settings_of(config: RunConfig | None = None, **fields: Any) -> list[ModelSettings]:
    """The settings of two calls of a run."""
    model = Caching([[function_call("look")], [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[look], **fields)
    await Runner.run(agent, "hi", run_config=config)
    return [call.model_settings for call in model.calls]


def key_of(settings: ModelSettings) -> str:
    key = (settings.extra_args or {})["prompt_cache_key"]
    assert isinstance(key, str)
    return key


async def test_requests_of_a_run_share_a_cache_key_that_no_other_run_has() -> None:
    first, second = await settings_of()
    assert key_of(first) == key_of(second)
    assert key_of(first) != key_of((await settings_of())[0])


async def test_runs_of_a_conversation_share_a_key_that_does_not_tell_its_id() -> None:
    grouped = RunConfig(group_id="thread-123")
    key = key_of((await settings_of(grouped))[0])
    assert key == key_of((await settings_of(grouped))[0])
    assert "thread-123" not in key
    keys: list[str] = []
    for _ in range(2):
        model = Caching([[assistant_message("done")]])
        await Runner.run(Agent(name="a", model=model), "hi", session=InMemorySession("s-1"))
        keys.append(key_of(model.calls[0].model_settings))
    assert keys[0] == keys[1] != key


def clerk(*, waits_inside: bool) -> tuple[Agent[Any], Caching, Caching]:
    """An agent that asks a helper, and waits for a person: itself, or inside the helper."""

    @function_tool(needs_approval=True)
    def sign() -> str:
        return "signed"

    inner = Caching([[function_call("sign")], [assistant_message("helped")]])
    helper = Agent(name="helper", model=inner, tools=[sign])
    asked = function_call("help", {"input": "x"}) if waits_inside else function_call("sign")
    outer = Caching([[asked], [assistant_message("done")]])
    tools: list[Any] = [sign, helper.as_tool("help", "Help.")]
    return Agent(name="clerk", model=outer, tools=tools), outer, inner


@pytest.mark.parametrize("waits_inside", [False, True])
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_run_that_goes_on_in_another_process_keeps_its_key(
    *,
    waits_inside: bool,
    streamed: bool,
) -> None:
    agent, *before = clerk(waits_inside=waits_inside)
    text = (await Runner.run(agent, "hi")).to_state().to_string()
    again, *after = clerk(waits_inside=waits_inside)
    for model in after:
        await model.respond(ModelRequest(None, "skip what was said before"))
    state = await RunState.from_string(again, text)
    state.approve(state.get_interruptions()[0])
    if streamed:
        result = Runner.run_streamed(again, state)
        assert [event async for event in result.stream_events()]
        assert result.final_output == "done"
    else:
        assert (await Runner.run(again, state)).final_output == "done"
    keys = [
        {key_of(call.model_settings) for call in [*old.calls, *new.calls[1:]]}
        for old, new in zip(before, after, strict=True)
    ]
    assert [len(each) for each in keys] == [1, int(waits_inside)]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("place", ["extra_args", "extra_body"])
async def test_a_key_that_somebody_chose_stays(place: str) -> None:
    chosen = ModelSettings.of({place: {"prompt_cache_key": "mine"}})
    first, _ = await settings_of(model_settings=chosen)
    assert getattr(first, place) == {"prompt_cache_key": "mine"}
    assert (first.extra_args is None) is (place == "extra_body")


async def test_a_model_that_knows_no_cache_key_gets_none() -> None:
    model = ScriptedModel([[assistant_message("done")]])
    await Runner.run(Agent(name="a", model=model), "hi")
    assert model.calls[0].model_settings.extra_args is None


@pytest.mark.parametrize(
    ("own", "run", "told"),
    [(None, 30.0, 30.0), (5.0, 30.0, 5.0), (None, None, UNLIMITED_SECONDS)],
)
async def test_a_model_is_told_the_deadline_that_it_is_held_to(
    own: float | None,
    run: float | None,
    told: float,
) -> None:
    config = RunConfig(model_timeout=run)
    first, _ = await settings_of(config, model_settings=ModelSettings(timeout=own))
    assert first.timeout == told


async def test_a_forced_choice_is_lifted_once_a_tool_was_called() -> None:
    forced = ModelSettings(tool_choice="look")
    first, second = await settings_of(model_settings=forced)
    assert (first.tool_choice, second.tool_choice) == ("look", None)
    _, kept = await settings_of(model_settings=forced, reset_tool_choice=False)
    assert kept.tool_choice == "look"


@pytest.mark.parametrize(
    ("config", "tracing"),
    [
        (RunConfig(), ModelTracing.ENABLED),
        (RunConfig(trace_include_sensitive_data=False), ModelTracing.ENABLED_WITHOUT_DATA),
        (RunConfig(tracing_disabled=True), ModelTracing.DISABLED),
    ],
)
async def test_a_model_is_told_what_it_may_record(config: RunConfig, tracing: ModelTracing) -> None:
    model = ScriptedModel([[assistant_message("done")]])
    await Runner.run(Agent(name="a", model=model), "hi", run_config=config)
    assert model.calls[0].tracing is tracing
