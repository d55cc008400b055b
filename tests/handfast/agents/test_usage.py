from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.usage import (
    InputTokensDetails,
    OutputTokensDetails,
    RequestUsage,
    Usage,
    deserialize_usage,
    input_details_of,
    model_usage_to_span_usage,
    output_details_of,
    serialize_usage,
)
from handfast.core.usage import Spend

COUNTS = st.integers(0, 10**9)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    def details() -> tuple[InputTokensDetails, OutputTokensDetails]:
        return InputTokensDetails(draw(COUNTS), draw(COUNTS)), OutputTokensDetails(draw(COUNTS))

    entries = [
        RequestUsage(draw(COUNTS), draw(COUNTS), draw(COUNTS), *details())
        for _ in range(draw(st.integers(0, 2)))
    ]
    read, written = details()
    return Usage(draw(COUNTS), draw(COUNTS), read, draw(COUNTS), written, draw(COUNTS), entries)


def one_request(tokens: int = 3) -> Usage:
    return Usage(
        requests=1,
        input_tokens=tokens,
        input_tokens_details=InputTokensDetails(cached_tokens=1),
        output_tokens=tokens,
        output_tokens_details=OutputTokensDetails(reasoning_tokens=2),
        total_tokens=2 * tokens,
    )


def test_every_count_is_added() -> None:
    total = one_request()
    total.add(one_request(5))
    assert (total.requests, total.input_tokens, total.output_tokens) == (2, 8, 8)
    assert total.total_tokens == 16
    assert total.input_tokens_details == InputTokensDetails(cached_tokens=2)
    assert total.output_tokens_details == OutputTokensDetails(reasoning_tokens=4)


def test_a_single_request_becomes_an_entry_of_its_own() -> None:
    total = Usage()
    total.add(one_request(3))
    total.add(one_request(4))
    assert [entry.input_tokens for entry in total.request_usage_entries] == [3, 4]


def test_a_count_of_several_requests_hands_on_its_entries() -> None:
    several = Usage()
    several.add(one_request(3))
    several.add(one_request(4))
    total = Usage()
    total.add(several)
    assert [entry.input_tokens for entry in total.request_usage_entries] == [3, 4]


def test_nothing_is_shared_with_what_was_added() -> None:
    added = one_request()
    added.add(one_request())
    total = Usage()
    total.add(added)
    added.request_usage_entries[0].input_tokens_details.cached_tokens = 99
    added.input_tokens_details.cached_tokens = 99
    assert total.request_usage_entries[0].input_tokens_details.cached_tokens == 1
    assert total.input_tokens_details.cached_tokens == 2


def test_a_request_without_tokens_leaves_no_entry() -> None:
    total = Usage()
    total.add(Usage(requests=1))
    assert (total.requests, total.request_usage_entries) == (1, [])


def test_details_are_read_in_the_form_of_any_provider() -> None:
    assert input_details_of(SimpleNamespace(cached_tokens=7)) == InputTokensDetails(7)
    assert input_details_of({"cache_write_tokens": 8}) == InputTokensDetails(0, 8)
    assert output_details_of({"reasoning_tokens": 9}) == OutputTokensDetails(9)
    assert output_details_of(None) == OutputTokensDetails()


def test_details_that_are_no_counts_are_0() -> None:
    assert input_details_of({"cached_tokens": True}) == InputTokensDetails()
    assert input_details_of({"cached_tokens": "7"}) == InputTokensDetails()
    assert output_details_of({"reasoning_tokens": -1}) == OutputTokensDetails()


def test_the_core_is_told_the_same_count() -> None:
    assert one_request().to_spend() == Spend(1, 3, 3, 6, 1, 2)


def test_a_span_holds_the_count_without_entries() -> None:
    held = model_usage_to_span_usage(one_request())
    assert held["total_tokens"] == 6
    assert held["input_tokens_details"] == {"cached_tokens": 1, "cache_write_tokens": 0}
    assert "request_usage_entries" not in held


@given(usages())
def test_a_stored_count_comes_back(usage: Usage) -> None:
    assert deserialize_usage(serialize_usage(usage)) == usage


def test_what_a_stored_count_lacks_is_0() -> None:
    assert deserialize_usage({}) == Usage()
    odd = {"requests": "1", "input_tokens_details": [], "request_usage_entries": [None, 3]}
    read = deserialize_usage(odd)
    assert (read.requests, len(read.request_usage_entries)) == (0, 2)
    assert read.request_usage_entries[0].total_tokens == 0
