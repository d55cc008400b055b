"""What the content of a chat message says: words and thinking, in whichever form they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from handfast.agents.json_types import is_array, is_object
from handfast.models.json_text import compact_json, objects_in, text_in

Piece: TypeAlias = tuple[Literal["text", "thinking"], str]


def content_pieces(content: object) -> list[Piece]:
    """The pieces of a message's or delta's content, in order.

    Args:
        content: Text; a list of text and thinking parts, as Mistral's reasoning models send; or
            an object, which is how Cloudflare sends a typed output. None says nothing.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [("text", content)]
    if is_array(content):
        return [_part_piece(part) for part in content]
    return [("text", compact_json(content))]


def _part_piece(part: object) -> Piece:
    if isinstance(part, str):
        return ("text", part)
    if not is_object(part):
        return ("text", "")
    if part.get("type") == "thinking":
        return ("thinking", _thinking(part))
    return ("text", text_in(part, "text"))


def _thinking(part: Mapping[str, object]) -> str:
    words = text_in(part, "thinking")
    return words or "".join(text_in(piece, "text") for piece in objects_in(part, "thinking"))
