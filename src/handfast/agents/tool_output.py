"""What a tool returned, as what a model reads: text, or parts with images and files.

Text stays as it is. None, bools, enums, lists, dicts, sets, pydantic models and dataclasses become
JSON, the form that models read best and that says the same in every language; anything else is
what `str` makes of it. The result is cut to a bound and is always text that JSON, UTF-8 and
databases can hold.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, cast

from pydantic import BaseModel
from pydantic_core import to_json

from handfast.agents.json_types import is_array, is_object
from handfast.agents.text import cut, storable
from handfast.agents.tool import DEFAULT_MAX_OUTPUT_CHARS

ImageDetail: TypeAlias = Literal["low", "high", "auto"]

OutputPart: TypeAlias = dict[str, object]
"""One part of an output: `input_text`, `input_image` or `input_file` of the Responses API."""


@dataclass(slots=True)
class ToolOutputText:
    """Text, for a tool that returns several parts."""

    text: str
    type: Literal["text"] = "text"


@dataclass(slots=True)
class ToolOutputImage:
    """An image for the model to look at, by address or by file id."""

    image_url: str | None = None
    """`https:` or `data:` address."""
    file_id: str | None = None
    """Id of a file that the provider holds."""
    detail: ImageDetail | None = None
    type: Literal["image"] = "image"

    def __post_init__(self) -> None:
        if self.image_url is None and self.file_id is None:
            raise ValueError("A ToolOutputImage needs image_url or file_id.")


@dataclass(slots=True)
class ToolOutputFileContent:
    """A file for the model to read: its content, its address or its id."""

    file_data: str | None = None
    """Base64, as a `data:` address."""
    file_url: str | None = None
    file_id: str | None = None
    """Id of a file that the provider holds."""
    filename: str | None = None
    type: Literal["file"] = "file"

    def __post_init__(self) -> None:
        if self.file_data is None and self.file_url is None and self.file_id is None:
            raise ValueError("A ToolOutputFileContent needs file_data, file_url or file_id.")


class ToolOutputTextDict(TypedDict):
    """`ToolOutputText` as a dict."""

    type: Literal["text"]
    text: str


class ToolOutputImageDict(TypedDict):
    """`ToolOutputImage` as a dict."""

    type: Literal["image"]
    image_url: NotRequired[str]
    file_id: NotRequired[str]
    detail: NotRequired[ImageDetail]


class ToolOutputFileContentDict(TypedDict):
    """`ToolOutputFileContent` as a dict."""

    type: Literal["file"]
    file_data: NotRequired[str]
    file_url: NotRequired[str]
    file_id: NotRequired[str]
    filename: NotRequired[str]


_PART_TYPES: Final = (ToolOutputText, ToolOutputImage, ToolOutputFileContent)


@dataclass(frozen=True, slots=True)
class _PartShape:
    """What makes a dict a part rather than data."""

    wire_type: str
    needs_one_of: frozenset[str]
    may_have: frozenset[str] = frozenset()
    may_have_others: bool = True
    """True where other keys are left out, since only as a part can the model see it."""


_PART_SHAPES: Final[Mapping[object, _PartShape]] = {
    "text": _PartShape("input_text", frozenset({"text"}), may_have_others=False),
    "image": _PartShape("input_image", frozenset({"image_url", "file_id"}), frozenset({"detail"})),
    "file": _PartShape(
        "input_file",
        frozenset({"file_data", "file_url", "file_id"}),
        frozenset({"filename"}),
    ),
}


def to_tool_output(
    value: object,
    max_chars: int = DEFAULT_MAX_OUTPUT_CHARS,
) -> str | list[OutputPart]:
    """What the model reads of a tool's return value. Never raises.

    Args:
        value: Anything.
        max_chars: How many characters of text are kept; where more are cut, a mark that is not
            counted says how many.

    Returns:
        Text, or the parts for a part, a dict that is one, or a non-empty list of these.
    """
    parts = output_parts(value)
    if parts is None:
        return cut(storable(_text(value)), max_chars)
    return _cut_parts(parts, max_chars)


# ---- text ---------------------------------------------------------------------------------------


def _text(value: object) -> str:
    if type(value) is str:
        return value
    if isinstance(value, enum.Enum):
        return _text(value.value)
    try:
        return _written(value)
    except Exception:  # noqa: BLE001 - the edge to foreign __str__, serializers and validators
        return f"The tool returned a {type(value).__name__} that cannot be shown as text."


def _written(value: object) -> str:
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(cast("bytes", value)).decode("utf-8", "backslashreplace")
    if not _reads_best_as_json(value):
        return str(value)
    try:
        return to_json(_ordered(value), bytes_mode="utf8", fallback=str).decode("utf-8")
    except ValueError:
        # Circular, deeper than the serializer goes, or with text that UTF-8 cannot hold.
        return str(value)


def _reads_best_as_json(value: object) -> bool:
    if value is None or isinstance(value, bool | BaseModel):
        return True
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return True
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _ordered(value: object) -> object:
    """Sets in an order that is the same in every process, other mappings as dicts."""
    if isinstance(value, set | frozenset):
        return sorted(cast("set[object]", value), key=repr)
    if is_object(value):
        return dict(value)
    return value


# ---- parts --------------------------------------------------------------------------------------


def output_parts(value: object) -> list[OutputPart] | None:
    """The parts that a value stands for: a part, a dict that is one, or a list of these.

    None for any other value.
    """
    if is_array(value):
        parts = [_part(each) for each in value]
        whole = [each for each in parts if each is not None]
        return whole if whole and len(whole) == len(parts) else None
    part = _part(value)
    return None if part is None else [part]


def _part(value: object) -> OutputPart | None:
    if isinstance(value, _PART_TYPES):
        fields = dataclasses.asdict(value)
    elif is_object(value):
        fields = dict(value)
    else:
        return None
    kind = fields.pop("type", None)
    shape = _PART_SHAPES.get(kind) if isinstance(kind, str) else None
    given = {name: each for name, each in fields.items() if each is not None}
    if shape is None or not shape.needs_one_of & given.keys():
        return None
    if kind != "text" and not any(given.get(name) for name in shape.needs_one_of):
        return None  # providers refuse an empty address
    known = {name: given[name] for name in given if name in shape.needs_one_of | shape.may_have}
    if len(known) < len(given) and not shape.may_have_others:
        return None
    if not all(isinstance(each, str) for each in known.values()):
        return None
    return {"type": shape.wire_type, **{k: storable(str(v)) for k, v in known.items()}}


def _cut_parts(parts: Sequence[OutputPart], max_chars: int) -> list[OutputPart]:
    """The parts, with text beyond the bound taken out; images and files count nothing."""
    left = max_chars
    kept: list[OutputPart] = []
    for part in parts:
        text = part.get("text")
        if isinstance(text, str):
            kept.append({**part, "text": cut(text, left)})
            left = max(0, left - len(text))
        else:
            kept.append(part)
    return kept
