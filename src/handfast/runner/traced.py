"""Effects to spans: one table. What is performed is the same with and without.

A run that nobody records has no `RunSpans`, and none of this runs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from handfast.agents.agent import AnyAgent
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.handoff import Handoff
from handfast.agents.model import Model, ModelRequest
from handfast.agents.output import output_schema_of
from handfast.agents.raw import ModelResponse, to_wire
from handfast.agents.tool import FunctionTool, keeps_failures_to_itself
from handfast.core.effects import (
    CallModel,
    CallTool,
    CheckInput,
    CheckOutput,
    Effect,
    FilterHandoff,
    InvokeHandoff,
    RunAgent,
)
from handfast.core.items import Call
from handfast.core.outcomes import HandoffInvoked, Outcome, ToolReturned
from handfast.core.state import Failure, RunState, Stopped
from handfast.errors import (
    HandfastError,
    InputGuardrailTripwireTriggered,
    ModelBehaviorError,
    ModelTimeoutError,
    OutputGuardrailTripwireTriggered,
)
from handfast.runner.run import Run
from handfast.runner.run_trace import run_trace
from handfast.runner.spans import REDACTED, RunSpans, current, words_of
from handfast.tracing.create import (
    function_span,
    generation_span,
    get_current_span,
    get_current_trace,
    guardrail_span,
    handoff_span,
)
from handfast.tracing.setup import get_trace_provider
from handfast.tracing.span_data import GenerationSpanData
from handfast.tracing.spans import Span, SpanError
from handfast.tracing.trace_state import TraceState
from handfast.tracing.traces import NoOpTrace

Perform: TypeAlias = Callable[[Run, Any], Awaitable[Outcome | None]]
Traced: TypeAlias = Callable[[Run, RunSpans, Any, Perform], Awaitable[Outcome | None]]

R = TypeVar("R", InputGuardrailResult, OutputGuardrailResult)


@contextmanager
def tracing(run: Run) -> Generator[None]:
    """Give a run its spans while the block drives it, where anybody records them."""
    if not get_trace_provider().is_recording:
        yield
        return
    with run_trace(run.config):
        trace = get_current_trace()
        if trace is None or isinstance(trace, NoOpTrace):
            yield
            return
        run.trace = TraceState.from_trace(trace)
        settings = run.config.tracing or {}
        spans = run.spans = RunSpans(
            run.config.workflow_name,
            run.context.usage,
            tasks_and_turns=settings.get("include_task_and_turn_spans", True),
            sensitive=run.config.trace_include_sensitive_data,
        )
        try:
            yield
        finally:
            run.spans = None
            _describe_agent(spans, run.catalog[run.state.agent])
            spans.end(_error_of(run.state, spans))


async def perform_traced(
    run: Run,
    spans: RunSpans,
    effect: Effect,
    perform: Perform,
) -> Outcome | None:
    """Perform an effect inside its spans."""
    if not isinstance(effect, FilterHandoff):
        _enter(run, spans, effect)
    beside_turns = isinstance(effect, CheckInput | CheckOutput)
    with current(spans.agent if beside_turns else spans.innermost):
        return await TRACED.get(type(effect), _plainly)(run, spans, effect, perform)


def traced_check(run: Run, name: str, check: Coroutine[Any, Any, R]) -> Coroutine[Any, Any, R]:
    """A guardrail's check inside its span; the very same check where nobody records."""
    return check if run.spans is None else _checked(name, check)


def tool_failed(run: Run, tool: FunctionTool, call: Call, error: BaseException | None) -> None:
    """Note in a tool's span an error that the tool answered by itself.

    What the tool's answer keeps from the model, the span does not say either.
    """
    if error is None:
        return
    message = "Error running tool (non-fatal)"
    if keeps_failures_to_itself(tool, error):
        error = HandfastError(f"Tool execution failed. {REDACTED}")
    note_error(run, message, error, tool_name=call.name)


def note_error(run: Run, message: str, error: BaseException, **data: object) -> None:
    """Note an error in the span that the code runs in, where anybody records it.

    Args:
        run: The run.
        message: What failed.
        error: How.
        data: What else there is to say.
    """
    span = get_current_span()
    if run.spans is not None and span is not None:
        told = {**data, "error": run.spans.told(error)}
        span.set_error(SpanError(message=message, data=told))


@contextmanager
def traced_generation(
    run: Run,
    model: Model,
    request: ModelRequest,
) -> Generator[Callable[[ModelResponse], None]]:
    """One request to a model inside its span; the block tells the response that came."""
    if run.spans is None or not model.wants_generation_spans:
        yield _unheard
        return
    sensitive = run.spans.sensitive
    span = generation_span(model=_model_name(model), model_config=_model_config(request))
    with span:
        if sensitive:
            span.span_data.input = _shown(request)
        try:
            yield lambda response: _answered(span, response, sensitive=sensitive)
        except ModelTimeoutError as error:
            span.set_error(SpanError(message="Error", data={"error": str(error)}))
            raise
        except Exception as error:
            name = type(error).__name__
            words = words_of(error, sensitive=sensitive, untold=f"Unrenderable {name}")
            data = {"name": name, "message": words}
            span.set_error(SpanError(message="Error", data=data))
            raise


# ---- agents and turns ----------------------------------------------------------------------------


def _enter(run: Run, spans: RunSpans, effect: Effect) -> None:
    """Open what an effect belongs to: the span of its agent and, for a model call, of its turn."""
    if isinstance(effect, FilterHandoff):
        return
    agent = run.catalog[effect.agent]
    spans.agent_is(effect.agent, agent.name, _output_name(agent))
    if isinstance(effect, CallModel):
        spans.begin_turn(int(effect.id.partition(".")[0]), agent.name)


