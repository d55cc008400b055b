from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handfast import (
    Agent,
    AgentHooks,
    CallModelData,
    Model,
    ModelInputData,
    ModelProvider,
    ModelSettings,
    ModelTimeoutError,
    RateLimitError,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    UserError,
    function_tool,
)
from handfast.testing.messages import assistant_message, function_call
from handfast.testing.scripted_model import ScriptedModel

HI = [assistant_message("hi")]


@function_tool
def act() -> str:
    """Act."""
    return "acted"


async def test_the_runs_model_and_settings_come_over_the_agents() -> None:
    own, runs = ScriptedModel(), ScriptedModel([HI])
    agent = Agent(
        name="a",
        model=own,
        model_settings=ModelSettings(temperature=0.1, top_p=0.9, extra_args={"x": 1}),
    )
    config = RunConfig(
        model=runs,
        model_settings=ModelSettings(temperature=0.5, extra_args={"y": 2}),
    )
    await Runner.run(agent, "go", run_config=config)
    assert runs.last_call is not None
    settings = runs.last_call.model_settings
    assert (settings.temperature, settings.top_p) == (0.5, 0.9)
    assert settings.extra_args == {"x": 1, "y": 2}
    assert own.calls == ()


async def test_a_model_is_found_by_its_name_once() -> None:
    asked: list[str | None] = []

    class Provider(ModelProvider):
        def get_model(self, model_name: str | None) -> Model:
            asked.append(model_name)
            return ScriptedModel([[function_call("act")], HI])

    config = RunConfig(model_provider=Provider())
    await Runner.run(Agent(name="a", model="gpt-x", tools=[act]), "go", run_config=config)
    await Runner.run(Agent(name="a", tools=[act]), "go", run_config=config)
    assert asked == ["gpt-x", None]


async def test_a_forced_tool_choice_is_lifted_after_a_tool_was_called() -> None:
    steps = [[function_call("act")], HI]
    settings = ModelSettings(tool_choice="required")
    for reset, expected in ((True, ["required", None]), (False, ["required", "required"])):
        model = ScriptedModel(steps)
        agent = Agent(
            name="a",
            model=model,
            tools=[act],
            model_settings=settings,
            reset_tool_choice=reset,
        )
        await Runner.run(agent, "go")
        assert [call.model_settings.tool_choice for call in model.calls] == expected


async def test_a_model_that_does_not_answer_costs_its_deadline() -> None:
    class Silent(Model):
        async def respond(self, request: Any, observe: Any = None) -> Any:
            del request, observe
            await asyncio.Event().wait()

    with pytest.raises(ModelTimeoutError, match=r"0\.01"):
        await Runner.run(
            Agent(name="a", model=Silent()),
            "go",
            run_config=RunConfig(model_timeout=0.01),
        )
    agent = Agent(name="a", model=Silent(), model_settings=ModelSettings(timeout=0.02))
    with pytest.raises(ModelTimeoutError, match=r"0\.02"):
        await Runner.run(agent, "go")


async def test_a_models_error_ends_the_run_and_keeps_what_was_found() -> None:
    error = RateLimitError("slow down", status=429, retry_after=3)
    model = ScriptedModel([[function_call("act")], error])
    with pytest.raises(RateLimitError) as caught:
        await Runner.run(Agent(name="a", model=model, tools=[act]), "go")
    assert caught.value is error
    data: Any = error.run_data
    assert [item.type for item in data.new_items] == ["tool_call_item", "tool_call_output_item"]
    assert data.context_wrapper.usage.requests == 1


async def test_an_input_filter_edits_what_this_call_shows_and_nothing_else() -> None:
    def edit(data: CallModelData) -> ModelInputData:
        assert data.context == "ctx"
        assert data.agent.name == "a"
        kept = data.model_data.input[-1:]
        return ModelInputData(input=kept, instructions="edited")

    model = ScriptedModel([[function_call("act")], HI])
    result = await Runner.run(
        Agent(name="a", model=model, tools=[act], instructions="orig"),
        "go",
        context="ctx",
        run_config=RunConfig(call_model_input_filter=edit),
    )
    assert [len(call.input) for call in model.calls] == [1, 1]
    assert model.calls[0].system_instructions == "edited"
    assert len(result.to_input_list()) == 4


