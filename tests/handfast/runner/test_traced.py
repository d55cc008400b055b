from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from handfast import (
    Agent,
    AgentsException,
    CallModelData,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    ModelBehaviorError,
    ModelInputData,
    ModelSettings,
    ModelTimeoutError,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
    UserError,
    default_tool_error_function,
    function_tool,
    input_guardrail,
    output_guardrail,
)
from handfast.testing import ModelStep, ScriptedModel, assistant_message, function_call
from handfast.tracing import (
    AgentSpanData,
    DefaultTraceProvider,
    FunctionSpanData,
    GenerationSpanData,
    GuardrailSpanData,
    HandoffSpanData,
    custom_span,
    trace,
)
from tracing_recorder import Recorder

SECRET = "what nobody should see"
QUIET = RunConfig(trace_include_sensitive_data=False)


@function_tool
def look() -> str:
    """Look."""
    with custom_span("inside"):
        return "seen"


@function_tool
def fail() -> str:
    """Fail."""
    raise ValueError(SECRET)


@function_tool(failure_error_function=None)
def break_() -> str:
    """Break."""
    raise ValueError(SECRET)


@function_tool(needs_approval=True)
def ask() -> str:
    """Ask."""
    return "asked"


def agent_of(*steps: Any, **fields: Any) -> Agent:
    model = ScriptedModel(steps, emit_traces=True)
    return Agent(name="a", model=model, tools=[look, fail, break_, ask], **fields)


async def run(agent: Agent, given: Any = "hi", *, streamed: bool = False, **options: Any) -> Any:
    if not streamed:
        return await Runner.run(agent, given, **options)
    result = Runner.run_streamed(agent, given, **options)
    async for _ in result.stream_events():
        pass
    return result


def errors(recorder: Recorder, kind: str) -> list[object]:
    return [each.error for each in recorder.of(kind)]


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_run_is_a_tree_of_what_happened(recorder: Recorder, *, streamed: bool) -> None:
    target = agent_of([assistant_message("done")]).clone(name="b")
    agent = agent_of(
        [function_call("look"), function_call("fail")],
        [function_call("transfer_to_b")],
        handoffs=[target],
    )
    await run(agent, streamed=streamed)
    assert recorder.tree() == [
        "task Agent workflow",
        "  agent a",
        "    turn",
        "      generation",
        "      function look",
        "        custom inside",
        "      function fail",
        "    turn",
        "      generation",
        "      handoff",
        "  agent b",
        "    turn",
        "      generation",
    ]
    assert len(recorder.traces) == 1
    assert len(recorder.started) == len(recorder.spans)
    first, _ = recorder.of("agent")
    assert isinstance(first.span_data, AgentSpanData)
    assert first.span_data.tools == ["look", "fail", "break_", "ask"]
    assert (first.span_data.handoffs, first.span_data.output_type) == (["b"], "str")
    good, bad = recorder.of("function")
    assert isinstance(good.span_data, FunctionSpanData)
    assert (good.span_data.input, good.span_data.output) == ("{}", "seen")
    assert good.error is None
    assert bad.error == {
        "message": "Error running tool (non-fatal)",
        "data": {
            "tool_name": "fail",
            "error": "Tool execution failed. Error details are redacted.",
        },
    }
    (handoff,) = recorder.of("handoff")
    assert isinstance(handoff.span_data, HandoffSpanData)
    assert (handoff.span_data.from_agent, handoff.span_data.to_agent) == ("a", "b")
    generation = recorder.of("generation")[0].span_data
    assert isinstance(generation, GenerationSpanData)
    assert generation.input == [{"role": "user", "content": "hi"}]
    assert generation.output is not None
    assert len(generation.output) == 2
    assert generation.model_config is not None
    assert "extra_args" not in generation.model_config


async def test_nothing_that_anybody_said_is_in_a_trace_that_may_not_hold_it(
    recorder: Recorder,
) -> None:
    agent = agent_of(
        [function_call("look", {"word": SECRET}), function_call("fail")],
        [function_call("break_")],
        instructions=SECRET,
    )
    with pytest.raises(UserError):
        await run(agent, SECRET, run_config=QUIET)
    assert SECRET not in str([each.export() for each in recorder.spans])
    assert errors(recorder, "agent") == [
        {"message": "Error in agent run", "data": {"error": "Error details are redacted."}},
    ]


