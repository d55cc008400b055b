"""Tokens in the spellings of many servers."""

from __future__ import annotations

import pytest

from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, Usage
from handfast.models.chat_usage import chat_usage


def test_openai_s_words() -> None:
    usage = chat_usage(
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "total_tokens": 15,
            "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
            "completion_tokens_details": {"reasoning_tokens": 3},
        },
    )
    assert usage == Usage(1, 10, InputTokensDetails(4, 2), 5, OutputTokensDetails(3), 15)


@pytest.mark.parametrize(
    ("given", "cached"),
    [
        ({"prompt_cache_hit_tokens": 7}, 7),
        ({"cached_tokens": 7}, 7),
        ({"cache_read_input_tokens": 7}, 7),
        ({"prompt_tokens_details": None, "cached_tokens": True}, 0),
    ],
)
def test_cached_tokens_under_other_names(given: dict[str, object], cached: int) -> None:
    assert chat_usage(given).input_tokens_details.cached_tokens == cached


@pytest.mark.parametrize("given", [None, [], "x", {}, {"prompt_tokens": None}])
def test_a_request_counts_even_where_its_tokens_are_unknown(given: object) -> None:
    assert chat_usage(given) == Usage(requests=1)


def test_a_missing_total_is_the_sum_and_a_given_one_is_believed() -> None:
    assert chat_usage({"prompt_tokens": 2, "completion_tokens": 3}).total_tokens == 5
    assert chat_usage({"prompt_tokens": 2, "total_tokens": 9}).total_tokens == 9
