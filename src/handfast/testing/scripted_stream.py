"""The events of the Responses API that tell of a given answer, in the order of a real stream."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Final, cast

from handfast.agents.raw import ModelResponse, RawView, is_json_object

CHUNK: Final = 16
"""Characters of a text delta."""


def stream_of(response: ModelResponse) -> Iterator[RawView]:
    """The events of an answer: created, each item with its deltas, completed."""
    numbers = itertools.count()
    for event in _events(response):
        yield RawView({**event, "sequence_number": next(numbers)})


def _events(response: ModelResponse) -> Iterator[dict[str, object]]:
    begun = _response(response, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(response.wire_items):
        yield from _item(index, item)
    done = _response(response, "completed", list(response.wire_items))
    yield {"type": "response.completed", "response": done}


def _response(
    response: ModelResponse,
    status: str,
    output: list[dict[str, object]],
) -> dict[str, object]:
    usage = response.usage
    return {
        "id": response.response_id,
        "object": "response",
        "created_at": 0,
        "model": "scripted",
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": usage.input_tokens,
            "input_tokens_details": {
                "cached_tokens": usage.input_tokens_details.cached_tokens,
                "cache_write_tokens": usage.input_tokens_details.cache_write_tokens,
            },
            "output_tokens": usage.output_tokens,
            "output_tokens_details": {
                "reasoning_tokens": usage.output_tokens_details.reasoning_tokens,
            },
            "total_tokens": usage.total_tokens,
        }
        if status == "completed"
        else None,
    }


def _item(index: int, item: Mapping[str, object]) -> Iterator[dict[str, object]]:
    where: dict[str, object] = {"output_index": index, "item_id": item.get("id") or f"item_{index}"}
    yield {"type": "response.output_item.added", "output_index": index, "item": item}
    if item.get("type") == "function_call":
        yield from _arguments(where, str(item.get("arguments", "")))
    elif item.get("type") == "message" and isinstance(content := item.get("content"), list):
        for number, part in enumerate(cast("list[object]", content)):
            if is_json_object(part):
                yield from _part({**where, "content_index": number}, part)
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _arguments(where: Mapping[str, object], text: str) -> Iterator[dict[str, object]]:
    for delta in _chunks(text):
        yield {"type": "response.function_call_arguments.delta", **where, "delta": delta}
    yield {"type": "response.function_call_arguments.done", **where, "arguments": text}


def _part(where: Mapping[str, object], part: Mapping[str, object]) -> Iterator[dict[str, object]]:
    yield {"type": "response.content_part.added", **where, "part": part}
    kind, key = ("refusal", "refusal") if part.get("type") == "refusal" else ("output_text", "text")
    text = str(part.get(key, ""))
    for delta in _chunks(text):
        yield {"type": f"response.{kind}.delta", **where, "delta": delta}
    yield {"type": f"response.{kind}.done", **where, key: text}
    yield {"type": "response.content_part.done", **where, "part": part}


def _chunks(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]
