from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.command_options import (
    MAX_ARGUMENT,
    MAX_ARGUMENTS,
    Arguments,
    Option,
    check_arguments,
    decimal,
    integer,
    parse_options,
    within,
    words,
)
from handfast.errors import CommandRefused

OPTIONS = {
    "-v": Option("verbose", repeats=True),
    "--verbose": Option("verbose", repeats=True),
    "-q": Option("quiet"),
    "-c": Option("count", value=True),
    "--count": Option("count", value=True),
    "-H": Option("header", value=True, repeats=True),
}


def parse(*args: str, permute: bool = True) -> Arguments:
    return parse_options("prog", args, OPTIONS, permute=permute)


def test_options_values_and_operands_are_told_apart() -> None:
    found = parse("-v", "a", "--verbose", "-c", "3", "b", "-Hx", "-H", "y")
    assert found.operands == ["a", "b"]
    assert found.values == {"verbose": ["", ""], "count": ["3"], "header": ["x", "y"]}
    assert found.has("verbose")
    assert found.get("count") == "3"
    assert found.get("quiet") is None
    assert found.flags(["verbose", "quiet"]) == {"verbose"}


@pytest.mark.parametrize("args", [("-vqc3",), ("-vqc", "3"), ("-v", "-q", "--count=3"),
                                  ("-v", "-q", "--count", "3")])  # fmt: skip
def test_every_modelled_way_to_write_a_value_is_read_alike(args: tuple[str, ...]) -> None:
    found = parse(*args)
    assert found.values == {"verbose": [""], "quiet": [""], "count": ["3"]}


def test_after_a_double_dash_everything_is_an_operand() -> None:
    assert parse("-v", "--", "-c", "--", "x").operands == ["-c", "--", "x"]


def test_a_single_dash_is_an_operand() -> None:
    assert parse("-").operands == ["-"]


def test_without_permutation_the_first_operand_ends_the_options() -> None:
    found = parse("-v", "a", "-v", permute=False)
    assert found.operands == ["a", "-v"]
    assert found.values == {"verbose": [""]}


@pytest.mark.parametrize(
    "args",
    [
        ("-x",), ("-vx",), ("--verb",), ("--verbose=1",), ("--verbose=",), ("-c",), ("--count",),
        ("-vc",), ("-q", "-q"), ("-qq",), ("-c1", "-c1"), ("-c1", "--count=1"), ("-verbose",),
        ("--Verbose",), ("---verbose",), ("-–v",), ("",), ("a\n",), ("é",), ("\x00",),
        ("a" * (MAX_ARGUMENT + 1),), ("a",) * (MAX_ARGUMENTS + 1),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_refused(args: tuple[str, ...]) -> None:
    with pytest.raises(CommandRefused):
        parse(*args)


def test_an_empty_value_is_kept_to_be_judged_by_its_program() -> None:
    assert parse("--count=").get("count") == ""


@given(st.lists(st.text(alphabet="-=vqcHx1 ", max_size=6), max_size=8))
def test_any_vector_is_refused_or_wholly_accounted_for(args: list[str]) -> None:
    try:
        found = parse(*args)
    except CommandRefused:
        return
    kept = found.operands + [value for values in found.values.values() for value in values]
    for argument in args:
        assert argument == "--" or argument.startswith("-") or argument in kept


def test_a_single_operand_is_exactly_one() -> None:
    assert parse("a").single_operand() == "a"
    for args in ((), ("a", "b")):
        with pytest.raises(CommandRefused, match="exactly one target"):
            parse(*args).single_operand()


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "01", "1.0", "1e3", "٣", "11", "0x1", " 1", "1_0"]
)
def test_a_whole_number_is_written_in_plain_digits_within_limits(text: str) -> None:
    with pytest.raises(CommandRefused):
        integer("prog", "count", text, 1, 10)


@pytest.mark.parametrize(
    "text", ["", "-1", "1e3", "nan", "inf", ".5", "1.", "1.2345", "01.5", "11"]
)
def test_a_number_is_written_in_plain_digits_within_limits(text: str) -> None:
    with pytest.raises(CommandRefused):
        decimal("prog", "wait", text, 0.5, 10)


def test_numbers_are_read_from_options() -> None:
    found = parse("-c", "3")
    assert found.integer("count", 1, 5) == 3
    assert found.integer("absent", 1, 5) is None
    assert found.decimal("count", 1, 5) == 3.0
    assert found.decimal("absent", 1, 5) is None
    assert integer("prog", "x", "0", 0, 1) == 0
    assert decimal("prog", "x", "0.25", 0, 1) == 0.25


@pytest.mark.parametrize("value", [0, 11, -1, float("nan"), float("inf")])
def test_a_built_number_is_checked_like_a_read_one(value: float) -> None:
    with pytest.raises(CommandRefused):
        within("prog", "count", value, 1, 10)


def test_an_absent_or_fitting_number_passes() -> None:
    within("prog", "count", None, 1, 10)
    within("prog", "count", 10, 1, 10)


def test_a_table_of_words_is_a_set() -> None:
    assert words("a b\n c") == {"a", "b", "c"}


def test_printable_ascii_passes() -> None:
    check_arguments("prog", ["a b", "~"])
