"""What the core never reads, as JSON and back: provider items, tool values, responses."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import ModelResponse, RawView, to_wire, usage_of

_ANY: TypeAdapter[Any] = TypeAdapter(object, config=ConfigDict(ser_json_bytes="base64"))
_RESPONSE = "$model_response"


def encode_opaque(value: object) -> object:
    """JSON data for a value that the core carries.

    A response keeps its form. What is no JSON (a tool's own object, an exception) is stored as
    what a model would read of it, and comes back as that.
    """
    if isinstance(value, ModelResponse):
        return {
            _RESPONSE: {
                "output": value.wire_items,
                "usage": plain_data(value.usage),
                "response_id": value.response_id,
                "request_id": value.request_id,
            },
        }
    return plain_data(value)


def decode_opaque(data: object) -> object:
    """The value that `encode_opaque` wrote."""
    if is_object(data) and is_object(stored := data.get(_RESPONSE)):
        output = stored.get("output")
        response_id, request_id = stored.get("response_id"), stored.get("request_id")
        return ModelResponse(
            output if is_array(output) else [],
            usage_of(stored.get("usage")),
            response_id if isinstance(response_id, str) else None,
            request_id if isinstance(request_id, str) else None,
        )
    return data


def plain_data(value: object) -> object:
    """JSON data for any value; what has no JSON form becomes its text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, BaseException):
        return None
    if isinstance(value, RawView):
        return value.to_dict()
    if dataclasses.is_dataclass(value) or hasattr(value, "model_dump"):
        return _dumped(value)
    try:
        return json.loads(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError):
        return _dumped(value)


def _dumped(value: object) -> object:
    if hasattr(value, "model_dump") and not dataclasses.is_dataclass(value):
        return to_wire(value)
    return _ANY.dump_python(value, mode="json", fallback=str, warnings=False)
