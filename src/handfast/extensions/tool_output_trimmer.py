"""`ToolOutputTrimmer`: a `call_model_input_filter` that shortens what tools said long ago.

What a model is shown changes, for that call only: the record and the session keep the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import InputItem, to_wire
from handfast.runner.config import CallModelData, ModelInputData

UNKNOWN: Final = "unknown_tool"
"""What a tool is called whose call is not in the input any more."""

SHORT: Final = "[Trimmed]"

_PART_KEYS: Final[Mapping[object, frozenset[str]]] = {
    "input_text": frozenset({"text"}),
    "input_image": frozenset({"image_url", "file_id", "detail"}),
    "input_file": frozenset({"file_data", "file_url", "file_id", "filename"}),
}
_DETAILS: Final = frozenset({"low", "high", "auto", "original"})
_NO_PAYLOAD: Final = frozenset({"type", "detail", "filename"})


@dataclass
class ToolOutputTrimmer:
    """Shortens long tool outputs of older turns to a preview.

    Raises:
        ValueError: A number is out of range, or `trimmable_tools` is no name and no list of names.
    """

    recent_turns: int = 2
    """How many turns, counted by the user's messages, stay whole."""
    max_output_chars: int = 500
    """How long an output may be before it is shortened."""
    preview_chars: int = 200
    """How much of its beginning is kept."""
    trimmable_tools: Iterable[str] | None = None
    """Names, with a namespace or without; None takes every tool."""

    def __post_init__(self) -> None:
        _require_at_least(1, "recent_turns", self.recent_turns)
        _require_at_least(1, "max_output_chars", self.max_output_chars)
        _require_at_least(0, "preview_chars", self.preview_chars)
        tools = cast("object", self.trimmable_tools)
        if isinstance(tools, bytes | bytearray) or not isinstance(tools, Iterable | None):
            raise ValueError("trimmable_tools must be a string or iterable of strings.")  # noqa: TRY004 - the SDK's class
        if tools is not None:
            self.trimmable_tools = frozenset(
                [tools] if isinstance(tools, str) else cast("Iterable[str]", tools),
            )

    def __call__(self, data: CallModelData) -> ModelInputData:
        """What the model is shown: older outputs shortened, nothing else touched."""
        given = data.model_data
        items = list(given.input)
        boundary = self._first_recent(items)
        names = _names(items[:boundary])
        for n in range(boundary):
            items[n] = self._trimmed(items[n], names)
        return replace(given, input=items)

    def _first_recent(self, items: Sequence[InputItem]) -> int:
        """The index from which on everything stays whole; 0 when there are few turns."""
        asked = [n for n, item in enumerate(items) if _field(item, "role") == "user"]
        return asked[-self.recent_turns] if len(asked) > self.recent_turns else 0

    def _trimmed(self, item: InputItem, names: Mapping[object, tuple[str, ...]]) -> InputItem:
        wire = to_wire(item)
        called = names.get(wire.get("call_id"), ())
        wanted = self.trimmable_tools
        if wire.get("type") != "function_call_output":
            return item
        if wanted is not None and not set(wanted).intersection(called):
            return item
        name = called[-1] if called else UNKNOWN
        output = wire.get("output")
        short = self._text(name, output) if isinstance(output, str) else self._parts(name, output)
        return item if short is None else {**wire, "output": short}

    def _text(self, name: str, text: str) -> str | None:
        if len(text) <= self.max_output_chars:
            return None
        preview = text[: self.preview_chars]
        short = f"[Trimmed: {name} output, {len(text)} chars, preview {len(preview)}]\n{preview}..."
        return short if len(short) < len(text) else None

    def _parts(self, name: str, output: object) -> str | None:
        parts = _known_parts(output)
        if parts is None:
            return None
        payload = sum(map(_payload, parts))
        if payload <= self.max_output_chars:
            return None
        text = "".join(str(part["text"]) for part in parts if part["type"] == "input_text")
        dropped = Counter(str(part["type"]) for part in parts if part["type"] != "input_text")
        summary = _Summary(name, payload, text, dropped, self.max_output_chars)
        return summary.with_text(self.preview_chars) if text else summary.without_text()


@dataclass(frozen=True)
class _Summary:
    """What stands for parts that were left out, within a limit."""

    name: str
    payload: int
    text: str
    dropped: Counter[str]
    limit: int

    def with_text(self, preview_chars: int) -> str:
        """As much of the text as fits comes before any word about it."""
        wanted = min(preview_chars, len(self.text))
        full = f"{self._header(wanted)}\n{self._cut(wanted)}"
        if len(full) <= self.limit:
            return full
        room = self.limit - len(SHORT) - 1
        fits = next((n for n in range(wanted, 0, -1) if len(self._cut(n)) <= room), 0)
        return f"{SHORT}\n{self._cut(fits)}" if fits else SHORT[: self.limit]

    def without_text(self) -> str:
        """The most telling header that fits."""
        kinds = f"[Trimmed: {', '.join(sorted(self.dropped))}]"
        headers = (self._header(None), kinds, SHORT)
        return next((each for each in headers if len(each) <= self.limit), SHORT[: self.limit])

    def _header(self, preview: int | None) -> str:
        said = [f"{self.name} output", f"payload {self.payload}"]
        if preview is not None:
            said.append(f"preview {preview}")
        if self.dropped:
            counted = [f"{n} {kind}" for kind, n in sorted(self.dropped.items())]
            said.append(f"dropped {', '.join(counted)}")
        return f"[Trimmed: {', '.join(said)}]"

    def _cut(self, chars: int) -> str:
        return self.text if chars >= len(self.text) else f"{self.text[:chars]}..."


def _known_parts(output: object) -> list[Mapping[str, object]] | None:
    """The parts of an output; None where one is of a kind that is not known here."""
    if not is_array(output) or not output:
        return None
    parts = [part for part in output if is_object(part) and _is_known(part)]
    return parts if len(parts) == len(output) else None


def _is_known(part: Mapping[str, object]) -> bool:
    kind = part.get("type")
    known = _PART_KEYS.get(kind) if isinstance(kind, str) else None
    if known is None or part.keys() - known - {"type"}:
        return False
    if not all(isinstance(value, str) for value in part.values()):
        return False
    return part.get("detail", "auto") in _DETAILS


def _payload(part: Mapping[str, object]) -> int:
    return sum(len(str(value)) for key, value in part.items() if key not in _NO_PAYLOAD)


def _names(items: Iterable[InputItem]) -> dict[object, tuple[str, ...]]:
    """By call id, the names that a tool goes by: bare, and last the one to show."""
    names: dict[object, tuple[str, ...]] = {}
    for item in items:
        name, namespace = _field(item, "name"), _field(item, "namespace")
        if _field(item, "type") != "function_call" or not isinstance(name, str):
            continue
        grouped = isinstance(namespace, str) and namespace not in {"", name}
        names[_field(item, "call_id")] = (name, f"{namespace}.{name}") if grouped else (name,)
    return names


def _field(item: InputItem, name: str) -> object:
    return to_wire(item).get(name)


def _require_at_least(least: int, name: str, value: int) -> None:
    if value < least:
        raise ValueError(f"{name} must be >= {least}, got {value}.")
