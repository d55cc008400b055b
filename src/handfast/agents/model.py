"""The one seam to a language model: a request in, deltas to an observer, one whole response out.

A model is written against either of two vocabularies. `respond` is ours, and the only method that
the runner calls. `get_response` and `stream_response` are those of the OpenAI Agents SDK. Each is
given in terms of the other, so a subclass implements one side and has both.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict

from handfast.agents.handoff import Handoff
from handfast.agents.model_settings import ModelSettings
from handfast.agents.model_stream import read_stream
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from handfast.agents.together import end_tasks
from handfast.agents.tool import Tool
from handfast.errors import UserError

Observer: TypeAlias = Callable[[object], None]
"""Is told each stream event as it arrives; must return at once and never raise."""


class ModelTracing(enum.Enum):
    """How much of a call a trace may hold."""

    DISABLED = 0
    ENABLED = 1
    ENABLED_WITHOUT_DATA = 2

    def is_disabled(self) -> bool:
        """True when nothing is traced."""
        return self is ModelTracing.DISABLED

    def include_data(self) -> bool:
        """True when inputs and outputs may be in the trace."""
        return self is ModelTracing.ENABLED


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything that one model call needs."""

    instructions: str | None
    """The system prompt."""
    input: str | Sequence[InputItem]
    """The conversation, as input items of the Responses API; adapters convert."""
    settings: ModelSettings = field(default_factory=ModelSettings)
    tools: Sequence[Tool] = ()
    output_schema: AgentOutputSchemaBase | None = None
    handoffs: Sequence[Handoff] = ()
    tracing: ModelTracing = ModelTracing.DISABLED
    previous_response_id: str | None = None
    conversation_id: str | None = None
    prompt: Mapping[str, object] | None = None


class _Keywords(TypedDict):
    previous_response_id: str | None
    conversation_id: str | None
    prompt: Mapping[str, object] | None


class Model:
    """Something that can answer. Subclasses implement `respond`, or the SDK's two methods."""

    wants_generation_spans: bool = True
    """False for a model that records its own spans, or whose calls are to be in no trace."""

    async def respond(
        self,
        request: ModelRequest,
        observe: Observer | None = None,
    ) -> ModelResponse:
        """Answer one request.

        Args:
            request: The conversation and what may be answered.
            observe: Where given, the call is streamed and each event goes there as it arrives.

        Returns:
            The whole response.

        Raises:
            ModelError: The model or its provider failed; the class says how.
        """
        if observe is None:
            return await self.get_response(*_positional(request), **_keywords(request))
        events = self.stream_response(*_positional(request), **_keywords(request))
        return await read_stream(events, observe)

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
        """Answer one request; the OpenAI Agents SDK's form of `respond`."""
        self._require("get_response")
        return await self.respond(
            ModelRequest(
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
            ),
        )

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
        """Answer one request as a stream of events; the SDK's form of an observed `respond`."""
        self._require("stream_response")
        request = ModelRequest(
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
        )
        events: asyncio.Queue[object] = asyncio.Queue()
        done = object()
        answer = asyncio.ensure_future(self.respond(request, events.put_nowait))
        answer.add_done_callback(lambda _: events.put_nowait(done))
        try:
            while (event := await events.get()) is not done:
                yield event
            await answer
        finally:
            # Whoever stops reading ends the call; nothing of it goes on unseen.
            await end_tasks([answer])

    def takes_prompt_cache_key(self) -> bool:
        """True when requests of a run should carry a `prompt_cache_key` that is made for them."""
        return self._supports_default_prompt_cache_key()

    def _supports_default_prompt_cache_key(self) -> bool:
        """The SDK's name for it, which subclasses that were written for the SDK override."""
        return False

    def get_retry_advice(
        self,
        request: ModelRetryAdviceRequest,  # noqa: ARG002 - for those who override it
    ) -> ModelRetryAdvice | None:
        """What the model knows about a failure of its own; None leaves that to the runner.

        Args:
            request: The failure.
        """
        return None

    async def close(self) -> None:
        """Release what the model holds; called once by whoever made it."""

    def _require(self, method: str) -> None:
        if type(self).respond is Model.respond:
            raise UserError(f"{type(self).__name__} implements neither respond nor {method}.")


class ModelProvider:
    """Finds a model by its name."""

    def get_model(self, model_name: str | None) -> Model:
        """The model of that name; None asks for the provider's default.

        Raises:
            UserError: There is no such model, or it cannot be set up; the message says how to.
        """
        raise UserError(f"{type(self).__name__} does not implement get_model: {model_name!r}")

    async def aclose(self) -> None:
        """Release every model that was handed out."""


def _positional(
    request: ModelRequest,
) -> tuple[
    str | None,
    str | list[InputItem],
    ModelSettings,
    list[Tool],
    AgentOutputSchemaBase | None,
    list[Handoff],
    ModelTracing,
]:
    conversation = request.input
    return (
        request.instructions,
        conversation if isinstance(conversation, str) else list(conversation),
        request.settings,
        list(request.tools),
        request.output_schema,
        list(request.handoffs),
        request.tracing,
    )


def _keywords(request: ModelRequest) -> _Keywords:
    return {
        "previous_response_id": request.previous_response_id,
        "conversation_id": request.conversation_id,
        "prompt": request.prompt,
    }
