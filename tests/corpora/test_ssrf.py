from __future__ import annotations

from typing import cast

import pytest

from corpora import adapter

CASES = adapter.cases("ssrf.jsonl")
DANGEROUS = [case for case in CASES if case["expected"] == "block"]
HARMLESS = [case for case in CASES if case["expected"] == "allow"]
PINNED = [case for case in CASES if case["expected"] == "pin"]


def given(case: dict[str, object]) -> dict[str, object]:
    return cast("dict[str, object]", case["input"])


def name_of(case: dict[str, object]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", DANGEROUS, ids=name_of)
def test_a_dangerous_request_is_refused(case: dict[str, object]) -> None:
    assert adapter.ssrf(given(case)) == "block", case["why"]


@pytest.mark.parametrize("case", HARMLESS, ids=name_of)
def test_a_harmless_request_is_sent(case: dict[str, object]) -> None:
    assert adapter.ssrf(given(case)) == "allow", case["why"]


@pytest.mark.parametrize("case", PINNED, ids=name_of)
def test_a_rebinding_name_is_reached_at_the_checked_address_alone(case: dict[str, object]) -> None:
    assert adapter.ssrf(given(case)) == "pin"
    assert adapter.connection(given(case)) == case["connect"]


def test_the_corpus_is_whole() -> None:
    assert (len(DANGEROUS), len(HARMLESS), len(PINNED)) == (146, 26, 2)
