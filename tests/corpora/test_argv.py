from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from corpora import adapter
from handfast.boundary.commands import PROGRAMS, authorize_argv
from handfast.errors import CommandRefused

CASES = adapter.cases("argv.jsonl")
DANGEROUS = [case for case in CASES if case["expected"] == "block"]
HARMLESS = [case for case in CASES if case["expected"] == "allow"]


def given(case: dict[str, object]) -> dict[str, object]:
    return cast("dict[str, object]", case["input"])


def name_of(case: dict[str, object]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", DANGEROUS, ids=name_of)
def test_a_dangerous_vector_is_refused(case: dict[str, object]) -> None:
    assert adapter.argv(given(case)) == "block", case["why"]


@pytest.mark.parametrize("case", HARMLESS, ids=name_of)
def test_a_harmless_vector_runs(case: dict[str, object]) -> None:
    assert adapter.argv(given(case)) == "allow", case["why"]


@pytest.mark.parametrize("case", HARMLESS, ids=name_of)
def test_what_is_built_is_understood_again_and_stays_the_same(case: dict[str, object]) -> None:
    asked = given(case)
    program, args = cast("str", asked["program"]), cast("list[str]", asked["args"])
    once = authorize_argv(program, args, adapter.ARGV_SCOPE)
    assert authorize_argv(program, once.args, adapter.ARGV_SCOPE) == once


@pytest.mark.parametrize("case", DANGEROUS, ids=name_of)
def test_a_dangerous_vector_stays_refused_with_more_before_and_after(
    case: dict[str, object],
) -> None:
    asked = given(case)
    program, args = cast("str", asked["program"]), cast("list[str]", asked["args"])
    for more in ("-v", "-4", "app.lab.example", "203.0.113.10"):
        # A missing count or target may be supplied by what is added; those vectors are harmless.
        if asked["args"] and program not in {"ping", "nslookup"}:
            assert adapter.argv({"program": program, "args": [*args, more]}) == "block", more


@hypothesis_given(
    program=st.sampled_from(sorted(PROGRAMS)),
    option=st.from_regex(r"-{1,2}[zZ][A-Za-z0-9_-]{0,20}(=[!-~]{0,10})?", fullmatch=True),
    args=st.sampled_from([["app.lab.example"], ["-c", "1", "203.0.113.10"], []]),
)
def test_no_spelling_of_an_unknown_option_passes(
    program: str, option: str, args: list[str]
) -> None:
    if program == "traceroute" and option.startswith("-z"):
        return
    for vector in ([option, *args], [*args, option]):
        with pytest.raises(CommandRefused):
            authorize_argv(program, vector, adapter.ARGV_SCOPE)


@hypothesis_given(
    program=st.sampled_from(sorted(PROGRAMS)), args=st.lists(st.text(max_size=20), max_size=6)
)
def test_whatever_passes_names_only_what_is_in_scope(program: str, args: list[str]) -> None:
    try:
        command = authorize_argv(program, args, adapter.ARGV_SCOPE)
    except CommandRefused:
        return
    assert "lab.example" in command.args[-1] or "203.0.113." in command.args[-1]


def test_the_corpus_is_whole() -> None:
    assert (len(DANGEROUS), len(HARMLESS)) == (172, 35)