async def test_with_nobody_to_tell_there_are_no_spans(provider: DefaultTraceProvider) -> None:
    assert not provider.is_recording
    agent = agent_of([function_call("look")], [assistant_message("done")])
    result = await run(agent)
    assert result.final_output == "done"
    assert result.to_state().trace is None


@pytest.mark.parametrize("config", [RunConfig(tracing_disabled=True), None])
async def test_a_run_can_be_kept_out_of_traces(
    recorder: Recorder,
    config: RunConfig | None,
) -> None:
    agent = agent_of([function_call("look")], [assistant_message("done")])
    with trace("outer", disabled=config is None):
        await run(agent, run_config=config)
    assert recorder.spans == []


async def test_runs_and_turns_can_be_left_out_and_the_workflow_named(recorder: Recorder) -> None:
    config = RunConfig(workflow_name="w", tracing={"include_task_and_turn_spans": False})
    await run(agent_of([assistant_message("done")]), run_config=config)
    assert recorder.tree() == ["agent a", "  generation"]
    assert recorder.traces[0].name == "w"


async def test_several_handoffs_in_one_answer_are_told(recorder: Recorder) -> None:
    targets = [agent_of([assistant_message("done")]).clone(name=name) for name in ("b", "c")]
    agent = agent_of(
        [function_call("transfer_to_b"), function_call("transfer_to_c")],
        handoffs=targets,
    )
    await run(agent)
    assert errors(recorder, "handoff") == [
        {"message": "Multiple handoffs requested", "data": {"requested_agents": ["b", "c"]}},
    ]


async def test_an_agent_used_as_a_tool_runs_inside_the_tools_span(recorder: Recorder) -> None:
    helper = agent_of([assistant_message("helped")]).clone(name="helper")
    agent = agent_of([function_call("help", {"input": "x"})], [assistant_message("done")])
    agent.tools.append(helper.as_tool("help", "Help."))
    await run(agent)
    assert recorder.tree()[4:9] == [
        "      function help",
        "        task Agent workflow",
        "          agent helper",
        "            turn",
        "              generation",
    ]


class Tripping:
    """Guardrails that trip, or not."""

    def __init__(self, *, tripped: bool) -> None:
        verdict = GuardrailFunctionOutput(None, tripped)

        @input_guardrail(name="before", run_in_parallel=False)
        def before(_context: Any, _agent: Any, _input: Any) -> GuardrailFunctionOutput:
            return verdict

        @output_guardrail(name="after")
        def after(_context: Any, _agent: Any, _output: Any) -> GuardrailFunctionOutput:
            return verdict

        self.before, self.after = before, after


@pytest.mark.parametrize("where", ["before", "after"])
async def test_guardrails_are_spans_and_a_tripwire_is_the_agents_error(
    recorder: Recorder,
    where: str,
) -> None:
    guards = Tripping(tripped=True)
    agent = agent_of([assistant_message("done")])
    if where == "before":
        agent.input_guardrails = [guards.before]
        kind: type[AgentsException] = InputGuardrailTripwireTriggered
    else:
        agent.output_guardrails = [guards.after]
        kind = OutputGuardrailTripwireTriggered
    with pytest.raises(kind):
        await run(agent)
    (guardrail,) = recorder.of("guardrail")
    assert isinstance(guardrail.span_data, GuardrailSpanData)
    assert guardrail.span_data.triggered
    assert errors(recorder, "agent") == [
        {"message": "Guardrail tripwire triggered", "data": {"guardrail": where}},
    ]
    (span,) = recorder.of("agent")
    assert isinstance(span.span_data, AgentSpanData)
    assert span.span_data.tools == ["look", "fail", "break_", "ask"]


async def test_a_guardrail_that_passes_says_so(recorder: Recorder) -> None:
    guards = Tripping(tripped=False)
    agent = agent_of([assistant_message("done")], input_guardrails=[guards.before])
    await run(agent)
    (guardrail,) = recorder.of("guardrail")
    assert isinstance(guardrail.span_data, GuardrailSpanData)
    assert not guardrail.span_data.triggered


