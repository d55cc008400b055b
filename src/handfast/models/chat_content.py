"""Content of messages: parts of the Responses API to parts of the chat protocol."""

from __future__ import annotations

from handfast.agents.json_types import is_array, is_object
from handfast.errors import UserError
from handfast.models.json_text import compact_json


def output_text(output: object) -> str:
    """A tool's answer as text; the protocol carries nothing else in a tool message.

    Args:
        output: Text, or a list of `input_text`, `input_image` and `input_file` parts.
    """
    if isinstance(output, str):
        return output
    if not is_array(output):
        return "" if output is None else compact_json(output)
    return "\n".join(_part_text(part) for part in output)


def _part_text(part: object) -> str:
    if not is_object(part):
        return compact_json(part)
    text = part.get("text")
    if isinstance(text, str):
        return text
    return f"({part.get('type', 'part')}: not shown, this model takes text from tools only)"


def input_content(content: object) -> object:
    """The content of a user's, system's or developer's message.

    Args:
        content: Text or a list of parts.

    Raises:
        UserError: It is neither, or a part cannot be said in this protocol.
    """
    if isinstance(content, str):
        return content
    if not is_array(content):
        raise UserError(
            f"The content of a message is text or a list of parts, not {type(content).__name__}.",
        )
    parts = [_input_part(part) for part in content]
    if len(parts) == 1 and parts[0].get("type") == "text":
        return parts[0]["text"]
    return parts


def _input_part(part: object) -> dict[str, object]:
    kind = part.get("type") if is_object(part) else None
    if not is_object(part):
        raise UserError(f"A part of a message is an object, not {type(part).__name__}.")
    if kind in {"input_text", "output_text", "text"}:
        return {"type": "text", "text": str(part.get("text", ""))}
    if kind == "input_image" and isinstance(part.get("image_url"), str):
        image = {"url": part["image_url"], "detail": part.get("detail") or "auto"}
        return {"type": "image_url", "image_url": image}
    if kind == "input_file" and (part.get("file_data") or part.get("file_id")):
        keys = ("file_data", "file_id", "filename")
        return {"type": "file", "file": {key: part[key] for key in keys if part.get(key)}}
    if kind in {"input_audio", "image_url", "file"}:
        return dict(part)
    raise UserError(
        f"A message part of type {kind!r} with {sorted(part)} cannot be sent over chat "
        "completions. Use OpenAIResponsesModel, or send the content inline.",
    )
