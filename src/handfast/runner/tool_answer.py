"""The answer to a call, as the model sees it and as the record keeps it."""

from __future__ import annotations

from handfast.agents.input_items import CUSTOM_CALL, is_custom_call
from handfast.agents.tool_output import to_tool_output
from handfast.core.items import Call, Result


def result_of(call: Call, value: object, max_chars: int, *, failed: bool = False) -> Result:
    """The answer to a call, as the model sees it and as the record keeps it."""
    raw = {
        "type": "function_call_output",
        "call_id": call.call_id,
        "output": to_tool_output(value, max_chars),
    }
    return Result(call.call_id, raw, call.agent, value, failed, origin=call.origin)


def refusal_of(call: Call, message: str) -> Result:
    """An answer that tells of a refusal or a mistake."""
    kind = f"{CUSTOM_CALL}_output" if is_custom_call(call) else "function_call_output"
    raw = {"type": kind, "call_id": call.call_id, "output": message}
    return Result(call.call_id, raw, call.agent, message, failed=True, origin=call.origin)