async def test_what_ends_a_run_is_its_agents_error(recorder: Recorder) -> None:
    with pytest.raises(MaxTurnsExceeded):
        await run(agent_of([function_call("look")]), max_turns=1)
    with pytest.raises(UserError):
        await run(agent_of([function_call("break_")]))
    with pytest.raises(ModelBehaviorError):
        await run(agent_of(ModelBehaviorError("odd")))
    assert errors(recorder, "agent") == [
        {"message": "Max turns exceeded", "data": {"max_turns": 1}},
        {
            "message": "Error in agent run",
            "data": {"error": f"Error running tool break_: {SECRET}"},
        },
        None,
    ]
    assert errors(recorder, "function")[-1] == {
        "message": "Error running tool",
        "data": {"tool_name": "break_", "error": f"Error running tool break_: {SECRET}"},
    }
    assert errors(recorder, "generation")[-1] == {
        "message": "Error",
        "data": {"name": "ModelBehaviorError", "message": "odd"},
    }


async def test_a_model_that_takes_too_long_is_told(recorder: Recorder) -> None:

    async def forever(_call: object) -> ModelStep:
        await asyncio.Event().wait()
        raise AssertionError

    agent = agent_of(ModelStep.respond(forever), model_settings=ModelSettings(timeout=0.001))
    with pytest.raises(ModelTimeoutError):
        await run(agent)
    assert errors(recorder, "generation") == [
        {"message": "Error", "data": {"error": "Model call timed out after 0.001 seconds."}},
    ]


async def test_a_tool_that_does_not_exist_is_told(recorder: Recorder) -> None:
    config = RunConfig(tool_not_found_behavior="return_error_to_model")
    await run(agent_of([function_call("nothing")], [assistant_message("done")]), run_config=config)
    assert errors(recorder, "function") == [
        {"message": "Tool not found", "data": {"tool_name": "nothing"}},
    ]


async def test_a_filter_of_the_models_input_that_fails_is_the_turns_error(
    recorder: Recorder,
) -> None:
    def filter_(_data: CallModelData) -> ModelInputData:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await run(agent_of(), run_config=RunConfig(call_model_input_filter=filter_))
    assert errors(recorder, "turn") == [
        {"message": "Error in call_model_input_filter", "data": {"error": "no"}},
    ]


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Failing(RunHooks[Any]):
    async def on_agent_start(self, context: RunContextWrapper[Any], agent: Agent) -> None:
        del context, agent
        raise Unspeakable


async def test_an_error_that_cannot_be_told_ends_the_run_all_the_same(recorder: Recorder) -> None:
    with pytest.raises(Unspeakable):
        await run(agent_of(), hooks=Failing())
    assert errors(recorder, "agent") == [
        {"message": "Error in agent run", "data": {"error": "Error details are unavailable."}},
    ]


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("stored", [True, False])
async def test_a_run_that_waited_goes_on_with_its_trace(
    recorder: Recorder,
    *,
    streamed: bool,
    stored: bool,
) -> None:
    agent = agent_of([function_call("ask")], [assistant_message("done")])
    first = await run(agent, streamed=streamed)
    state = first.to_state()
    if stored:
        state = await RunState.from_string(agent, state.to_string())
    state.approve(state.get_interruptions()[0])
    recorder.started.clear()
    result = await run(agent, state, streamed=streamed)
    assert result.final_output == "done"
    assert recorder.tree() == [
        "task Agent workflow",
        "  agent a",
        "    function ask",
        "    turn",
        "      generation",
    ]
    assert len(recorder.traces) == 1
    assert {each.trace_id for each in recorder.spans} == {recorder.traces[0].trace_id}


async def test_a_model_that_records_its_own_calls_is_left_to_it(recorder: Recorder) -> None:
    agent = agent_of([assistant_message("done")])
    agent.model = ScriptedModel([[assistant_message("done")]])
    await run(agent)
    assert recorder.of("generation") == []


async def test_a_span_says_of_a_failure_what_the_model_was_told_or_the_tool_chose_to_tell(
    recorder: Recorder,
) -> None:
    @function_tool(failure_error_function=lambda _context, _error: "own words")
    def frank() -> str:
        raise ValueError("the disk is full")

    @function_tool(failure_error_function=default_tool_error_function)
    def discreet(number: int = 0) -> str:
        raise ValueError(f"{SECRET} {number}")

    calls = [
        function_call("frank"),
        function_call("discreet"),
        function_call("discreet", {"number": "many"}),
    ]
    model = ScriptedModel([calls, [assistant_message("done")]])
    await run(Agent(name="a", model=model, tools=[frank, discreet]))
    errors = [cast("Any", span.error)["data"]["error"] for span in recorder.of("function")]
    assert errors[:2] == [
        "the disk is full",
        "Tool execution failed. Error details are redacted.",
    ]
    assert "number" in errors[2]
