from __future__ import annotations

import pytest

from handfast.core.effects import CallModel, CheckOutput
from handfast.core.items import Message
from handfast.core.outcomes import ModelAnswered, OutputAccepted
from handfast.core.state import Done, Offer
from handfast.testing.playbook import Playbook


def test_a_playbook_steps_a_run_by_hand() -> None:
    book = Playbook.start("a", [Message("user", "hi", {})])
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (Message("assistant", "ho", {}, "a"),), Offer()))
    (check,) = book.asks(CheckOutput)
    book.give(OutputAccepted(check.id, "ho")).asks()
    assert book.state.phase == Done("ho")


def test_what_the_loop_asks_for_has_to_be_named_exactly() -> None:
    book = Playbook.start("a")
    with pytest.raises(AssertionError, match="CallModel"):
        book.asks(CheckOutput)
    with pytest.raises(AssertionError, match="Name these effects first"):
        book.give(OutputAccepted("x", None))


def test_a_stored_run_goes_on_with_its_open_effects() -> None:
    book = Playbook.start("a")
    assert Playbook.resume(book.state).asks(CallModel) == book.asks(CallModel)
