"""A streamed chat completion put together into the body it would have been unstreamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from handfast.agents.json_types import is_object
from handfast.agents.model import Observer
from handfast.agents.raw import ModelResponse
from handfast.errors import ProviderError, ProviderProtocolError
from handfast.models.answer import Exchange, may_hold_surrogates
from handfast.models.call_repair import is_object_text
from handfast.models.chat_call_merge import CallMerger
from handfast.models.chat_events import ChatEvents
from handfast.models.chat_words import content_pieces
from handfast.models.json_text import all_well_formed, object_in, objects_in, read_json, text_in
from handfast.models.provider_errors import (
    carries_error,
    provider_error,
    request_id_in,
    what_was_said,
)
from handfast.models.sse import GAVE_UP, ServerSentEvent

_CUT = frozenset({"length", "max_tokens", "model_length", "content_filter"})
_ABOUT = ("id", "model", "created")
_LAST_WINS = ("extra_content", "thought_signature")
_REASONING = ("reasoning_content", "reasoning")


class ChatStream:
    """Takes the events of one answer.

    Args:
        exchange: What is known of the exchange.
        observe: Who is told what arrives; None tells nobody.
    """

    def __init__(self, exchange: Exchange, observe: Observer | None) -> None:
        self._exchange = exchange
        self._observe = observe
        self._events: ChatEvents | None = None
        self._about: dict[str, object] = {}
        self._usage: object = None
        self._index: object = None
        self._finish = ""
        self._done = False
        self._chunks = 0
        self._content: list[tuple[str, str]] = []
        self._texts: dict[str, list[str]] = {}
        self._details: list[dict[str, object]] = []
        self._annotations: list[object] = []
        self._logprobs: list[object] = []
        self._extra: dict[str, object] = {}
        self._calls = CallMerger()
        self._surrogates = False

    def on_event(self, event: ServerSentEvent) -> bool:
        """Take one event; True when it says that the stream is over.

        Raises:
            ProviderError: It tells of an error, or is no JSON.
        """
        if event.data.strip() == "[DONE]":
            self._done = True
            return True
        self._surrogates = self._surrogates or may_hold_surrogates(event.data)
        if event.event == GAVE_UP:
            raise self._broken(f"no end: {what_was_said(event.data.encode()).message}")
        try:
            chunk = read_json(event.data)
        except ValueError:
            if event.event == "error":
                raise self._error({"error": event.data}) from None
            raise self._broken("an event that is no JSON") from None
        if is_object(chunk):
            if event.event == "error" or carries_error(chunk):
                raise self._error(chunk)
            self._add(chunk)
        return False

    def body(self) -> dict[str, object]:
        """The body of the same answer, had it not been streamed.

        Raises:
            ProviderProtocolError: The stream ended before the answer did.
        """
        if not self._done and not self._finish:
            raise self._broken("no end: it was cut off")
        calls = [call.to_message() for call in self._calls.calls]
        if not self._done and self._finish not in _CUT and any(map(_is_broken, calls)):
            raise self._broken("no end: a call was cut off")
        if self._chunks == 0:
            return {**self._about, "choices": []}
        message: dict[str, object] = {"role": "assistant", "content": self._joined_content()}
        message.update({key: "".join(pieces) for key, pieces in self._texts.items()})
        message.update(self._extra)
        if self._details:
            message["reasoning_details"] = self._details
        if self._annotations:
            message["annotations"] = self._annotations
        if calls:
            message["tool_calls"] = calls
        choice: dict[str, object] = {
            "index": 0,
            "message": message,
            "finish_reason": self._finish or None,
        }
        if self._logprobs:
            choice["logprobs"] = {"content": self._logprobs}
        body = {**self._about, "choices": [choice], "usage": self._usage}
        return all_well_formed(body) if self._surrogates else body

    def finish(self, response: ModelResponse, body: Mapping[str, object]) -> None:
        """Tell the observer of the end, also where the answer came whole."""
        if self._observe is not None:
            self._told(self._observe, body).finish(response)

    def _told(self, observe: Observer, about: Mapping[str, object]) -> ChatEvents:
        if self._events is None:
            seed = self._exchange.seed(about.get("id"))
            self._events = ChatEvents(observe, seed, about)
        return self._events

    def _add(self, chunk: Mapping[str, object]) -> None:
        if len(self._about) < len(_ABOUT):
            known = {key: chunk[key] for key in _ABOUT if chunk.get(key)}
            self._about = {**known, **self._about}
        usage = object_in(chunk, "usage") or object_in(object_in(chunk, "x_groq"), "usage")
        if usage:
            self._usage = usage
        for choice in objects_in(chunk, "choices"):
            self._add_choice(choice)

    def _add_choice(self, choice: Mapping[str, object]) -> None:
        index = choice.get("index", 0)
        if self._chunks == 0:
            self._index = index
        if index != self._index:
            return
        if carries_error(choice):
            raise self._error(choice)
        self._chunks += 1
        if finish := text_in(choice, "finish_reason"):
            self._finish = finish
        self._logprobs.extend(objects_in(object_in(choice, "logprobs"), "content"))
        delta = choice.get("delta")
        if delta is None and self._chunks == 1:
            delta = choice.get("message")
        if is_object(delta):
            self._add_delta(delta)

    def _add_delta(self, delta: Mapping[str, object]) -> None:
        self._add_words(delta)
        self._annotations.extend(objects_in(delta, "annotations"))
        for detail in objects_in(delta, "reasoning_details"):
            _merge_detail(self._details, detail)
        for key in _LAST_WINS:
            if delta.get(key):
                self._extra[key] = delta[key]
        for call in _call_deltas(delta):
            position, piece = self._calls.add(call, self._chunks)
            if self._observe is not None:
                events = self._told(self._observe, self._about)
                events.call(position, self._calls.calls[position], piece)

    def _add_words(self, delta: Mapping[str, object]) -> None:
        """Reasoning, text and refusal; where both keys of reasoning come, they say the same."""
        spoken = ""
        for key in _REASONING:
            if piece := text_in(delta, key):
                self._texts.setdefault(key, []).append(piece)
                spoken = spoken or piece
        pieces = content_pieces(delta.get("content"))
        text = ""
        for kind, piece in pieces:
            text += piece if kind == "text" else ""
            spoken += piece if kind == "thinking" else ""
        self._content.extend(pieces)
        refusal = text_in(delta, "refusal")
        if refusal:
            self._texts.setdefault("refusal", []).append(refusal)
        self._tell(spoken, text, refusal)

    def _tell(self, spoken: str, text: str, refusal: str) -> None:
        if self._observe is None or not (spoken or text or refusal):
            return
        events = self._told(self._observe, self._about)
        if spoken:
            events.reasoning(spoken)
        if text:
            events.text(text)
        if refusal:
            events.refusal(refusal)

    def _joined_content(self) -> object:
        """Text, or the list of parts that a server with thinking parts would have sent."""
        if not self._content:
            return None
        text = "".join(piece for kind, piece in self._content if kind == "text")
        thinking = "".join(piece for kind, piece in self._content if kind == "thinking")
        if not thinking:
            return text
        return [{"type": "thinking", "thinking": thinking}, {"type": "text", "text": text}]

    def _error(self, body: Mapping[str, object]) -> ProviderError:
        exchange = self._exchange
        provider = exchange.origin.provider
        return provider_error(exchange.status, exchange.headers, body, provider=provider)

    def _broken(self, what: str) -> ProviderProtocolError:
        return ProviderProtocolError(
            f"The stream of {self._exchange.origin.provider} had {what}.",
            status=self._exchange.status,
            request_id=request_id_in(self._exchange.headers),
        )


def _is_broken(call: Mapping[str, object]) -> bool:
    arguments = text_in(object_in(call, "function"), "arguments")
    return bool(arguments) and not is_object_text(arguments)


def _call_deltas(delta: Mapping[str, object]) -> Iterable[Mapping[str, object]]:
    """The pieces of calls; the form before `tool_calls` is one call without an id."""
    if calls := objects_in(delta, "tool_calls"):
        return calls
    if single := object_in(delta, "tool_calls"):
        return (single,)
    legacy = object_in(delta, "function_call")
    if legacy.get("name") or legacy.get("arguments"):
        return ({"index": 0, "function": legacy},)
    return ()


def _merge_detail(details: list[dict[str, object]], piece: Mapping[str, object]) -> None:
    """Join a piece of OpenRouter's `reasoning_details` to the detail it goes on with."""
    last = details[-1] if details else {}
    same = last and all(last.get(key) == piece.get(key) for key in ("type", "index"))
    if not same or piece.get("type") == "reasoning.encrypted":
        details.append(dict(piece))
        return
    for key, value in piece.items():
        if key in {"text", "summary"} and isinstance(value, str):
            last[key] = text_in(last, key) + value
        elif value is not None:
            last[key] = value
