"""`ScriptedModel`: a model that says what the test tells it to say, in order.

    model = ScriptedModel([
        [function_call("lookup", {"city": "Oslo"})],
        [assistant_message("Rain.")],
    ])

Each step is one answer: a list of output items, a `ModelStep`, a mapping of its fields, or an
exception to raise. What the model was shown is kept in `calls`.
"""

from __future__ import annotations

import copy
import inspect
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeAlias, cast

from handfast.agents.handoff import Handoff
from handfast.agents.model import Model, ModelTracing
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.raw import InputItem, ModelResponse, to_wire
from handfast.agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from handfast.agents.tool import Tool
from handfast.agents.usage import Usage
from handfast.testing.scripted_stream import stream_of

StepFault: TypeAlias = Literal[
    "unsupported_field",
    "invalid_input",
    "invalid_error",
    "invalid_responder",
    "invalid_stream_events",
    "invalid_retry_advice",
    "conflicting_outcomes",
]


class InvalidModelStep(ValueError):
    """A step of a script is no step.

    Attributes:
        reason: What is wrong with it.
        input_index: Where it stands in what was given, from 0.
    """

    def __init__(self, message: str, reason: StepFault, input_index: int) -> None:
        super().__init__(f"Invalid model step #{input_index + 1}: {message}")
        self.reason = reason
        self.input_index = input_index


class UnconsumedModelSteps(AssertionError):
    """The model was called less often than its script has steps.

    Attributes:
        remaining_steps: How many were not played.
    """

    def __init__(self, remaining_steps: int, calls: int) -> None:
        steps = "step was" if remaining_steps == 1 else "steps were"
        super().__init__(
            f"{remaining_steps} scripted model {steps} not played; the model was called {calls} "
            "times.",
        )
        self.remaining_steps = remaining_steps


@dataclass(frozen=True)
class ModelCall:
    """What the model was shown in one call."""

    system_instructions: str | None
    input: str | list[InputItem]
    model_settings: ModelSettings
    tools: list[Tool]
    output_schema: AgentOutputSchemaBase | None
    handoffs: list[Handoff]
    tracing: ModelTracing
    previous_response_id: str | None
    conversation_id: str | None
    prompt: Mapping[str, object] | None
    streamed: bool


class UnexpectedModelCall(AssertionError):
    """The model was called more often than its script has steps.

    Attributes:
        call_index: Which call it was, from 0.
        call: What the model was shown; a copy.
    """

    def __init__(self, call_index: int, call: ModelCall) -> None:
        super().__init__(f"Unexpected model call #{call_index + 1}: no scripted steps remain.")
        self.call_index = call_index
        self.call = call


ModelStepSpec: TypeAlias = (
    "ModelStep | ModelResponse | Sequence[object] | Mapping[str, object] | BaseException"
)
"""What a script may have as a step."""

Responder: TypeAlias = "Callable[[ModelCall], ModelStepSpec | Awaitable[ModelStepSpec]]"
StreamFactory: TypeAlias = Callable[[ModelCall], AsyncIterable[object]]


SCRIPTED_RESPONSE_ID: Final = "resp-789"
"""The id of an answer whose step names none: the one that the SDK's scripted model gives."""


@dataclass
class ModelStep:
    """One answer of a scripted model."""

    output: Sequence[object] = ()
    """Output items: JSON objects, or objects of the `openai` package."""
    usage: Usage | None = None
    """What the answer cost; the model's default where not given."""
    response_id: str | None = SCRIPTED_RESPONSE_ID
    request_id: str | None = None
    raw_usage: Mapping[str, object] | None = None
    error: BaseException | None = None
    """Raised in place of an answer."""
    retry_advice: ModelRetryAdvice | None = None
    """What the model tells retry policies about that error."""
    responder: Responder | None = None
    """Makes the step from what the model was shown."""
    stream_events: tuple[object, ...] | StreamFactory | None = None
    """The exact events of a streamed call, the last of which holds the response."""

    @classmethod
    def respond(cls, responder: Responder) -> ModelStep:
        """A step that a function makes from the `ModelCall`; sync or async."""
        return cls(responder=responder)

    @classmethod
    def raise_error(
        cls,
        error: BaseException,
        *,
        retry_advice: ModelRetryAdvice | None = None,
    ) -> ModelStep:
        """A step that raises.

        Args:
            error: What it raises.
            retry_advice: What the model tells retry policies about it.
        """
        return cls(error=error, retry_advice=retry_advice)

    @classmethod
    def stream(
        cls,
        events: Sequence[object] | StreamFactory,
        *,
        output: Sequence[object] = (),
        usage: Usage | None = None,
        response_id: str | None = SCRIPTED_RESPONSE_ID,
    ) -> ModelStep:
        """A step with the exact events of a streamed call.

        Args:
            events: The events, or a function of the `ModelCall` that yields them.
            output: The answer of a call that is not streamed.
            usage: What that answer costs.
            response_id: Its id.
        """
        exact = events if callable(events) else tuple(events)
        return cls(output, usage, response_id, stream_events=exact)


