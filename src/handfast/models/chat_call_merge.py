"""Streamed tool calls put together, from servers that number them well, badly or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handfast.agents.json_types import is_object
from handfast.models.call_repair import is_object_text
from handfast.models.json_text import compact_json, object_in, text_in


@dataclass(slots=True)
class StreamedCall:
    """One call, as far as it has come."""

    index: int | None
    """The number that the server gave it."""
    call_id: str
    is_custom: bool = False
    """True for a tool that takes free text in place of JSON."""
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    """Its arguments."""
    extra: dict[str, object] = field(default_factory=dict[str, object])
    """Other keys, which go back to the provider as they came."""
    chunk: int = 0
    """The chunk that began it."""

    @property
    def arguments(self) -> str:
        """The arguments so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def is_whole(self) -> bool:
        """True when the arguments are an object: nothing more can belong to them."""
        return self.name != "" and is_object_text(self.arguments)

    def to_message(self) -> dict[str, object]:
        """The call as it stands in a message that is not streamed."""
        if self.is_custom:
            custom = {"name": self.name, "input": self.arguments}
            return {**self.extra, "id": self.call_id, "type": "custom", "custom": custom}
        function = {"name": self.name, "arguments": self.arguments}
        return {**self.extra, "id": self.call_id, "type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class _Delta:
    """One piece of one call."""

    index: int | None
    call_id: str
    is_custom: bool
    name: str
    arguments: str
    extra: Mapping[str, object]

    def is_whole(self) -> bool:
        """True when it could stand alone as a call with arguments."""
        return self.name != "" and is_object_text(self.arguments)


class CallMerger:
    """Takes the `tool_calls` of deltas and keeps the calls that they make up, in order."""

    def __init__(self) -> None:
        self.calls: list[StreamedCall] = []

    def add(self, delta: Mapping[str, object], chunk: int) -> tuple[int, str]:
        """Take one piece.

        Args:
            delta: An element of a delta's `tool_calls`.
            chunk: The number of the chunk that it came in.

        Returns:
            The position of the call that it belongs to, and the arguments that it adds.
        """
        piece = _read(delta)
        call = self._find(piece, chunk)
        if call is None:
            call = StreamedCall(piece.index, piece.call_id, piece.is_custom, chunk=chunk)
            self.calls.append(call)
        elif piece.is_whole() and call.is_whole():
            return _position(self.calls, call), ""  # the same call told again
        call.call_id = call.call_id or piece.call_id
        call.is_custom = call.is_custom or piece.is_custom
        call.name = _name(call, piece.name)
        call.extra.update(piece.extra)
        call.pieces.append(piece.arguments)
        return _position(self.calls, call), piece.arguments

    def _find(self, piece: _Delta, chunk: int) -> StreamedCall | None:
        """The call that a piece goes on with; None when it begins one."""
        call = self._candidate(piece)
        if call is None or _begins_anew(call, piece):
            return None
        if piece.is_whole() and call.is_whole():
            # Told again, or another call under the same number? A server does not repeat itself
            # within a chunk, and a repetition has the same arguments.
            repeated = call.arguments == piece.arguments and call.name == piece.name
            return call if repeated and call.chunk != chunk else None
        return call

    def _candidate(self, piece: _Delta) -> StreamedCall | None:
        newest_first = reversed(self.calls)
        if piece.index is not None:
            return next((call for call in newest_first if call.index == piece.index), None)
        if piece.call_id:
            return next((call for call in newest_first if call.call_id == piece.call_id), None)
        if not self.calls:
            return None
        last = self.calls[-1]
        return None if piece.name and (last.is_whole() or last.name != piece.name) else last


def _begins_anew(call: StreamedCall, piece: _Delta) -> bool:
    """True when a piece under a known number names another call."""
    return bool(piece.call_id and call.call_id and piece.call_id != call.call_id and piece.name)


def _name(call: StreamedCall, name: str) -> str:
    """The name with a further piece: servers repeat it, leave it empty, or split it."""
    if not name or name == call.name:
        return call.name
    if name.startswith(call.name):
        return name
    return call.name + name if not call.arguments else call.name


def _position(calls: list[StreamedCall], call: StreamedCall) -> int:
    return next(at for at, known in enumerate(calls) if known is call)


def _read(delta: Mapping[str, object]) -> _Delta:
    function, custom = object_in(delta, "function"), object_in(delta, "custom")
    is_custom = bool(text_in(custom, "name")) or (bool(custom) and not function)
    details = custom if is_custom else function
    arguments = details.get("input" if is_custom else "arguments")
    if is_object(arguments):
        arguments = compact_json(arguments)
    index = delta.get("index")
    known = {"index", "id", "type", "function", "custom"}
    return _Delta(
        index if isinstance(index, int) else None,
        text_in(delta, "id"),
        is_custom,
        text_in(details, "name"),
        arguments if isinstance(arguments, str) else "",
        {key: value for key, value in delta.items() if key not in known and value is not None},
    )
