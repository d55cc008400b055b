"""From the body of a Responses API answer to a `ModelResponse`, whole and streamed alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handfast.agents.json_types import is_array
from handfast.agents.raw import ModelResponse, usage_of
from handfast.errors import ProviderProtocolError
from handfast.models.answer import Exchange, require_something
from handfast.models.call_repair import CallIds, arguments_text
from handfast.models.json_text import object_in, objects_in, text_in
from handfast.models.origin import MARK
from handfast.models.provider_errors import carries_error, provider_error, request_id_in

Item = dict[str, object]

_WHOLE = frozenset({"completed", "incomplete", ""})


def responses_response(body: Mapping[str, object], exchange: Exchange) -> ModelResponse:
    """The response in the body of an answer with a status of success.

    Args:
        body: The JSON object in the body.
        exchange: What is known of the exchange.

    Raises:
        ProviderError: The body tells of an error, or is no whole response.
        ModelBehaviorError: The answer was cut before it said anything.
    """
    status = text_in(body, "status")
    if carries_error(body) or status == "failed":
        provider = exchange.origin.provider
        raise provider_error(exchange.status, exchange.headers, body, provider=provider)
    if not is_array(body.get("output")) or status not in _WHOLE:
        raise _not_a_response(exchange, status)
    incomplete = status == "incomplete"
    reason = text_in(object_in(body, "incomplete_details"), "reason") or "unknown"
    response = ModelResponse(
        _items(objects_in(body, "output"), exchange, body.get("id"), incomplete=incomplete),
        usage_of(body.get("usage")),
        text_in(body, "id") or None,
        request_id_in(exchange.headers),
        raw_usage=body.get("usage"),
        status="incomplete" if incomplete else "completed",
        incomplete_reason=reason if incomplete else None,
    )
    return require_something(response, exchange.origin.model)


def _items(
    output: Sequence[Mapping[str, object]],
    exchange: Exchange,
    response_id: object,
    *,
    incomplete: bool,
) -> list[Item]:
    """The items as the provider sent them, marked, with calls made whole."""
    ids = CallIds(exchange.seed(response_id))
    mark = exchange.origin.mark()
    items: list[Item] = []
    seen: set[tuple[str, str]] = set()
    for position, given in enumerate(output):
        item: Item = {**given, MARK: mark}
        kind = item.get("type")
        if isinstance(kind, str) and kind in {"function_call", "custom_tool_call"}:
            both = (text_in(item, "id"), text_in(item, "call_id"))
            # The very same item once more is for the run to judge: a new id would hide it.
            if not all(both) or both not in seen:
                item["call_id"] = ids.of(item.get("call_id"), text_in(item, "name"))
            seen.add(both)
        if kind == "function_call":
            is_last = position == len(output) - 1
            cut = incomplete and (is_last or item.get("status") == "incomplete")
            item["arguments"] = arguments_text(item.get("arguments"), cut=cut)
        items.append(item)
    return items


def _not_a_response(exchange: Exchange, status: str) -> ProviderProtocolError:
    why = (
        f"its status is {status!r}, and only whole answers can be used: leave background off"
        if status not in _WHOLE
        else "it has no output. Check the base_url; a server without the Responses API needs "
        "OpenAIChatCompletionsModel"
    )
    return ProviderProtocolError(
        f"{exchange.origin.provider} sent no response of the Responses API: {why}.",
        status=exchange.status,
        request_id=request_id_in(exchange.headers),
    )
