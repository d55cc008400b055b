"""A model's stream of Responses events, as the OpenAI Agents SDK has it, read to a whole answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from handfast.agents.json_types import is_object
from handfast.agents.raw import ModelResponse, response_of, to_wire
from handfast.errors import ModelBehaviorError, ProviderProtocolError

FAILED_EVENTS: Final = frozenset(
    {"response.failed", "response.incomplete", "response.error", "error"},
)
"""Events that end a stream without an answer."""


async def read_stream(
    events: AsyncIterator[object],
    observe: Callable[[object], None],
) -> ModelResponse:
    """Read a stream to its end.

    Args:
        events: The stream; closed here, whatever happens.
        observe: Is told each event as it comes.

    Returns:
        The answer of `response.completed`. One that names no items has those that the stream
        finished.

    Raises:
        ModelBehaviorError: The stream ended with a failure.
        ProviderProtocolError: It ended without an answer.
    """
    last: object = None
    finished: dict[object, object] = {}
    async with _closing(events):
        async for event in events:
            observe(event)
            kind = _read(event, "type")
            if kind in FAILED_EVENTS:
                raise ModelBehaviorError(_failure(str(kind), event))
            if kind == "response.output_item.done":
                place = _read(event, "output_index")
                finished[len(finished) if place is None else place] = _read(event, "item")
            elif kind == "response.completed":
                last = _read(event, "response")
    if last is None:
        raise ProviderProtocolError("The model's stream ended without a complete response.")
    response = response_of(last)
    return response if response.wire_items or not finished else _with(response, finished.values())


def _with(response: ModelResponse, items: Iterable[object]) -> ModelResponse:
    return ModelResponse(
        map(to_wire, items),
        response.usage,
        response.response_id,
        response.request_id,
        raw_usage=response.raw_usage,
        status=response.status,
        incomplete_reason=response.incomplete_reason,
    )


@asynccontextmanager
async def _closing(events: AsyncIterator[object]) -> AsyncGenerator[None]:
    """Close a stream in the task that reads it, and not whenever it is collected."""
    close: Callable[[], Awaitable[object]] | None = getattr(events, "aclose", None)
    try:
        yield
    finally:
        if close is not None:
            await close()


def _failure(kind: str, event: object) -> str:
    response = _read(event, "response")
    told = [
        _read(event, "message"),
        _read(_read(response, "error"), "message"),
        _read(_read(response, "incomplete_details"), "reason"),
    ]
    said = next((f": {each}" for each in told if isinstance(each, str) and each), "")
    return f"The model's stream ended with {kind!r}{said}."


def _read(value: object, name: str) -> object:
    """A field of an event, which may be an object or a dict."""
    if is_object(value):
        fields: Mapping[str, object] = value
        return fields.get(name)
    return getattr(value, name, None)
