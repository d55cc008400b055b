"""Items as a model would write them, for scripts.

They are JSON objects that can be read like the objects of the `openai` package too, by attributes,
so that tests written for either form work.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import to_wire
from handfast.errors import UserError

_numbers = itertools.count(1)


class ScriptedItem(dict[str, Any]):
    """A JSON object whose keys can be read and set as attributes, nested objects included.

    It equals a mapping, or an object of the `openai` package, of the same content.
    """

    def __init__(self, data: Mapping[str, object]) -> None:
        super().__init__({key: _readable(value) for key, value in data.items()})

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - JSON of any kind
        if name.startswith("__") or name not in self:
            raise AttributeError(f"This item has no {name!r}; it has {sorted(self)}.")
        return self[name]

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __eq__(self, other: object) -> bool:
        if is_object(other):
            return dict[str, object].__eq__(self, other)
        try:
            return dict(self) == to_wire(other)
        except UserError:
            return NotImplemented

    __hash__ = None

    def __reduce__(self) -> tuple[type[ScriptedItem], tuple[dict[str, Any]]]:
        return (ScriptedItem, (dict(self),))

    def model_dump(self, *, exclude_none: bool = False, **_options: object) -> dict[str, Any]:
        """The JSON object, under the name that pydantic gives it.

        Args:
            exclude_none: Leave out keys of the outer object whose value is None.
            _options: pydantic's other options; none makes a difference to plain JSON.
        """
        return {k: v for k, v in self.items() if not (exclude_none and v is None)}


def _readable(value: object) -> object:
    if is_object(value):
        return ScriptedItem(value)
    return [_readable(each) for each in value] if is_array(value) else value


def assistant_message(text: str, *, item_id: str = "msg_scripted") -> ScriptedItem:
    """A message of the assistant.

    Args:
        text: What it says.
        item_id: The provider's id of the message.
    """
    return _message(
        item_id,
        {"type": "output_text", "text": text, "annotations": [], "logprobs": []},
    )


def refusal_message(refusal: str, *, item_id: str = "msg_scripted") -> ScriptedItem:
    """A message in which the model refuses.

    Args:
        refusal: What it says.
        item_id: The provider's id of the message.
    """
    return _message(item_id, {"type": "refusal", "refusal": refusal})


def function_call(
    name: str,
    arguments: Mapping[str, object] | str = "{}",
    *,
    call_id: str | None = None,
    item_id: str | None = None,
) -> ScriptedItem:
    """A call of a tool or a handoff.

    Args:
        name: The name the model calls.
        arguments: As a mapping, or as the text that the model wrote, valid or not.
        call_id: The id of the call; a new one where not given.
        item_id: The provider's id of the item; none where not given.
    """
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    item: dict[str, object] = {
        "type": "function_call",
        "call_id": f"call_scripted_{next(_numbers)}" if call_id is None else call_id,
        "name": name,
        "arguments": text,
    }
    return ScriptedItem(item if item_id is None else {**item, "id": item_id})


def _message(item_id: str, part: dict[str, object]) -> ScriptedItem:
    return ScriptedItem(
        {
            "id": item_id,
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        },
    )
