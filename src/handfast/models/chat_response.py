"""From the body of a chat completion to a `ModelResponse`, for whole and streamed answers alike.

Every server means the same and writes it differently; what is read here is what recorded servers
sent. Nothing is decided by `finish_reason` that the message itself can tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import MADE_HERE, ModelResponse
from handfast.errors import BadRequestError, ProviderProtocolError
from handfast.models.answer import Exchange, require_something
from handfast.models.call_repair import CallIds, arguments_text
from handfast.models.chat_usage import chat_usage
from handfast.models.chat_words import content_pieces
from handfast.models.json_text import object_in, objects_in, text_in
from handfast.models.origin import MARK
from handfast.models.provider_errors import carries_error, provider_error, request_id_in
from handfast.models.think_tags import split_thinking

Item = dict[str, object]

UNNAMED_TOOL = "unnamed_tool"
"""Stands for the name of a call that has none, so that the model can be told."""

_CUT = frozenset({"length", "max_tokens", "model_length"})
_OPAQUE = ("reasoning_details", "extra_content", "thought_signature")
_REASONING = ("reasoning_content", "reasoning")


def chat_response(body: Mapping[str, object], exchange: Exchange) -> ModelResponse:
    """The response in the body of an answer with a status of success.

    Args:
        body: The JSON object in the body.
        exchange: What is known of the exchange.

    Raises:
        ProviderError: The body tells of an error or is no chat completion.
        ModelBehaviorError: The answer was cut before it said anything.
    """
    if carries_error(body):
        provider = exchange.origin.provider
        raise provider_error(exchange.status, exchange.headers, body, provider=provider)
    choice = _first_choice(body, exchange)
    if carries_error(choice):
        provider = exchange.origin.provider
        raise provider_error(exchange.status, exchange.headers, choice, provider=provider)
    finish = choice.get("finish_reason")
    if not is_object(choice.get("message")) and finish != "content_filter":
        raise _not_a_completion(exchange, "its choice has no message")
    message = object_in(choice, "message")
    reader = _MessageReader(message, exchange, exchange.seed(body.get("id")), str(finish))
    output = reader.items(choice)
    if finish == "content_filter" and not output:
        raise BadRequestError(
            f"{exchange.origin.provider}: a content filter removed the whole answer.",
            status=exchange.status,
            request_id=request_id_in(exchange.headers),
            code="content_filter",
        )
    response = ModelResponse(
        output,
        chat_usage(body.get("usage")),
        request_id=request_id_in(exchange.headers),
        raw_usage=body.get("usage"),
        status="incomplete" if reader.is_cut else "completed",
        incomplete_reason=reader.cut_reason,
    )
    return require_something(response, exchange.origin.model)


def _first_choice(body: Mapping[str, object], exchange: Exchange) -> Mapping[str, object]:
    """The choice of lowest index; more than one comes only when the user asked for it."""
    found = objects_in(body, "choices")
    if not found:
        raise _not_a_completion(exchange, "it has no choices")
    return min(found, key=lambda choice: _index(choice.get("index")))


def _index(value: object) -> int:
    return value if isinstance(value, int) else 0


def _not_a_completion(exchange: Exchange, why: str) -> ProviderProtocolError:
    return ProviderProtocolError(
        f"{exchange.origin.provider} sent no chat completion: {why}. Check the base_url and that "
        f"the server knows the model {exchange.origin.model!r}.",
        status=exchange.status,
        request_id=request_id_in(exchange.headers),
    )


class _MessageReader:
    def __init__(
        self,
        message: Mapping[str, object],
        exchange: Exchange,
        seed: str,
        finish: str,
    ) -> None:
        self._message = message
        self._exchange = exchange
        self._seed = seed
        self.is_cut = finish in _CUT or finish == "content_filter"
        self.cut_reason = None
        if self.is_cut:
            self.cut_reason = "content_filter" if finish not in _CUT else "max_output_tokens"
        self._status = "incomplete" if self.is_cut else "completed"

    def items(self, choice: Mapping[str, object]) -> list[Item]:
        """Reasoning, words, calls: in the order in which a model makes them."""
        content = self._message.get("content")
        pieces = content_pieces(content)
        text = "".join(piece for kind, piece in pieces if kind == "text")
        key, reasoning = self._reasoning()
        reasoning = reasoning or "".join(piece for kind, piece in pieces if kind == "thinking")
        if text and not reasoning:
            thought = split_thinking(text)
            text, reasoning = thought.text, thought.reasoning
        calls = list(self._calls())
        items = [
            *self._reasoning_items(key, reasoning),
            *self._message_items(None if content is None else text, choice, has_calls=bool(calls)),
        ]
        return [*items, *calls]

    def _reasoning(self) -> tuple[str | None, str]:
        for key in _REASONING:
            if text := text_in(self._message, key):
                return key, text
        details = objects_in(self._message, "reasoning_details")
        return None, "".join(text_in(part, "text") or text_in(part, "summary") for part in details)

    def _reasoning_items(self, key: str | None, text: str) -> Iterable[Item]:
        opaque = {name: self._message[name] for name in _OPAQUE if self._message.get(name)}
        if not text and not opaque:
            return
        facts: dict[str, object] = {}
        if key == "reasoning_content":  # the one spelling that a provider demands to see again
            facts["text_key"] = key
        if opaque:
            facts["message"] = opaque
        yield {
            "id": f"rs_{self._seed}",
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": text}] if text else [],
            MARK: self._exchange.origin.mark(**facts),
        }

    def _message_items(
        self,
        text: str | None,
        choice: Mapping[str, object],
        *,
        has_calls: bool,
    ) -> Iterable[Item]:
        parts: list[Item] = []
        refusal = text_in(self._message, "refusal")
        if text or (text is not None and not has_calls and not refusal):
            part: Item = {"type": "output_text", "text": text, "annotations": self._annotations()}
            tokens = object_in(choice, "logprobs").get("content")
            if tokens:
                part["logprobs"] = tokens
            parts.append(part)
        if refusal:
            parts.append({"type": "refusal", "refusal": refusal})
        if parts:
            yield {
                "id": f"msg_{self._seed}",
                "type": "message",
                "role": "assistant",
                "status": self._status,
                "content": parts,
                MARK: self._exchange.origin.mark(),
            }

    def _annotations(self) -> list[object]:
        """Citations, in the flat form of the Responses API."""
        given = self._message.get("annotations")
        flat: list[object] = []
        for annotation in given if is_array(given) else []:
            kind = annotation.get("type") if is_object(annotation) else None
            inner = (
                annotation.get(kind) if is_object(annotation) and isinstance(kind, str) else None
            )
            flat.append({"type": kind, **inner} if is_object(inner) else annotation)
        return flat

    def _calls(self) -> Iterable[Item]:
        calls = objects_in(self._message, "tool_calls")
        legacy = object_in(self._message, "function_call")
        if not calls and legacy.get("name"):
            calls = [{"function": legacy}]
        ids = CallIds(self._seed)
        for position, call in enumerate(calls):
            yield self._call(call, ids, position, is_last=position == len(calls) - 1)

    def _call(
        self,
        call: Mapping[str, object],
        ids: CallIds,
        position: int,
        *,
        is_last: bool,
    ) -> Item:
        function, custom = object_in(call, "function"), object_in(call, "custom")
        extra = {key: call[key] for key in _OPAQUE if call.get(key)}
        facts = {"call": extra} if extra else {}
        mark = self._exchange.origin.mark(**facts, item_id=MADE_HERE)
        if name := text_in(custom, "name"):
            return {
                "id": f"ctc_{self._seed}_{position}",
                "type": "custom_tool_call",
                "status": "completed",
                "call_id": ids.of(call.get("id"), name),
                "name": name,
                "input": text_in(custom, "input"),
                MARK: mark,
            }
        name = text_in(function, "name") or UNNAMED_TOOL
        cut = self.is_cut and is_last
        return {
            "id": f"fc_{self._seed}_{position}",
            "type": "function_call",
            "status": self._status if is_last else "completed",
            "call_id": ids.of(call.get("id"), name),
            "name": name,
            "arguments": arguments_text(function.get("arguments"), cut=cut),
            MARK: mark,
        }
