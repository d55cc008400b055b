"""Provider items as they travel: JSON objects on the wire, typed views for people.

Everything between an adapter and the runner is the JSON object of the Responses API. Users of the
OpenAI Agents SDK know the same items as objects of the `openai` package. This module turns one
into the other on demand, so that nobody pays for the package, or needs it, before reading a view.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, RequestUsage, Usage
from handfast.errors import UserError

InputItem: TypeAlias = Mapping[str, object]
"""One item of a conversation, in the form of the Responses API."""

TResponseInputItem: TypeAlias = InputItem
"""`InputItem` under the SDK's name."""

MADE_HERE = "made_here"
"""Under `item_id` in an item's `provider_data`: an adapter made the id, the provider gives none."""

FAKE_RESPONSES_ID = "__fake_id__"
"""Stands in stored conversations of the OpenAI Agents SDK where a provider gave an item no id. It
is never sent."""

TResponseOutputItem: TypeAlias = Any
"""An item that a model wrote, as the SDK shows it: an object of the `openai` package."""

TResponseStreamEvent: TypeAlias = Any
"""An event of a model's stream, as the SDK shows it: an object of the `openai` package."""


@runtime_checkable
class _Dumps(Protocol):
    def model_dump(
        self,
        *,
        mode: str,
        by_alias: bool,
        exclude_unset: bool,
        warnings: bool,
    ) -> dict[str, object]: ...


class _Field(Protocol):
    annotation: object


class _OpenAIType(Protocol):
    """A class of the `openai` package, seen from outside."""

    model_fields: ClassVar[Mapping[str, _Field]]

    @classmethod
    def construct(cls, **values: object) -> object: ...

    def __setstate__(self, state: dict[str, object], /) -> None: ...


class RawView:
    """Attribute access over a JSON object, for where the `openai` package is not installed.

    Nested objects are wrapped when they are read. A view equals another view, or a mapping, of the
    same content, and cannot be changed.
    """

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, object]) -> None:
        self._data = data

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") or name not in self._data:
            raise AttributeError(f"This item has no {name!r}; it has {sorted(self._data)}.")
        return _nested_view(self._data[name])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RawView):
            return self._data == other.to_dict()
        return self._data == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal to mappings, which have no hash either

    def __repr__(self) -> str:
        return f"RawView({self._data!r})"

    def __reduce__(self) -> tuple[type[RawView], tuple[dict[str, object]]]:
        return (RawView, (dict(self._data),))

    def to_dict(self) -> dict[str, object]:
        """The JSON object."""
        return dict(self._data)

    def model_dump(self, *, exclude_none: bool = False, **_options: object) -> dict[str, object]:
        """The JSON object, under the name that pydantic gives it.

        Args:
            exclude_none: Leave out keys of the outer object whose value is None.
            _options: pydantic's other options; none makes a difference to plain JSON.
        """
        return {k: v for k, v in self._data.items() if not (exclude_none and v is None)}

    def model_dump_json(self) -> str:
        """The JSON text."""
        return json.dumps(dict(self._data), ensure_ascii=False)


def _nested_view(value: object) -> object:
    if is_json_object(value):
        return RawView(value)
    if isinstance(value, list):
        return [_nested_view(element) for element in cast("list[object]", value)]
    return value


def is_json_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """True for a mapping; JSON has text keys only, so its keys are taken to be text."""
    return isinstance(value, Mapping)


def to_wire(item: object) -> dict[str, object]:
    """The JSON object of an item, whatever form it comes in.

    Args:
        item: A dict (returned as it is), another mapping, a `RawView`, or a pydantic object such
            as those of the `openai` package.

    Raises:
        UserError: It is none of these.
    """
    if isinstance(item, dict):
        return cast("dict[str, object]", item)
    if isinstance(item, RawView):
        return item.to_dict()
    if is_json_object(item):
        return dict(item)
    if isinstance(item, _Dumps):
        return item.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    raise UserError(
        f"An item must be a mapping or a pydantic object with the fields of the Responses API, "
        f"not {type(item).__name__}.",
    )


