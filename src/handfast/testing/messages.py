"""Items as a model would write them, for scripts."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping

_numbers = itertools.count(1)


def assistant_message(text: str, *, message_id: str = "msg_scripted") -> dict[str, object]:
    """A message of the assistant.

    Args:
        text: What it says.
        message_id: The provider's id of the message.
    """
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
    }


def refusal_message(refusal: str, *, message_id: str = "msg_scripted") -> dict[str, object]:
    """A message in which the model refuses.

    Args:
        refusal: What it says.
        message_id: The provider's id of the message.
    """
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "refusal", "refusal": refusal}],
    }


def function_call(
    name: str,
    arguments: Mapping[str, object] | str = "{}",
    *,
    call_id: str | None = None,
) -> dict[str, object]:
    """A call of a tool or a handoff.

    Args:
        name: The name the model calls.
        arguments: As a mapping, or as the text that the model wrote, valid or not.
        call_id: The id of the call; a new one where not given.
    """
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {
        "type": "function_call",
        "call_id": f"call_scripted_{next(_numbers)}" if call_id is None else call_id,
        "name": name,
        "arguments": text,
    }