async def test_an_input_filter_that_returns_something_else_is_the_users_mistake() -> None:
    config = RunConfig(call_model_input_filter=lambda _: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(UserError, match="ModelInputData"):
        await Runner.run(Agent(name="a", model=ScriptedModel([HI])), "go", run_config=config)


async def test_hooks_are_told_in_order() -> None:
    told: list[str] = []

    class Run(RunHooks[Any, Any]):
        async def on_agent_start(self, context: Any, agent: Any) -> None:
            del context
            told.append(f"start {agent.name}")

        async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
            del context
            told.append(f"end {agent.name} {output}")

        async def on_llm_start(
            self,
            context: Any,
            agent: Any,
            system_prompt: Any,
            input_items: Any,
        ) -> None:
            del context
            told.append(f"ask {agent.name} {system_prompt} {len(input_items)}")

        async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
            del context, agent
            told.append(f"answered {len(response.output)}")

    class Own(AgentHooks[Any, Any]):
        async def on_start(self, context: Any, agent: Any) -> None:
            del context, agent
            told.append("own start")

        async def on_end(self, context: Any, agent: Any, output: Any) -> None:
            del context, agent, output
            told.append("own end")

    model = ScriptedModel([[function_call("act")], HI])
    agent = Agent(name="a", model=model, tools=[act], instructions="sys", hooks=Own())
    await Runner.run(agent, "go", hooks=Run())
    assert told == [
        "start a",
        "own start",
        "ask a sys 1",
        "answered 1",
        "ask a sys 3",
        "answered 1",
        "end a hi",
        "own end",
    ]


async def test_a_hook_that_raises_ends_the_run_with_its_exception() -> None:
    class Broken(RunHooks[Any, Any]):
        async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
            del context, agent, response
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Runner.run(Agent(name="a", model=ScriptedModel([HI])), "go", hooks=Broken())


async def test_hooks_that_are_no_hooks_are_refused_at_once() -> None:
    hooks: Any = object()
    with pytest.raises(TypeError, match="RunHooks"):
        await Runner.run(Agent(name="a", model=ScriptedModel()), "go", hooks=hooks)


async def test_a_deadline_that_passes_drags_nothing_along_that_the_model_was_doing() -> None:
    class Silent(Model):
        async def respond(self, request: Any, observe: Any = None) -> Any:
            del request, observe
            await asyncio.Event().wait()

    settings = ModelSettings(timeout=0.001)
    with pytest.raises(ModelTimeoutError) as caught:
        await Runner.run(Agent(name="a", model=Silent(), model_settings=settings), "go")
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


async def test_hooks_that_tell_of_a_start_see_what_the_turn_is_about() -> None:
    seen: list[object] = []

    class Hooks(RunHooks[Any]):
        async def on_agent_start(self, context: RunContextWrapper[Any], agent: Agent) -> None:
            seen.append((agent.name, list(context.turn_input)))

    await Runner.run(Agent(name="a", model=ScriptedModel([HI])), "go", hooks=Hooks())
    assert seen == [("a", [{"role": "user", "content": "go"}])]


async def test_what_a_filter_says_twice_is_sent_once() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    answers = [
        {"type": "function_call_output", "call_id": "c", "output": output}
        for output in ("old", "new")
    ]

    def twice(data: CallModelData) -> ModelInputData:
        return ModelInputData([*data.model_data.input, call, *answers], None)

    model = ScriptedModel([HI])
    config = RunConfig(call_model_input_filter=twice)
    await Runner.run(Agent(name="a", model=model), "go", run_config=config)
    assert list(model.calls[0].input)[1:] == [call, answers[1]]


async def test_a_tool_may_hang_on_what_hooks_and_prompts_leave_in_the_context() -> None:
    class Opening(RunHooks[dict[str, bool]]):
        async def on_agent_start(self, context: Any, agent: Any) -> None:
            del agent
            context.context["hook"] = True

    def instructions(context: Any, _agent: Any) -> str:
        context.context["prompt"] = True
        return "Work."

    @function_tool(is_enabled=lambda context, _: context.context == {"hook": 1, "prompt": 1})
    def act() -> str:
        return "acted"

    model = ScriptedModel([[function_call("act")], [assistant_message("done")]])
    agent = Agent[dict[str, bool]](name="a", model=model, instructions=instructions, tools=[act])
    await Runner.run(agent, "go", context={}, hooks=Opening())
    assert [[tool.name for tool in call.tools] for call in model.calls] == [["act"], ["act"]]


async def test_instructions_end_with_the_prompt_that_failed_beside_them() -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def instructions(_context: object, _agent: object) -> str:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async def prompt(_data: object) -> dict[str, object]:
        await began.wait()
        raise ValueError("no such prompt")

    agent = Agent(name="a", model=ScriptedModel(), instructions=instructions, prompt=prompt)
    with pytest.raises(ValueError, match="no such prompt"):
        await Runner.run(agent, "go")
    assert ended.is_set()


async def test_instructions_and_prompt_that_are_made_both_reach_the_model() -> None:
    agent = Agent(
        name="a",
        model=(model := ScriptedModel([HI])),
        instructions=lambda _context, _agent: "Be brief.",
        prompt=lambda _data: {"id": "p"},
    )
    await Runner.run(agent, "go")
    call = model.last_call
    assert call is not None
    assert call.system_instructions == "Be brief."
    assert call.prompt == {"id": "p", "version": None, "variables": None}