def raw_view(item: object) -> object:
    """The item or stream event as the OpenAI Agents SDK shows it.

    What a model sends becomes an object of the `openai` package, built without validation, so that
    an unusual provider's item is shown rather than refused; where that package is not installed,
    or knows no such kind, it becomes a `RawView`. What a client writes (input messages, call
    outputs) is a plain dict in the SDK, and stays one. Anything else passes through.
    """
    if not isinstance(item, dict):
        return item
    data = cast("dict[str, object]", item)
    kind = data.get("type")
    if not isinstance(kind, str) or kind.endswith("_call_output"):
        return data
    if kind == "message" and not isinstance(data.get("content"), list):
        return data
    if kind == "message" and data.get("role", "assistant") != "assistant":
        return data
    known = _openai_types().get(kind)
    if known is None or "_fields_set" in data:  # the latter is a parameter of construct
        return RawView(data)
    return _flat_view(known, data) or known.construct(**data)


@functools.cache
def _openai_types() -> Mapping[str, type[_OpenAIType]]:
    """The `openai` package's class of each kind of item and event; empty without the package."""
    if importlib.util.find_spec("openai") is None:
        return {}
    responses = importlib.import_module("openai.types.responses")
    unions = (responses.ResponseStreamEvent, responses.ResponseOutputItem)
    members = [
        member
        for union in unions
        for member in cast(
            "tuple[type[_OpenAIType], ...]", typing.get_args(typing.get_args(union)[0])
        )
    ]
    return {
        str(kind): member
        for member in members
        for kind in typing.get_args(member.model_fields["type"].annotation)
    }


def _flat_view(known: type[_OpenAIType], data: dict[str, object]) -> object | None:
    """The view of an object with no objects inside, at a twentieth of the cost of `construct`.

    A stream is thousands of such events. None when the general way is needed.
    """
    fields: dict[str, object] = {}
    for name in known.model_fields:
        value = data.get(name, _MISSING)
        if value is _MISSING or (value.__class__ not in _SCALARS and value != []):
            return None
        fields[name] = value
    extra = {k: v for k, v in data.items() if k not in fields} if len(data) > len(fields) else {}
    view = known.__new__(known)
    view.__setstate__(  # what unpickling calls
        {
            "__dict__": fields,
            "__pydantic_fields_set__": set(fields),
            "__pydantic_extra__": extra,
            "__pydantic_private__": None,
        },
    )
    return view


_MISSING = object()
_SCALARS = frozenset({str, int, float, bool, type(None)})


def replayed(item: dict[str, object]) -> dict[str, object]:
    """An item as it may go back to its server: without `created_by`, which only that writes.

    The same object when there is nothing to leave out.
    """
    output = item.get("output")
    parts = cast("list[object]", output) if isinstance(output, list) else []
    signed = [is_json_object(part) and "created_by" in part for part in parts]
    if "created_by" not in item and not any(signed):
        return item
    kept = {key: value for key, value in item.items() if key != "created_by"}
    if any(signed):
        kept["output"] = [_unsigned(part) for part in parts]
    return kept


def _unsigned(part: object) -> object:
    if not is_json_object(part):
        return part
    return {key: value for key, value in part.items() if key != "created_by"}


class ModelResponse:
    """One whole answer of a model.

    Attributes:
        usage: What it cost.
        response_id: The provider's id of the response, to continue from it; None where it has none.
        request_id: The provider's id of the HTTP request, to quote to its support.
        raw_usage: The usage object as the provider sent it, where `preserve_raw_usage` was set.
        status: `completed`, or `incomplete` when a limit or a filter cut the answer short.
        incomplete_reason: Why it is incomplete, in the provider's word (`max_output_tokens`,
            `content_filter`); None for a complete answer.
    """

    def __init__(
        self,
        output: Iterable[object],
        usage: Usage | None = None,
        response_id: str | None = None,
        request_id: str | None = None,
        *,
        raw_usage: object = None,
        status: str = "completed",
        incomplete_reason: str | None = None,
    ) -> None:
        self._given = list(output)
        self._views: list[object] | None = None
        self._wire: list[dict[str, object]] | None = None
        self.usage = Usage() if usage is None else usage_of(usage)
        self.response_id = response_id
        self.request_id = request_id
        self.raw_usage = raw_usage
        self.status = status
        self.incomplete_reason = incomplete_reason

    @property
    def wire_items(self) -> list[dict[str, object]]:
        """The output items as JSON objects; those given as dicts are the same dicts."""
        if self._wire is None:
            self._wire = [to_wire(item) for item in self._given]
        return self._wire

    @property
    def output(self) -> list[object]:
        """The output items as the SDK shows them; made when first read."""
        if self._views is None:
            self._views = [raw_view(item) for item in self._given]
        return self._views

    def to_input_items(self) -> list[InputItem]:
        """The output as input of the next request."""
        return [replayed(item) for item in self.wire_items]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModelResponse):
            return NotImplemented
        return (
            self.wire_items == other.wire_items
            and self.usage == other.usage
            and self.response_id == other.response_id
            and self.request_id == other.request_id
            and self.status == other.status
            and self.incomplete_reason == other.incomplete_reason
        )

    __hash__ = None  # type: ignore[assignment]  # holds mutable lists

    def __repr__(self) -> str:
        return (
            f"ModelResponse(output={self._given!r}, usage={self.usage!r}, "
            f"response_id={self.response_id!r}, request_id={self.request_id!r}, "
            f"status={self.status!r})"
        )


