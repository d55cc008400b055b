"""Facts about one exchange that every reader of an answer needs, and the rules all of them keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handfast.agents.json_types import is_object
from handfast.agents.raw import ModelResponse
from handfast.errors import ModelBehaviorError, ProviderProtocolError
from handfast.models.call_repair import digest
from handfast.models.json_text import all_well_formed, objects_in, read_json
from handfast.models.origin import Origin
from handfast.models.provider_errors import request_id_in

_SHOWN_BYTES = 200


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and the answer to it, as far as they are known before the body is read."""

    origin: Origin
    """Who answers."""
    turn: int = 0
    """How many items the request had: tells answers of one conversation apart."""
    status: int | None = None
    """The HTTP status."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """The answer's headers, names in lower case."""

    def seed(self, response_id: object) -> str:
        """What made-up ids of this answer are made from: the same when it is replayed."""
        known = response_id if isinstance(response_id, str) else ""
        return digest(self.origin.model, str(self.turn), known)


def read_body(body: bytes, exchange: Exchange) -> Mapping[str, object]:
    """The JSON object in a body that came whole.

    Raises:
        ProviderProtocolError: It holds none; the message shows how it begins.
    """
    try:
        value = read_json(body)
    except ValueError:
        value = None
    if not is_object(value):
        kind = exchange.headers.get("content-type", "no content type")
        begin = body[:_SHOWN_BYTES].decode("utf-8", "replace").strip()
        raise ProviderProtocolError(
            f"{exchange.origin.provider} answered with a body that is no JSON object ({kind}): "
            f"{begin!r}. Check the base_url.",
            status=exchange.status,
            request_id=request_id_in(exchange.headers),
        )
    return all_well_formed(value) if may_hold_surrogates(body) else value


def may_hold_surrogates(text: str | bytes) -> bool:
    """True when a JSON text has an escape that can be half of a surrogate pair."""
    if isinstance(text, str):
        return "\\ud" in text or "\\uD" in text
    return b"\\ud" in text or b"\\uD" in text


def require_something(response: ModelResponse, model: str) -> ModelResponse:
    """The response, unless a limit cut it before it said anything.

    Raises:
        ModelBehaviorError: It is incomplete and holds neither words nor calls. Handed on, it would
            look like an empty final answer.
    """
    if response.status == "completed" or any(map(_says_something, response.wire_items)):
        return response
    reason = response.incomplete_reason or "unknown reason"
    spent = response.usage.output_tokens
    raise ModelBehaviorError(
        f"The answer of {model!r} was cut ({reason}, {spent} output tokens) before it said "
        "anything. Raise ModelSettings.max_tokens, or lower the reasoning effort.",
    )


def _says_something(item: Mapping[str, object]) -> bool:
    if item.get("type") == "message":
        parts = objects_in(item, "content")
        return any(part.get("text") or part.get("refusal") for part in parts)
    return item.get("type") != "reasoning"