def _describe_agent(spans: RunSpans, agent: AnyAgent) -> None:
    """Note what an agent was given, where it ended before it was offered anything."""
    if spans.agent_is_described:
        return
    spans.agent_offers(
        [tool.name for tool in agent.tools],
        [each.agent_name if isinstance(each, Handoff) else each.name for each in agent.handoffs],
    )


def _output_name(agent: AnyAgent) -> str:
    schema = output_schema_of(agent.output_type)
    return "str" if schema is None else schema.name()


def _error_of(state: RunState, spans: RunSpans) -> SpanError | None:
    """What the agent's span says of a run that ended with a failure."""
    if not isinstance(state.phase, Stopped):
        return None
    failure = state.phase.failure
    error = failure.error
    if isinstance(error, InputGuardrailTripwireTriggered | OutputGuardrailTripwireTriggered):
        guardrail = getattr(error.guardrail_result, "guardrail", None)
        name = guardrail.get_name() if guardrail is not None else ""
        return SpanError(message="Guardrail tripwire triggered", data={"guardrail": name})
    if failure.name == "MaxTurnsExceeded":
        turns = {"max_turns": state.limits.max_turns}
        return SpanError(message="Max turns exceeded", data=turns)
    # What the model did is told by the span of its answer.
    if isinstance(error, ModelBehaviorError):
        return None
    return SpanError(message="Error in agent run", data={"error": _words(failure, spans)})


def _words(failure: Failure, spans: RunSpans) -> str:
    error = failure.error
    if isinstance(error, BaseException):
        return spans.told(error)
    return failure.message if spans.sensitive else words_of(Exception(), sensitive=False)


# ---- by kind of effect ---------------------------------------------------------------------------


async def _plainly(run: Run, _spans: RunSpans, effect: Any, perform: Perform) -> Outcome | None:  # noqa: ANN401 - every kind of effect, as in the table
    return await perform(run, effect)


async def _model(run: Run, spans: RunSpans, effect: CallModel, perform: Perform) -> Outcome | None:
    try:
        return await perform(run, effect)
    finally:
        box = run.toolboxes.latest(run.catalog[effect.agent])
        if box is not None:
            spans.agent_offers(
                [tool.name for tool in box.tools],
                [each.agent_name for each in box.handoffs],
            )


async def _function(
    run: Run,
    spans: RunSpans,
    effect: CallTool | RunAgent,
    perform: Perform,
) -> Outcome | None:
    call = effect.call
    with function_span(call.name, call.arguments if spans.sensitive else None) as span:
        try:
            outcome = await perform(run, effect)
        except Exception as error:
            data = {"tool_name": call.name, "error": spans.told(error)}
            span.set_error(SpanError(message="Error running tool", data=data))
            raise
        if call.kind == "unknown":
            missing = SpanError(message="Tool not found", data={"tool_name": call.name})
            span.set_error(missing)
        if isinstance(outcome, ToolReturned) and spans.sensitive:
            span.span_data.output = outcome.result.value
        return outcome


async def _handoff(
    run: Run,
    spans: RunSpans,
    effect: InvokeHandoff,
    perform: Perform,
) -> Outcome | None:
    with handoff_span(run.catalog[effect.agent].name) as span:
        asked = _asked_for(run, effect)
        if len(asked) > 1:
            data = {"requested_agents": asked}
            span.set_error(SpanError(message="Multiple handoffs requested", data=data))
        outcome = await perform(run, effect)
        if isinstance(outcome, HandoffInvoked):
            span.span_data.to_agent = run.catalog[outcome.result.target].name
            spans.handed_over = True
        return outcome


def _asked_for(run: Run, effect: InvokeHandoff) -> list[str]:
    """The agents that the turn's answer asked for, in its order."""
    box = run.toolboxes.latest(run.catalog[effect.agent])
    if box is None:
        return []
    fresh = run.state.items.since(run.state.items_mark)
    offered = [box.by_name.get(item.name) for item in fresh if isinstance(item, Call)]
    return [each.agent_name for each in offered if isinstance(each, Handoff)]


TRACED: Final[Mapping[type[Effect], Traced]] = MappingProxyType(
    {CallModel: _model, CallTool: _function, RunAgent: _function, InvokeHandoff: _handoff},
)


async def _checked(name: str, check: Coroutine[Any, Any, R]) -> R:
    with guardrail_span(name) as span:
        result = await check
        span.span_data.triggered = result.output.tripwire_triggered
        return result


# ---- model calls ---------------------------------------------------------------------------------


def _unheard(_response: ModelResponse) -> None:
    """Nobody records the response."""


def _answered(
    span: Span[GenerationSpanData],
    response: ModelResponse,
    *,
    sensitive: bool,
) -> None:
    usage = response.usage
    span.span_data.usage = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_input_tokens": usage.input_tokens_details.cached_tokens,
        "reasoning_tokens": usage.output_tokens_details.reasoning_tokens,
    }
    if sensitive:
        span.span_data.output = [to_wire(item) for item in response.wire_items]


def _shown(request: ModelRequest) -> list[Mapping[str, object]]:
    said = request.input
    items: list[Mapping[str, object]] = (
        [{"role": "user", "content": said}] if isinstance(said, str) else list(said)
    )
    if request.instructions:
        return [{"role": "system", "content": request.instructions}, *items]
    return items


def _model_name(model: Model) -> str | None:
    name: object = getattr(model, "model", None)
    return name if isinstance(name, str) else type(model).__name__


def _model_config(request: ModelRequest) -> dict[str, object]:
    return request.settings.to_traceable_dict()