def response_of(response: object) -> ModelResponse:
    """The `ModelResponse` in a complete response object of the Responses API.

    Args:
        response: The `response` of a `response.completed` event or the body of an answer: a
            pydantic object, a `RawView` or a dict. A `ModelResponse` is returned as it is.

    Raises:
        UserError: It has no list of output items.
    """
    if isinstance(response, ModelResponse):
        return response
    output = _read(response, "output")
    if not isinstance(output, Sequence) or isinstance(output, str | bytes):
        raise UserError(
            f"A complete response has a list 'output'; {type(response).__name__} has "
            f"{type(output).__name__}.",
        )
    raw_usage = _read(response, "usage")
    incomplete = _read(response, "status") == "incomplete"
    return ModelResponse(
        [_plain(item) for item in cast("Sequence[object]", output)],
        usage_of(raw_usage),
        _text_or_none(_read(response, "id")),
        _text_or_none(_read(response, "_request_id")),
        raw_usage=raw_usage,
        status="incomplete" if incomplete else "completed",
        incomplete_reason=_text_or_none(_read(_read(response, "incomplete_details"), "reason")),
    )


def usage_of(usage: object) -> Usage:
    """Our `Usage` from any count of tokens in the words of the Responses API.

    Args:
        usage: A `Usage` (returned as it is when its details are ours), a dict, or an object of the
            `openai` package or the SDK. None counts as one request of unknown size.
    """
    if isinstance(usage, Usage) and _are_own_details(
        usage.input_tokens_details,
        usage.output_tokens_details,
    ):
        return usage
    input_details = _read(usage, "input_tokens_details")
    output_details = _read(usage, "output_tokens_details")
    input_tokens = _count(usage, "input_tokens")
    output_tokens = _count(usage, "output_tokens")
    return Usage(
        requests=_count(usage, "requests") if _read(usage, "requests") is not None else 1,
        input_tokens=input_tokens,
        input_tokens_details=InputTokensDetails(
            _count(input_details, "cached_tokens"),
            _count(input_details, "cache_write_tokens"),
        ),
        output_tokens=output_tokens,
        output_tokens_details=OutputTokensDetails(_count(output_details, "reasoning_tokens")),
        total_tokens=_count(usage, "total_tokens") or input_tokens + output_tokens,
        request_usage_entries=[_entry_of(entry) for entry in _entries(usage)],
    )


def _are_own_details(input_details: object, output_details: object) -> bool:
    """False for details of the `openai` package, which code ported from the SDK passes."""
    return isinstance(input_details, InputTokensDetails) and isinstance(
        output_details,
        OutputTokensDetails,
    )


def _entries(usage: object) -> Sequence[object]:
    entries = _read(usage, "request_usage_entries")
    return cast("list[object]", entries) if isinstance(entries, list) else ()


def _entry_of(entry: object) -> RequestUsage:
    if isinstance(entry, RequestUsage):
        return entry
    usage = usage_of(entry)
    return RequestUsage(
        usage.input_tokens,
        usage.output_tokens,
        usage.total_tokens,
        usage.input_tokens_details,
        usage.output_tokens_details,
    )


def _plain(item: object) -> object:
    return item.to_dict() if isinstance(item, RawView) else item


def _read(source: object, name: str) -> object:
    if is_json_object(source):
        return source.get(name)
    return getattr(source, name, None)


def _count(source: object, name: str) -> int:
    value = _read(source, name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
