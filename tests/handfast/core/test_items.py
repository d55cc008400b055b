from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from handfast.core.items import Call, HandoffResult, Item, Message


def test_items_cannot_be_changed() -> None:
    message = Message("user", "hi", {})
    with pytest.raises(FrozenInstanceError):
        message.text = "other"  # type: ignore[misc]


def test_every_item_keeps_the_providers_form_and_names_an_agent() -> None:
    for kind in get_args(Item):
        assert "raw" in {field.name for field in fields(kind)}
        assert hasattr(kind, "agent")


def test_the_answer_to_a_handoff_belongs_to_the_agent_that_handed_over() -> None:
    assert HandoffResult("h1", {}, "a", "b").agent == "a"


def test_a_call_is_one_of_a_function_unless_told_otherwise() -> None:
    assert Call("c", "t", "{}", {}).kind == "function"
