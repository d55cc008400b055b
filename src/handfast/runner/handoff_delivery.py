"""Handing a handoff's typed input to its receiver: to its code, and to its model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from pydantic_core import to_jsonable_python

from handfast.agents.agent import AnyAgent
from handfast.agents.catalog import Catalog
from handfast.agents.handed_over import HandedOver
from handfast.agents.handoff import resolve_handoff_names
from handfast.agents.input_items import item_from_wire
from handfast.agents.json_types import is_object
from handfast.core.effects import FilterHandoff
from handfast.core.items import Call
from handfast.core.outcomes import HandoffFiltered
from handfast.errors import UserError
from handfast.runner.toolbox import AnyHandoff

MESSAGE = "The agent before you handed this over: "
"""Begins the message that tells a receiver of the input when a filter hides the call."""


def handed_over(offered: AnyHandoff, source: str, arguments: str) -> HandedOver | None:
    """What a handoff carries to its receiver; None where it is not asked to.

    Args:
        offered: The handoff that was called.
        source: Who handed over, as the run's state names agents.
        arguments: What the model wrote.

    Raises:
        ModelBehaviorError: The arguments do not fit the handoff's `input_type`.
    """
    if not offered.deliver_input or offered.read_input is None:
        return None
    return HandedOver(offered.read_input(arguments), source, offered.tool_name, arguments)


def read_handed_over(first: AnyAgent, data: object) -> HandedOver | None:
    """What `HandedOver.to_data` wrote, with its value read again.

    Args:
        first: The agent that the run began with.
        data: The JSON data; None for a run that carries nothing.

    Raises:
        UserError: It is no such data, or the agents have no such handoff any more.
        ModelBehaviorError: The arguments do not fit the `input_type` any more.
    """
    if data is None:
        return None
    source, name, arguments = _texts(data)
    for offered in resolve_handoff_names(Catalog(first)[source].get_handoffs()):
        if offered.tool_name == name and offered.deliver_input:
            return handed_over(offered, source, arguments)
    raise UserError(
        f"Agent {source!r} has no handoff {name!r} that delivers its input any more; resume with "
        "the same agents and handoffs that the run began with.",
    )


def _texts(data: object) -> tuple[str, str, str]:
    given: Mapping[str, object] = data if is_object(data) else {}
    texts = [given.get(key) for key in ("source", "tool_name", "arguments")]
    match texts:
        case [str(source), str(name), str(arguments)]:
            return source, name, arguments
        case _:
            raise UserError("The stored run's handed_over has no source, tool_name and arguments.")


def told_to_model(
    effect: FilterHandoff,
    offered: AnyHandoff,
    filtered: HandoffFiltered,
) -> HandoffFiltered:
    """The receiver's view with the input in it, as a message where the call is not to be seen.

    The message tells the input as it was read, never the model's own text: a filter may have hidden
    the call because of what else stands in that. It is an assistant's message, since a model wrote
    it and it is no order of the user's.
    """
    if not offered.deliver_input or offered.read_input is None:
        return filtered
    shown = filtered.fresh if filtered.visible is None else filtered.visible
    if any(isinstance(item, Call) and item.name == effect.call.name for item in shown):
        return filtered
    value = to_jsonable_python(offered.read_input(effect.call.arguments), fallback=str)
    text = f"{MESSAGE}{json.dumps(value, ensure_ascii=False)}"
    message = item_from_wire({"role": "assistant", "content": text}, effect.call.agent)
    return replace(filtered, visible=(*shown, message))
