"""Refuses answers that a run cannot use: calls that a limit cut, and silence time after time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from handfast.agents.input_items import refusal_of, text_of
from handfast.agents.json_types import is_object
from handfast.agents.raw import ModelResponse
from handfast.errors import ModelBehaviorError
from handfast.runner.run import Run

MAX_SILENT_ANSWERS: Final = 3
"""How many answers in a row may say nothing before the run ends."""


def require_usable(run: Run, response: ModelResponse) -> None:
    """Check an answer before anything comes of it.

    Raises:
        ModelBehaviorError: A limit cut a call in the middle of its arguments, which asking again
            with the same limit would not mend; or the model has said nothing too often.
    """
    for item in response.wire_items:
        if _is_cut_call(item, response.status):
            raise ModelBehaviorError(
                f"The output limit cut the call of {item.get('name')!r} in the middle of its "
                f"arguments ({response.incomplete_reason or 'incomplete'}); it was not made. Raise "
                "ModelSettings.max_tokens, or ask for less at once.",
            )
    run.silent_answers = (
        0 if any(map(_says_something, response.wire_items)) else run.silent_answers + 1
    )
    if run.silent_answers >= MAX_SILENT_ANSWERS:
        raise ModelBehaviorError(
            f"The model answered {run.silent_answers} times with neither words nor calls.",
        )


def _is_cut_call(item: Mapping[str, object], status: str) -> bool:
    if item.get("type") != "function_call" or "incomplete" not in {status, item.get("status")}:
        return False
    try:
        return not is_object(json.loads(str(item.get("arguments") or "{}")))
    except (ValueError, RecursionError):
        return True


def _says_something(item: Mapping[str, object]) -> bool:
    if item.get("type", "message") != "message":
        return item.get("type") != "reasoning"
    content = item.get("content")
    return bool(text_of(content) or refusal_of(content))
