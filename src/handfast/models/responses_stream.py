"""A streamed answer of the Responses API: events to the observer, the last one kept."""

from __future__ import annotations

from collections.abc import Mapping

from handfast.agents.json_types import is_object
from handfast.agents.model import Observer
from handfast.agents.raw import ModelResponse, raw_view
from handfast.errors import ProviderError, ProviderProtocolError
from handfast.models.answer import Exchange, may_hold_surrogates
from handfast.models.json_text import all_well_formed, object_in, objects_in, read_json, text_in
from handfast.models.provider_errors import provider_error, request_id_in, what_was_said
from handfast.models.sse import GAVE_UP, ServerSentEvent

_FINAL = frozenset({"response.completed", "response.incomplete"})


class ResponsesStream:
    """Takes the events of one answer.

    Args:
        exchange: What is known of the exchange.
        observe: Who is told what arrives; None tells nobody.
    """

    def __init__(self, exchange: Exchange, observe: Observer | None) -> None:
        self._exchange = exchange
        self._observe = observe
        self._final: Mapping[str, object] | None = None
        self._items: dict[int, Mapping[str, object]] = {}

    def on_event(self, event: ServerSentEvent) -> bool:
        """Take one event; True when it says that the stream is over.

        Raises:
            ProviderError: It tells of an error, or is no JSON.
        """
        if event.data.strip() == "[DONE]":
            return True
        if event.event == GAVE_UP:
            raise self._broken(f"no end: {what_was_said(event.data.encode()).message}")
        try:
            value = read_json(event.data)
        except ValueError:
            raise self._broken("an event that is no JSON") from None
        if not is_object(value):
            return False
        if may_hold_surrogates(event.data):
            value = all_well_formed(value)
        return self._take(text_in(value, "type") or event.event, value)

    def body(self) -> Mapping[str, object]:
        """The whole response.

        Raises:
            ProviderProtocolError: The stream ended before the response did.
        """
        if self._final is None:
            raise self._broken("no end: it was cut off")
        response = object_in(self._final, "response")
        if self._items and not objects_in(response, "output"):
            items = [item for _, item in sorted(self._items.items())]
            return {**response, "output": items}
        return response

    def finish(self, response: ModelResponse, body: Mapping[str, object]) -> None:
        """Tell the observer of the end, with the items as they were made whole."""
        if self._observe is None:
            return
        whole = {**body, "output": response.wire_items}
        final = self._final or {"type": f"response.{response.status}", "sequence_number": 0}
        self._observe(raw_view({**final, "response": whole}))

    def _take(self, kind: str, event: Mapping[str, object]) -> bool:
        if kind == "error":
            told = {key: value for key, value in event.items() if key != "type"}
            raise self._error(told)
        if kind == "response.failed":
            raise self._error(object_in(event, "response"))
        if kind in _FINAL:
            self._final = event
            return True
        index = event.get("output_index")
        if kind == "response.output_item.done" and isinstance(index, int):
            self._items[index] = object_in(event, "item")
        if self._observe is not None:
            self._observe(raw_view(dict(event)))
        return False

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
