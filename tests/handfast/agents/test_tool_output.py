from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import json
import pathlib
import uuid
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

from handfast.agents.tool_output import (
    ToolOutputFileContent,
    ToolOutputFileContentDict,
    ToolOutputImage,
    ToolOutputImageDict,
    ToolOutputText,
    ToolOutputTextDict,
    to_tool_output,
)


class Report(BaseModel):
    title: str
    pages: int = Field(default=1, serialization_alias="pageCount")


class Names(RootModel[list[str]]):
    pass


@dataclasses.dataclass
class Point:
    x: int
    label: Report | None = None


class Pair(NamedTuple):
    a: int
    b: str


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Mood(enum.StrEnum):
    GOOD = "good"


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


class Silent:
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


class Spoken:
    def __str__(self) -> str:
        return "spoken"


NO_NUMBERS: set[int] = set()
VALUES: list[tuple[object, str | None]] = [
    ("plain", "plain"),
    ("", ""),
    ("中文 🚀", "中文 🚀"),
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (1.5, "1.5"),
    ([], "[]"),
    ((), "[]"),
    ({}, "{}"),
    (NO_NUMBERS, "[]"),
    ({"a": [1, None, "中"]}, '{"a":[1,null,"中"]}'),
    ({1: "a"}, '{"1":"a"}'),
    (MappingProxyType({"a": 1}), '{"a":1}'),
    ([float("inf")], "[Infinity]"),
    ({"b", "a", "c"}, '["a","b","c"]'),
    (frozenset({2, 1}), "[1,2]"),
    (Report(title="T"), '{"title":"T","pageCount":1}'),
    ([Report(title="T")], '[{"title":"T","pageCount":1}]'),
    (Names(["a"]), '["a"]'),
    (Point(1, Report(title="T")), '{"x":1,"label":{"title":"T","pageCount":1}}'),
    (Point, "<class '" + f"{__name__}.Point'>"),
    (Pair(1, "b"), '[1,"b"]'),
    (Color.RED, "red"),
    (Level.HIGH, "3"),
    (Mood.GOOD, "good"),
    ({"c": Color.RED}, '{"c":"red"}'),
    (Loud("a"), "A"),
    (dt.date(2026, 2, 3), "2026-02-03"),
    ({"at": dt.date(2026, 2, 3)}, '{"at":"2026-02-03"}'),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (decimal.Decimal("1.50"), "1.50"),
    (pathlib.PurePosixPath("/a"), "/a"),
    (b"ab", "ab"),
    (b"\xff\x00", "\\xff␀"),
    (bytearray(b"ab"), "ab"),
    (memoryview(b"ab"), "ab"),
    ([b"ab"], '["ab"]'),
    ("a\x00\ud800", "a␀\\ud800"),
    (["\ud800"], "['\\ud800']"),
    (Spoken(), "spoken"),
    ([Spoken()], '["spoken"]'),
    (Silent(), "The tool returned a Silent that cannot be shown as text."),
    ([Silent()], None),
    (ValueError("no"), "no"),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_a_value_becomes_text_that_a_model_can_read(value: object, text: str | None) -> None:
    made = to_tool_output(value)
    assert isinstance(made, str)
    assert text is None or made == text


def test_a_value_that_contains_itself_becomes_text() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert to_tool_output(circle) == "[[...]]"
    point = Point(1)
    point.label = point  # type: ignore[assignment]
    assert "Point" in str(to_tool_output(point))


def test_a_value_nested_without_end_becomes_text() -> None:
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    # How deep `str` goes differs between versions of Python; that it never raises does not.
    assert str(to_tool_output(deep)).startswith(("The tool returned a list that cannot", "[[[["))


def test_long_output_is_cut_with_a_mark() -> None:
    made = to_tool_output("x" * 800_000)
    assert isinstance(made, str)
    assert made.startswith("x" * 100_000 + "\n")
    assert made.endswith("[700,000 of 800,000 characters cut]")
    assert to_tool_output(list(range(100)), 5) == "[0,1,\n[286 of 291 characters cut]"
    assert to_tool_output("12345", 5) == "12345"


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (ToolOutputText("hi"), [{"type": "input_text", "text": "hi"}]),
        (
            ToolOutputImage(image_url="https://a/b.png", detail="low"),
            [{"type": "input_image", "image_url": "https://a/b.png", "detail": "low"}],
        ),
        (ToolOutputImage(file_id="f1"), [{"type": "input_image", "file_id": "f1"}]),
        (
            ToolOutputFileContent(file_data="data:,a", filename="a.txt"),
            [{"type": "input_file", "file_data": "data:,a", "filename": "a.txt"}],
        ),
        (ToolOutputTextDict(type="text", text="hi"), [{"type": "input_text", "text": "hi"}]),
        (
            ToolOutputImageDict(type="image", image_url="data:,a"),
            [{"type": "input_image", "image_url": "data:,a"}],
        ),
        (
            {"type": "image", "file_id": "f1", "width": 640, "alt": "a cat"},
            [{"type": "input_image", "file_id": "f1"}],
        ),
        (
            ToolOutputFileContentDict(type="file", file_url="https://a/b"),
            [{"type": "input_file", "file_url": "https://a/b"}],
        ),
        (
            [ToolOutputText("a\x00"), {"type": "image", "file_id": "f", "detail": None}],
            [{"type": "input_text", "text": "a␀"}, {"type": "input_image", "file_id": "f"}],
        ),
    ],
)
def test_parts_stay_parts(value: object, parts: list[dict[str, object]]) -> None:
    assert to_tool_output(value) == parts


