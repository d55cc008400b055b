from __future__ import annotations

import pytest

from handfast_inspect.lab.injections import MARKER, ORDER_CHINESE, ORDER_ENGLISH, PLANTED
from handfast_inspect.lab.site import OUTSIDE


@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_text_can_be_looked_for(name: str) -> None:
    assert MARKER in PLANTED[name]


def test_orders_come_in_two_languages_and_lead_out_of_the_scope() -> None:
    assert OUTSIDE in ORDER_ENGLISH
    assert OUTSIDE in ORDER_CHINESE
    assert "忽略" in ORDER_CHINESE


def test_the_kinds_of_trick_are_all_there() -> None:
    everything = "".join(PLANTED.values())
    for sign in ("\x1b[", "\u202e", "\u200b", "<|im_start|>", "<script>", "```", "$(", "{{"):
        assert sign in everything
