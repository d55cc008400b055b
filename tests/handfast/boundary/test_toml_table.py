from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from handfast.boundary.toml_table import TomlTable
from handfast.errors import ScopeError

TEXT = """
name = "x"
blank = " "
count = 3
part = 2.5
yes = true
list = ["a", "b"]
mixed = ["a", 1]
day = 2026-11-30
moment = 2026-11-30T10:00:00
[inner]
deep = 1
"""


def table() -> TomlTable:
    return TomlTable.parse(TEXT, source="f.toml")


def test_values_come_back_with_their_types() -> None:
    found = table()
    assert found.text("name", example="y") == "x"
    assert found.optional_text("name") == "x"
    assert found.optional_text("absent") == ""
    assert found.integer("count", 1, low=0, high=9) == 3
    assert found.integer("absent", 1, low=0, high=9) == 1
    assert found.number("part", 1, low=0, high=9) == 2.5
    assert found.number("count", 1, low=0, high=9) == 3.0
    assert found.number("absent", 1.5, low=0, high=9) == 1.5
    assert found.texts("list") == ["a", "b"]
    assert found.texts("absent") == []
    assert found.array("absent") is None
    assert found.day("day") == date(2026, 11, 30)
    assert found.day("absent") is None
    assert found.table("inner").integer("deep", 0, low=0, high=9) == 1
    assert found.table("absent").optional_text("x") == ""


ASKS: list[tuple[Callable[[TomlTable], object], str]] = [
    (
        lambda t: t.text("absent", example="y"),
        'f.toml: absent: is missing; write for example absent = "y"',
    ),
    (
        lambda t: t.text("blank", example="y"),
        "f.toml, line 3: blank: must be a text that is not empty",
    ),
    (lambda t: t.text("count", example="y"), "f.toml, line 4: count: must be a text"),
    (lambda t: t.optional_text("yes"), "line 6: yes: must be a text, not true or false"),
    (lambda t: t.integer("part", 1, low=0, high=9), "line 5: part: must be a whole number"),
    (lambda t: t.integer("yes", 1, low=0, high=9), "yes: must be a whole number"),
    (lambda t: t.integer("count", 1, low=4, high=9), "count: must be between 4 and 9, not 3"),
    (lambda t: t.number("name", 1, low=0, high=9), "name: must be a number, not a text"),
    (lambda t: t.number("yes", 1, low=0, high=9), "yes: must be a number"),
    (lambda t: t.number("part", 1, low=3, high=9), "part: must be between 3 and 9, not 2.5"),
    (lambda t: t.array("name"), "name: must be an array in brackets, not a text"),
    (lambda t: t.texts("mixed"), "line 8: mixed[1]: must be a text in quotes, not 1"),
    (lambda t: t.day("name"), "name: must be a date without quotes"),
    (lambda t: t.day("moment"), "moment: must be a date without quotes"),
    (lambda t: t.table("name"), "name: must be a table, not a text"),
    (
        lambda t: t.table("inner").text("deep", example="x"),
        "line 12: inner.deep: must be a text",
    ),
    (lambda t: t.table("list"), "list: must be a table, not an array"),
    (lambda t: t.optional_text("inner"), "inner: must be a text, not a table"),
]


@pytest.mark.parametrize(("ask", "message"), ASKS)
def test_a_complaint_names_file_line_key_and_cure(
    ask: Callable[[TomlTable], object], message: str
) -> None:
    with pytest.raises(ScopeError) as caught:
        ask(table())
    assert message in str(caught.value)


def test_what_is_no_toml_is_refused_with_its_place() -> None:
    with pytest.raises(ScopeError, match=r"f.toml: not valid TOML: .*line 1"):
        TomlTable.parse("a = = 1", source="f.toml")


def test_unknown_keys_are_refused_with_the_nearest_known_one() -> None:
    found = TomlTable.parse("prots = [80]", source="f.toml")
    found.array("ports")
    with pytest.raises(
        ScopeError, match="line 1: prots: is not a key of a scope; did you mean ports"
    ):
        found.finish()


def test_unknown_keys_without_a_neighbour_get_the_list() -> None:
    found = TomlTable.parse("zzz = 1", source="f.toml")
    with pytest.raises(ScopeError, match="allowed here: budget, rate"):
        found.finish(known=["rate", "budget"])


def test_known_keys_pass() -> None:
    found = TomlTable.parse("a = 1", source="f.toml")
    found.finish(known=["a"])


def test_a_key_that_cannot_be_found_has_no_line() -> None:
    found = TomlTable({"a": 1}, text="", source="f.toml", path="x")
    with pytest.raises(ScopeError, match=r"^f.toml: x.a: no$"):
        found.fail("a", "no")
