"""Reasoning in think tags."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.models.think_tags import ThinkSplitter, Thought, split_thinking


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>\nhm\n</think>\n\n4", "hm", "4"),
        ("  <think>hm</think>4", "hm", "4"),
        ("<think>cut off", "cut off", ""),
        ("<think></think>4", "", "4"),
        ("hm\n</think>\n4", "hm", "4"),
        ("4", "", "4"),
        ("", "", ""),
        ("use <think> tags", "", "use <think> tags"),
        ("the tag </think> ends it", "", "the tag </think> ends it"),
        ("<thin", "", "<thin"),
        ("<thinking>x", "", "<thinking>x"),
    ],
)
def test_only_a_leading_block_is_reasoning(text: str, reasoning: str, answer: str) -> None:
    assert split_thinking(text) == Thought(reasoning, answer)


TEXTS = st.lists(
    st.sampled_from(["<think>", "</think>", "<th", "ink>", "a", " ", "\n", "</"]),
    max_size=8,
).map("".join)


@given(TEXTS, st.lists(st.integers(0, 40), max_size=6))
def test_where_a_text_is_cut_makes_no_difference(text: str, cuts: list[int]) -> None:
    def split(pieces: list[str]) -> tuple[str, str]:
        splitter = ThinkSplitter()
        told = [*(splitter.feed(piece) for piece in pieces), splitter.finish()]
        return "".join(t.reasoning for t in told), "".join(t.text for t in told)

    places = [0, *sorted(cuts), len(text)]
    pieces = [text[a:b] for a, b in itertools.pairwise(places)]
    assert split(pieces) == split([text])


def test_text_is_handed_on_at_once() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("Hi").text == "Hi"
    assert splitter.feed(" <think>").text == " <think>"