@pytest.mark.parametrize(
    "value",
    [
        {"type": "text"},
        {"type": "text", "text": 1},
        {"type": "text", "text": "a", "lang": "en"},
        {"type": "file", "path": "/a"},
        {"type": "image"},
        {"type": "image", "image_url": ""},
        {"type": ["text"], "text": "a"},
        {"text": "a"},
        [{"type": "text", "text": "a"}, "b"],
        [],
    ],
)
def test_data_that_only_resembles_a_part_stays_data(value: Any) -> None:
    made = to_tool_output(value)
    assert isinstance(made, str)
    assert json.loads(made) == value


def test_the_text_of_parts_is_cut_together() -> None:
    value = [
        ToolOutputText("abc"),
        ToolOutputImage(file_id="f"),
        ToolOutputText("defg"),
        ToolOutputText("h"),
    ]
    assert to_tool_output(value, 5) == [
        {"type": "input_text", "text": "abc"},
        {"type": "input_image", "file_id": "f"},
        {"type": "input_text", "text": "de\n[2 of 4 characters cut]"},
        {"type": "input_text", "text": "\n[1 of 1 characters cut]"},
    ]


def test_a_part_without_content_is_refused() -> None:
    with pytest.raises(ValueError, match="image_url or file_id"):
        ToolOutputImage()
    with pytest.raises(ValueError, match="file_data, file_url or file_id"):
        ToolOutputFileContent(filename="a")


leaves: st.SearchStrategy[object] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.datetimes()
    | st.decimals()
    | st.just(Silent())
    | st.sampled_from(Color)
)


def nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    part: st.SearchStrategy[dict[str, object]] = st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image", "file"]), "text": inner},
    )
    return (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(), inner, max_size=3)
        | st.tuples(inner)
        | part
    )


anything = st.recursive(leaves, nested, max_leaves=8)


@given(anything, st.integers(1, 50))
def test_anything_becomes_output_that_can_be_sent(value: object, max_chars: int) -> None:
    made = to_tool_output(value, max_chars)
    json.dumps(made, ensure_ascii=False).encode("utf-8")
    assert "\x00" not in str(made)
    if isinstance(made, str):
        assert len(made) <= max_chars + 100
