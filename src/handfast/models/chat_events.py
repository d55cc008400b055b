"""A streamed chat completion told as events of the Responses API, for whoever watches."""

from __future__ import annotations

from collections.abc import Mapping

from handfast.agents.model import Observer
from handfast.agents.raw import ModelResponse, raw_view
from handfast.models.chat_call_merge import StreamedCall
from handfast.models.json_text import objects_in, text_in, well_formed
from handfast.models.think_tags import ThinkSplitter, Thought

Item = Mapping[str, object]


class ChatEvents:
    """Tells an observer what arrives: an item begins, grows, ends; at last the whole response.

    Args:
        observe: Who is told.
        seed: What ids are made from; the same as for the items of the response.
        about: `id`, `model` and `created` of the completion.
    """

    def __init__(self, observe: Observer, seed: str, about: Mapping[str, object]) -> None:
        self._observe = observe
        self._seed = seed
        self._about: dict[str, object] = {
            "id": about.get("id"),
            "object": "response",
            "created_at": about.get("created"),
            "model": about.get("model"),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        self._sequence = 0
        self._indexes: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        self._thinking = ThinkSplitter()
        self._tell(
            "response.created",
            response={**self._about, "output": [], "status": "in_progress"},
        )

    def text(self, piece: str) -> None:
        """Text of the answer; a leading think block is told as reasoning."""
        self._tell_thought(self._thinking.feed(piece))

    def refusal(self, piece: str) -> None:
        """Text of a refusal."""
        self._flush()
        self._message_piece("refusal", piece)

    def reasoning(self, piece: str) -> None:
        """Text of reasoning."""
        item_id = f"rs_{self._seed}"
        if self._begin({"id": item_id, "type": "reasoning", "summary": []}):
            part = {"type": "summary_text", "text": ""}
            self._about_item("response.reasoning_summary_part.added", item_id, part=part)
        self._about_item("response.reasoning_summary_text.delta", item_id, delta=well_formed(piece))

    def call(self, position: int, call: StreamedCall, piece: str) -> None:
        """A call, with what has been added to its arguments."""
        self._flush()
        if not call.name:
            return
        item_id = f"{'ctc' if call.is_custom else 'fc'}_{self._seed}_{position}"
        begun = self._begin(
            {
                "id": item_id,
                "type": "custom_tool_call" if call.is_custom else "function_call",
                "call_id": call.call_id,
                "name": call.name,
                "input" if call.is_custom else "arguments": "",
                "status": "in_progress",
            },
        )
        if begun:
            piece = call.arguments
        if piece:
            self._about_item(
                _call_event(is_custom=call.is_custom), item_id, delta=well_formed(piece)
            )

    def finish(self, response: ModelResponse) -> None:
        """The end: every item as it stands in the response, then the response."""
        self._flush()
        for item in response.wire_items:
            self._finish_item(item)
        usage = response.usage
        reason = response.incomplete_reason
        self._tell(
            f"response.{response.status}",
            response={
                **self._about,
                "output": response.wire_items,
                "status": response.status,
                "incomplete_details": None if reason is None else {"reason": reason},
                "usage": {
                    "input_tokens": usage.input_tokens,
                    "input_tokens_details": {
                        "cached_tokens": usage.input_tokens_details.cached_tokens,
                        "cache_write_tokens": usage.input_tokens_details.cache_write_tokens,
                    },
                    "output_tokens": usage.output_tokens,
                    "output_tokens_details": {
                        "reasoning_tokens": usage.output_tokens_details.reasoning_tokens,
                    },
                    "total_tokens": usage.total_tokens,
                },
            },
        )

    def _flush(self) -> None:
        self._tell_thought(self._thinking.finish())

    def _tell_thought(self, thought: Thought) -> None:
        if thought.reasoning:
            self.reasoning(thought.reasoning)
        if thought.text:
            self._message_piece("output_text", thought.text)

    def _message_piece(self, kind: str, piece: str) -> None:
        item_id = f"msg_{self._seed}"
        self._begin(
            {
                "id": item_id,
                "type": "message",
                "role": "assistant",
                "status": "in_progress",
                "content": [],
            },
        )
        if kind not in self._parts:
            self._parts[kind] = len(self._parts)
            empty = {"type": kind, "refusal": ""} if kind == "refusal" else _text_part("")
            self._about_part("response.content_part.added", kind, part=empty)
        if kind == "refusal":
            self._about_part("response.refusal.delta", kind, delta=well_formed(piece))
        else:
            self._about_part(
                "response.output_text.delta", kind, delta=well_formed(piece), logprobs=[]
            )

    def _begin(self, item: Item) -> bool:
        """Tell of a new item; False when it has been told of."""
        item_id = str(item["id"])
        if item_id in self._indexes:
            return False
        self._indexes[item_id] = len(self._indexes)
        index = self._indexes[item_id]
        self._tell("response.output_item.added", item=item, output_index=index)
        return True

    def _finish_item(self, item: Item) -> None:
        item_id = str(item["id"])
        kind = item["type"]
        if kind == "message":
            self._finish_message(item)
        elif kind == "reasoning":
            self._finish_reasoning(item)
        elif kind == "function_call":
            self._begin({**item, "arguments": "", "status": "in_progress"})
            done = "response.function_call_arguments.done"
            self._about_item(done, item_id, arguments=item["arguments"], name=item["name"])
        else:
            self._begin({**item, "input": "", "status": "in_progress"})
            done = "response.custom_tool_call_input.done"
            self._about_item(done, item_id, input=item["input"])
        index = self._indexes[item_id]
        self._tell("response.output_item.done", item=item, output_index=index)

    def _finish_message(self, item: Item) -> None:
        for part in objects_in(item, "content"):
            kind = str(part["type"])
            words = text_in(part, "refusal" if kind == "refusal" else "text")
            if kind not in self._parts:
                self._message_piece(kind, words)
            if kind == "refusal":
                self._about_part("response.refusal.done", kind, refusal=words)
            else:
                self._about_part("response.output_text.done", kind, text=words, logprobs=[])
            self._about_part("response.content_part.done", kind, part=part)

    def _finish_reasoning(self, item: Item) -> None:
        item_id = str(item["id"])
        words = "".join(text_in(part, "text") for part in objects_in(item, "summary"))
        if item_id not in self._indexes:
            if not words:
                self._begin(item)
                return
            self.reasoning(words)
        self._about_item("response.reasoning_summary_text.done", item_id, text=words)
        part = {"type": "summary_text", "text": words}
        self._about_item("response.reasoning_summary_part.done", item_id, part=part)

    def _about_part(self, kind: str, part_kind: str, **facts: object) -> None:
        item_id = f"msg_{self._seed}"
        self._tell(
            kind,
            item_id=item_id,
            output_index=self._indexes[item_id],
            content_index=self._parts[part_kind],
            **facts,
        )

    def _about_item(self, kind: str, item_id: str, **facts: object) -> None:
        if "reasoning" in kind:
            facts["summary_index"] = 0
        self._tell(kind, item_id=item_id, output_index=self._indexes[item_id], **facts)

    def _tell(self, kind: str, **facts: object) -> None:
        event = {"type": kind, "sequence_number": self._sequence, **facts}
        self._sequence += 1
        self._observe(raw_view(event))


def _text_part(text: str) -> Item:
    return {"type": "output_text", "text": text, "annotations": []}


def _call_event(*, is_custom: bool) -> str:
    if is_custom:
        return "response.custom_tool_call_input.delta"
    return "response.function_call_arguments.delta"
