"""A run as JSON data, and read from it again."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from pydantic import BaseModel

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_places import AgentPlaces
from handfast.agents.approval import Approvals
from handfast.agents.catalog import Catalog
from handfast.agents.context import RunContextWrapper
from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import usage_of
from handfast.core.schema_versions import to_current
from handfast.core.state import RunState as CoreState
from handfast.errors import UserError
from handfast.runner.checkpoint import Checkpoint
from handfast.runner.handoff_delivery import read_handed_over
from handfast.runner.opaque import plain_data
from handfast.tracing.trace_state import TraceState

logger = logging.getLogger("handfast")

FORMAT: Final = "handfast.run_state"

ContextSerializer: TypeAlias = Callable[[Any], Mapping[str, Any]]
ContextDeserializer: TypeAlias = Callable[[Mapping[str, Any]], Any]


def stored_run(
    checkpoint: Checkpoint,
    first: AnyAgent,
    context: RunContextWrapper[Any],
    serializer: ContextSerializer | None,
    *,
    strict: bool,
    with_key: bool,
) -> dict[str, object]:
    """The run as JSON data.

    Raises:
        UserError: The context cannot be stored, and `strict` is set.
    """
    value, meta = _stored_context(context.context, serializer, strict=strict)
    return {
        "format": FORMAT,
        **checkpoint.to_data(),
        "agent": first.name,
        "context": {
            "context": value,
            "context_meta": meta,
            "usage": plain_data(context.usage),
            "approvals": context.approvals.to_data(AgentPlaces(first).place_of),
            "tool_input": plain_data(context.tool_input),
            **({"handed_over": context.handed_over.to_data()} if context.handed_over else {}),
        },
        "trace": None
        if checkpoint.trace is None
        else checkpoint.trace.to_json(include_tracing_api_key=with_key),
    }


def read_run(
    first: AnyAgent,
    data: Mapping[str, object],
    override: object,
    deserializer: ContextDeserializer | None,
    *,
    strict: bool,
) -> tuple[Checkpoint, RunContextWrapper[Any]]:
    """The run that `stored_run` wrote, and its context.

    Raises:
        UserError: It is no stored run, a newer one, or of other agents.
    """
    data = to_current(data)
    checkpoint = Checkpoint.of(data, TraceState.from_json(data.get("trace")))
    Catalog(first)[checkpoint.core.agent]  # refused here rather than in the middle of a turn
    stored = data.get("context")
    if not is_object(stored):
        raise UserError("The stored run's context is no mapping.")
    decided = _read_approvals(first, stored.get("approvals", []))
    value: object = override
    if isinstance(override, RunContextWrapper):
        value = cast("RunContextWrapper[object]", override).context
    if value is None:
        value = _read_context(stored, deserializer, strict=strict)
    wrapper: RunContextWrapper[Any] = RunContextWrapper(
        value,
        usage_of(stored.get("usage") or {"requests": 0}),
        tool_input=stored.get("tool_input"),
        approvals=decided,
        handed_over=read_handed_over(first, stored.get("handed_over")),
    )
    return checkpoint, wrapper


def require_distinct(first: AnyAgent, core: CoreState) -> None:
    """Refuse a run whose agent another process could take for a different one.

    Two agents of one name that are the same in everything declared may stand for each other,
    unless they have hooks: then a program means something by having two.

    Raises:
        UserError: The run's agent is such a one.
    """
    catalog = Catalog(first)
    if catalog.is_alike(core.agent) and catalog[core.agent].hooks is not None:
        raise UserError(
            f"A stored run cannot distinguish same-name agents that differ only in their hooks: "
            f"{catalog[core.agent].name!r}. Give each a name of its own.",
        )


def _read_approvals(first: AnyAgent, stored: object) -> Approvals:
    if not is_array(stored) or not all(is_object(each) for each in stored):
        raise UserError("The stored run's approvals are no list.")
    found = [each for each in stored if is_object(each)]
    return Approvals.from_data(found, AgentPlaces(first).owner_at)


def _stored_context(
    context: object,
    serializer: ContextSerializer | None,
    *,
    strict: bool,
) -> tuple[object, dict[str, object]]:
    if context is None:
        return None, _meta(None, "none")
    if serializer is not None:
        return plain_data(dict(serializer(context))), _meta(context, "context_serializer")
    if is_object(context):
        return plain_data(dict(context)), _meta(context, "mapping")
    plain = dataclasses.is_dataclass(context) or isinstance(context, BaseModel)
    message = (
        f"The context object ({type(context).__name__}) {_fate(plain=plain)}; pass "
        "context_serializer here, and context_deserializer or context_override when it is read."
    )
    if strict:
        raise UserError(message)
    logger.warning(message)
    return (plain_data(context), _meta(context, "fields")) if plain else (None, _omitted(context))


def _fate(*, plain: bool) -> str:
    return "is stored as plain data" if plain else "cannot be stored with the run"


def _meta(context: object, via: str) -> dict[str, object]:
    return {
        "type": None if context is None else type(context).__qualname__,
        "serialized_via": via,
        "requires_deserializer": via in {"context_serializer", "fields"},
        "omitted": False,
    }


def _omitted(context: object) -> dict[str, object]:
    return {**_meta(context, "omitted"), "omitted": True}


def _read_context(
    stored: Mapping[str, object],
    deserializer: ContextDeserializer | None,
    *,
    strict: bool,
) -> object:
    value, meta = stored.get("context"), stored.get("context_meta")
    known: Mapping[str, object] = meta if is_object(meta) else {}
    lost = known.get("omitted") is True
    if strict and (lost or (known.get("requires_deserializer") and deserializer is None)):
        raise UserError(
            f"The stored run's context was a {known.get('type')}; pass context_deserializer or "
            "context_override, which make it again.",
        )
    if value is None:
        return None
    if not is_object(value):
        raise UserError("The stored run's context is no mapping.")
    return dict(value) if deserializer is None else deserializer(value)
