"""Rules that hold for answers of every protocol."""

from __future__ import annotations

import pytest

from handfast.agents.raw import ModelResponse
from handfast.errors import ModelBehaviorError, ProviderProtocolError
from handfast.models.answer import Exchange, may_hold_surrogates, read_body, require_something
from handfast.models.origin import Origin

EXCHANGE = Exchange(Origin("h", "m"), 3, 200, {"content-type": "text/html", "x-request-id": "q"})


def test_ids_are_the_same_when_replayed_and_differ_between_turns() -> None:
    assert EXCHANGE.seed("r") == Exchange(Origin("elsewhere", "m"), 3).seed("r")
    assert EXCHANGE.seed("r") != Exchange(Origin("h", "m"), 5).seed("r")
    assert EXCHANGE.seed("r") != EXCHANGE.seed("s")
    assert EXCHANGE.seed(None) == EXCHANGE.seed(5)


@pytest.mark.parametrize("body", [b"", b"<html>Busy</html>", b"[1]", b'"x"', b"null"])
def test_a_body_that_is_no_object_is_shown(body: bytes) -> None:
    with pytest.raises(ProviderProtocolError, match="text/html") as caught:
        read_body(body, EXCHANGE)
    assert (caught.value.status, caught.value.request_id) == (200, "q")


def test_half_letters_in_a_body_are_made_whole() -> None:
    assert read_body(b'{"a": "\\ud83d"}', EXCHANGE) == {"a": "\ufffd"}
    assert may_hold_surrogates("\\uD83D")
    assert not may_hold_surrogates(b"plain")


WORDS = {"type": "message", "content": [{"type": "output_text", "text": "hi"}]}
REFUSAL = {"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}
NO_WORDS = {"type": "message", "content": [{"type": "output_text", "text": ""}]}
THOUGHT: dict[str, object] = {"type": "reasoning", "summary": []}
CALL: dict[str, object] = {"type": "function_call"}


@pytest.mark.parametrize("item", [WORDS, REFUSAL, CALL])
def test_a_cut_answer_that_says_something_is_an_answer(item: dict[str, object]) -> None:
    response = ModelResponse([THOUGHT, item], status="incomplete", incomplete_reason="x")
    assert require_something(response, "m") is response


@pytest.mark.parametrize("items", [[], [THOUGHT], [THOUGHT, NO_WORDS]])
def test_a_cut_answer_that_says_nothing_is_no_empty_success(items: list[object]) -> None:
    response = ModelResponse(items, status="incomplete", incomplete_reason="max_output_tokens")
    with pytest.raises(ModelBehaviorError, match=r"max_output_tokens.*max_tokens"):
        require_something(response, "m")


def test_a_whole_answer_may_be_empty() -> None:
    response = ModelResponse([])
    assert require_something(response, "m") is response