class ScriptedModel(Model):
    """A model that plays a script.

    Args:
        steps: What it answers, call by call; copied now, so that later changes do not reach it.
        default_usage: What an answer costs that says nothing itself; one request by default.
        emit_traces: Whether a traced run has a generation span for each call.

    Raises:
        InvalidModelStep: One of the steps is no step.
    """

    def __init__(
        self,
        steps: Iterable[ModelStepSpec] = (),
        *,
        default_usage: Usage | None = None,
        emit_traces: bool = False,
    ) -> None:
        self.wants_generation_spans = emit_traces
        self._advice: tuple[BaseException, ModelRetryAdvice] | None = None
        self._steps: deque[ModelStep] = deque()
        self._calls: list[ModelCall] = []
        self._default_usage = Usage(requests=1) if default_usage is None else default_usage
        self.extend(steps)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """What the model was shown, call by call; a copy."""
        return tuple(_snapshot(call) for call in self._calls)

    @property
    def first_call(self) -> ModelCall | None:
        """The first call, None before there was one."""
        return _snapshot(self._calls[0]) if self._calls else None

    @property
    def last_call(self) -> ModelCall | None:
        """The latest call, None before there was one."""
        return _snapshot(self._calls[-1]) if self._calls else None

    @property
    def remaining_steps(self) -> int:
        """How many steps have not been played."""
        return len(self._steps)

    def enqueue(self, step: ModelStepSpec) -> None:
        """Add one step at the end.

        Raises:
            InvalidModelStep: It is no step.
        """
        self.extend([step])

    def extend(self, steps: Iterable[ModelStepSpec]) -> None:
        """Add steps at the end; all of them or, where one is no step, none.

        Raises:
            InvalidModelStep: One of them is no step.
        """
        self._steps.extend([_step(given, index) for index, given in enumerate(steps)])

    def set_default_usage(self, usage: Usage | None) -> None:
        """What answers cost from now on that say nothing themselves."""
        self._default_usage = Usage(requests=1) if usage is None else usage

    def assert_complete(self) -> None:
        """Check that every step was played.

        Raises:
            UnconsumedModelSteps: Some were not.
        """
        if self._steps:
            raise UnconsumedModelSteps(len(self._steps), len(self._calls))

    async def get_response(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        system_instructions: str | None,
        input: str | list[InputItem],  # noqa: A002 - the SDK's name
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None = None,
        conversation_id: str | None = None,
        prompt: Mapping[str, object] | None = None,
    ) -> ModelResponse:
        """Play the next step.

        Raises:
            UnexpectedModelCall: The script is over.
            BaseException: The step says to raise it.
        """
        step = await self._next(
            ModelCall(
                system_instructions,
                input,
                model_settings,
                tools,
                output_schema,
                handoffs,
                tracing,
                previous_response_id,
                conversation_id,
                prompt,
                streamed=False,
            ),
        )
        return self._response(step, model_settings)

    async def stream_response(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        system_instructions: str | None,
        input: str | list[InputItem],  # noqa: A002 - the SDK's name
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None = None,
        conversation_id: str | None = None,
        prompt: Mapping[str, object] | None = None,
    ) -> AsyncIterator[object]:
        """Play the next step as a stream of events.

        Raises:
            UnexpectedModelCall: The script is over.
            BaseException: The step says to raise it.
        """
        call = ModelCall(
            system_instructions,
            input,
            model_settings,
            tools,
            output_schema,
            handoffs,
            tracing,
            previous_response_id,
            conversation_id,
            prompt,
            streamed=True,
        )
        step = await self._next(call)
        exact = step.stream_events
        if callable(exact):
            async with _closing(exact(call)) as events:
                async for event in events:
                    yield event
            return
        response = self._response(step, model_settings)
        for event in stream_of(response) if exact is None else exact:
            yield event

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        """What the step that raised this error says about it."""
        if self._advice is None or self._advice[0] is not request.error:
            return None
        return copy.copy(self._advice[1])

    async def _next(self, call: ModelCall) -> ModelStep:
        self._advice = None
        self._calls.append(_snapshot(call))
        if not self._steps:
            raise UnexpectedModelCall(len(self._calls) - 1, _snapshot(call))
        step = await _resolved(self._steps.popleft(), call)
        if step.error is not None:
            if step.retry_advice is not None:
                self._advice = (step.error, step.retry_advice)
            raise step.error
        return step

    def _response(self, step: ModelStep, settings: ModelSettings) -> ModelResponse:
        return ModelResponse(
            copy.deepcopy(list(step.output)),
            copy.deepcopy(self._default_usage if step.usage is None else step.usage),
            step.response_id,
            step.request_id,
            raw_usage=copy.deepcopy(step.raw_usage) if settings.preserve_raw_usage else None,
        )


