"""`ItemHelpers`: reading texts out of items, and making the items that a program adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from handfast.agents.input_items import read_whole, refusal_of, text_of, user_message
from handfast.agents.items import MessageOutputItem, RunItem
from handfast.agents.json_types import is_array
from handfast.agents.raw import InputItem, is_json_object, to_wire
from handfast.agents.tool_output import output_parts


class ItemHelpers:
    """Reading texts out of items."""

    @staticmethod
    def extract_last_content(message: object) -> str:
        """The last part of an assistant message: its text or its refusal, "" for neither."""
        part = _last_part(message)
        return text_of([part]) or refusal_of([part])

    @staticmethod
    def extract_last_text(message: object) -> str | None:
        """The text of the last part of an assistant message; None where that is no text."""
        part = _last_part(message)
        is_text = isinstance(part, str) or (is_json_object(part) and "text" in part)
        return text_of([part]) if is_text else None

    @staticmethod
    def extract_text(message: object) -> str | None:
        """All the text of an assistant message; None where it has none."""
        return text_of(_content(message)) or None

    @staticmethod
    def extract_refusal(message: object) -> str | None:
        """The refusal in an assistant message; None where it has none."""
        return refusal_of(_content(message)) or None

    @staticmethod
    def input_to_new_input_list(conversation: str | Sequence[InputItem]) -> list[InputItem]:
        """The input as a new list of input items of its own; text is one user message."""
        if isinstance(conversation, str):
            return [cast("InputItem", user_message(conversation).raw)]
        return [cast("InputItem", read_whole(to_wire(item))) for item in conversation]

    @staticmethod
    def text_message_outputs(items: Iterable[RunItem]) -> str:
        """The texts of all messages among the items, joined."""
        return "".join(
            ItemHelpers.text_message_output(item)
            for item in items
            if isinstance(item, MessageOutputItem)
        )

    @staticmethod
    def text_message_output(message: MessageOutputItem) -> str:
        """The text of a message."""
        return text_of(_content(message.raw_item))

    @staticmethod
    def tool_call_output_item(tool_call: object, output: object) -> dict[str, object]:
        """The wire form of a function's answer.

        Args:
            tool_call: The call: a JSON object or an object of the `openai` package.
            output: The answer; text, images and files (`ToolOutputText` and its kin) become parts,
                parts of the Responses API stay as they are, anything else becomes text.
        """
        parts = output if _are_wire_parts(output) else output_parts(output)
        return {
            "type": "function_call_output",
            "call_id": to_wire(tool_call)["call_id"],
            "output": str(output) if parts is None else parts,
        }


def _are_wire_parts(output: object) -> bool:
    """True for parts as the Responses API has them."""
    return (
        is_array(output)
        and bool(output)
        and all(
            is_json_object(part) and str(part.get("type")).startswith("input_") for part in output
        )
    )


def _content(message: object) -> object:
    wire = to_wire(message)
    return wire.get("content") if wire.get("role", "assistant") == "assistant" else None


def _last_part(message: object) -> object:
    content = _content(message)
    if isinstance(content, list):
        parts = cast("list[object]", content)
        return parts[-1] if parts else None
    return content
