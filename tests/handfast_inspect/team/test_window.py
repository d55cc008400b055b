from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.lab.injections import PLANTED
from handfast_inspect.report.visible import is_hidden
from handfast_inspect.team.window import WINDOW, page, shown

MARKERS = (
    "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<s>", "</s>", "<start_of_turn>", "<think>",
    "<tool_call>", "</tool_result>", "<CONVERSATION HISTORY>", "[INST]", "[/INST]", "<<SYS>>",
    "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "<｜begin▁of▁sentence｜>", "<function=x>",
)  # fmt: skip
"""How the chat formats of known models mark turns and calls."""


@pytest.mark.parametrize("marker", MARKERS)
def test_no_marker_of_a_chat_format_survives(marker: str) -> None:
    assert marker not in shown(f"before {marker} after")


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED)
def test_a_planted_text_stays_readable_and_does_nothing(text: str) -> None:
    seen = shown(text)
    assert "PLANTED" in seen
    assert "<" not in seen
    assert not any(is_hidden(character) for character in seen if character not in "\n\t")


def test_plain_text_is_left_alone() -> None:
    assert shown("nginx/1.18.0 [dns.spf:0123abcd] 中文 a[0]") == (
        "nginx/1.18.0 [dns.spf:0123abcd] 中文 a[0]"
    )


def test_a_page_is_json_with_everything_that_fits() -> None:
    assert json.loads(page(["a", {"b": 1}], 0)) == {"total": 2, "rows": ["a", {"b": 1}]}
    assert json.loads(page([], 0)) == {"total": 0, "rows": []}


def test_what_does_not_fit_is_one_call_away() -> None:
    rows = [f"{number:04d} {'x' * 1000}" for number in range(20)]
    seen: list[str] = []
    start = 0
    while True:
        found = json.loads(page(rows, start))
        seen += found["rows"]
        assert len(page(rows, start)) <= WINDOW + 100
        if "next_start" not in found:
            break
        start = found["next_start"]
    assert seen == rows


def test_a_row_that_alone_is_too_large_is_shown_alone() -> None:
    found = json.loads(page(["x" * 2 * WINDOW, "next"], 0))
    assert len(found["rows"]) == 1
    assert found["next_start"] == 1


@given(st.lists(st.text(max_size=30), max_size=30), st.integers(-5, 40))
def test_any_page_is_valid_and_moves_on(rows: list[str], start: int) -> None:
    found = json.loads(page(rows, start))
    first = max(start, 0)
    assert found["rows"] == rows[first : first + len(found["rows"])]
    assert found["total"] == len(rows)