@asynccontextmanager
async def _closing(events: AsyncIterable[object]) -> AsyncGenerator[AsyncIterable[object]]:
    """Close a stream at its end; that it cannot be closed hides no error of its own."""
    close: Callable[[], Awaitable[object]] | None = getattr(events, "aclose", None)
    try:
        yield events
    except BaseException:
        if close is not None:
            with suppress(Exception):
                await close()
        raise
    if close is not None:
        await close()


def _snapshot(call: ModelCall) -> ModelCall:
    return replace(
        call,
        input=copy.deepcopy(call.input),
        model_settings=copy.deepcopy(call.model_settings),
        tools=list(call.tools),
        handoffs=list(call.handoffs),
        prompt=copy.deepcopy(call.prompt),
    )


async def _resolved(step: ModelStep, call: ModelCall) -> ModelStep:
    while step.responder is not None:
        said: Any = step.responder(call)
        step = _step(await said if inspect.isawaitable(said) else said, 0)
    return step


_FIELDS = frozenset(each.name for each in fields(ModelStep))


def _step(given: ModelStepSpec, index: int) -> ModelStep:
    if isinstance(given, BaseException):
        return ModelStep(error=given)
    if isinstance(given, ModelResponse):
        return _step(_replayed(given), index)
    if isinstance(given, Mapping):
        unknown = sorted(set(given) - _FIELDS)
        if unknown:
            raise InvalidModelStep(f"unknown {unknown}", "unsupported_field", index)
        step = ModelStep(**cast("Mapping[str, Any]", given))
    elif isinstance(given, ModelStep):
        step = given
    else:
        step = ModelStep(given)
    _check(step, index)
    return replace(
        step,
        output=copy.deepcopy(list(step.output)),
        usage=copy.deepcopy(step.usage),
        retry_advice=copy.copy(step.retry_advice),
        raw_usage=copy.deepcopy(step.raw_usage),
    )


def _replayed(response: ModelResponse) -> ModelStep:
    usage = None if response.usage == Usage() else response.usage
    raw_usage = cast("Mapping[str, Any] | None", response.raw_usage)
    return ModelStep(
        response.wire_items,
        usage=usage,
        response_id=response.response_id,
        request_id=response.request_id,
        raw_usage=raw_usage,
    )


def _check(given: ModelStep, index: int) -> None:
    step = cast("Any", given)  # what a user wrote may be of any type
    if step.error is not None and not isinstance(step.error, BaseException):
        raise InvalidModelStep("error must be an exception", "invalid_error", index)
    if step.responder is not None and not callable(step.responder):
        raise InvalidModelStep("responder must be callable", "invalid_responder", index)
    exact = step.stream_events
    if exact is not None and not callable(exact) and not isinstance(exact, tuple | list):
        raise InvalidModelStep(
            "stream_events must be a sequence of events or a function",
            "invalid_stream_events",
            index,
        )
    advice = step.retry_advice
    if advice is not None and (step.error is None or not isinstance(advice, ModelRetryAdvice)):
        raise InvalidModelStep(
            "retry_advice must be a ModelRetryAdvice, beside an error",
            "invalid_retry_advice",
            index,
        )
    if step.error is not None and step.responder is not None:
        raise InvalidModelStep(
            "a step has either an error or a responder",
            "conflicting_outcomes",
            index,
        )
    _check_answer(step, index)


def _check_answer(given: ModelStep, index: int) -> None:
    step = cast("Any", given)
    if isinstance(step.output, str | bytes) or not isinstance(step.output, Sequence):
        raise InvalidModelStep("output must be a list of items", "invalid_input", index)
    if step.usage is not None and not isinstance(step.usage, Usage):
        raise InvalidModelStep("usage must be a Usage", "invalid_input", index)
    if step.response_id is not None and not isinstance(step.response_id, str):
        raise InvalidModelStep("response_id must be a str", "invalid_input", index)
    if step.raw_usage is not None and not isinstance(step.raw_usage, Mapping):
        raise InvalidModelStep("raw_usage must be a mapping", "invalid_input", index)
    for item in given.output:
        to_wire(item)
