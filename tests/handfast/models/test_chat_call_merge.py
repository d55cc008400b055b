"""Streamed calls put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.models.chat_call_merge import CallMerger

Delta = dict[str, object]


def delta(
    index: object = None,
    call_id: str | None = None,
    name: str | None = None,
    arguments: object = None,
) -> Delta:
    made: Delta = {}
    if index is not None:
        made["index"] = index
    if call_id is not None:
        made["id"] = call_id
    function = {
        key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None
    }
    return {**made, "function": function}


def merged(*chunks: list[Delta]) -> list[tuple[str, str, str]]:
    merger = CallMerger()
    for number, chunk in enumerate(chunks, 1):
        for piece in chunk:
            merger.add(piece, number)
    return [(call.call_id, call.name, call.arguments) for call in merger.calls]


WHOLE = '{"a": 1}'
OTHER = '{"a": 2}'


def test_pieces_go_to_the_call_of_their_index() -> None:
    assert merged(
        [delta(0, "x", "f", "")],
        [delta(1, "y", "g", "")],
        [delta(0, None, None, '{"a":'), delta(1, None, None, '{"b":')],
        [delta(0, None, None, "1}"), delta(1, None, None, "2}")],
    ) == [("x", "f", '{"a":1}'), ("y", "g", '{"b":2}')]


@pytest.mark.parametrize(
    "rest",
    [delta(0, "", "", WHOLE), delta(0, "x", "f", WHOLE), delta(0, None, "f", WHOLE)],
)
def test_a_later_piece_may_repeat_or_empty_id_and_name(rest: Delta) -> None:
    assert merged([delta(0, "x", "f", "")], [rest]) == [("x", "f", WHOLE)]


def test_an_index_may_start_anywhere() -> None:
    assert merged([delta(1, "x", "f", "")], [delta(1, None, None, "{}")]) == [("x", "f", "{}")]


def test_calls_of_one_chunk_without_an_index_are_told_apart() -> None:
    assert merged([delta(None, "x", "f", WHOLE), delta(None, "y", "g", WHOLE)]) == [
        ("x", "f", WHOLE),
        ("y", "g", WHOLE),
    ]


def test_calls_that_share_an_index_are_told_apart_by_id() -> None:
    assert merged([delta(0, "x", "f", WHOLE)], [delta(0, "y", "f", WHOLE)]) == [
        ("x", "f", WHOLE),
        ("y", "f", WHOLE),
    ]


def test_calls_without_ids_that_share_an_index_are_told_apart_by_arguments() -> None:
    assert merged([delta(0, "", "f", WHOLE)], [delta(0, "", "f", OTHER)]) == [
        ("", "f", WHOLE),
        ("", "f", OTHER),
    ]


def test_the_tool_s_name_as_id_of_two_calls_loses_none() -> None:
    assert len(merged([delta(None, "f", "f", WHOLE), delta(None, "f", "f", OTHER)])) == 2
    assert len(merged([delta(None, "f", "f", WHOLE), delta(None, "f", "f", WHOLE)])) == 2
    assert len(merged([delta(0, "f", "f", WHOLE), delta(1, "f", "f", WHOLE)])) == 2


def test_a_call_told_again_whole_is_one_call() -> None:
    assert merged([delta(0, "x", "f", WHOLE)], [delta(0, "x", "f", WHOLE)]) == [("x", "f", WHOLE)]
    assert merged([delta(0, "x", "f", "")], [delta(0, "x", "f", "{}")]) == [("x", "f", "{}")]


def test_pieces_with_neither_index_nor_id_go_on_with_the_last_call() -> None:
    assert merged(
        [delta(None, "x", "f", '{"a"')],
        [delta(None, None, None, ": 1}")],
    ) == [("x", "f", WHOLE)]
    assert merged(
        [delta(None, "", "f", WHOLE)],
        [delta(None, "", "g", WHOLE)],
    ) == [("", "f", WHOLE), ("", "g", WHOLE)]
    assert merged([delta(None, None, None, "{}")]) == [("", "", "{}")]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [("get", "get", "get"), ("get_", "weather", "get_weather"), ("get_", "get_all", "get_all")],
)
def test_a_name_may_come_again_or_in_pieces(first: str, second: str, name: str) -> None:
    assert merged([delta(0, "x", first)], [delta(0, None, second, "{}")]) == [("x", name, "{}")]


def test_arguments_may_be_missing_or_an_object() -> None:
    assert merged([delta(0, "x", "f")], [delta(0)]) == [("x", "f", "")]
    assert merged([delta(0, "x", "f", {"a": 1})]) == [("x", "f", '{"a":1}')]


def test_what_else_a_call_carries_is_kept() -> None:
    merger = CallMerger()
    signed = {**delta(0, "x", "f", "{}"), "type": None, "extra_content": {"s": 1}}
    assert merger.add(signed, 1) == (0, "{}")
    assert merger.calls[0].to_message() == {
        "extra_content": {"s": 1},
        "id": "x",
        "type": "function",
        "function": {"name": "f", "arguments": "{}"},
    }


def test_custom_tools_take_text() -> None:
    merger = CallMerger()
    merger.add({"index": 0, "id": "x", "custom": {"name": "calc", "input": "4 "}}, 1)
    merger.add({"index": 0, "custom": {"input": "+ 4"}}, 2)
    assert merger.calls[0].to_message() == {
        "id": "x",
        "type": "custom",
        "custom": {"name": "calc", "input": "4 + 4"},
    }


CALLS = st.lists(
    st.tuples(st.sampled_from(["f", "g"]), st.sampled_from([WHOLE, OTHER, "{}"])),
    max_size=4,
)


@given(CALLS, st.integers(1, 5), st.booleans())
def test_however_a_server_cuts_its_calls_they_come_out_the_same(
    calls: list[tuple[str, str]],
    step: int,
    with_index: bool,  # noqa: FBT001 - drawn
) -> None:
    chunks: list[list[Delta]] = []
    for number, (name, arguments) in enumerate(calls):
        index = number if with_index else None
        chunks.append([delta(index, f"c{number}", name, "")])
        for at in range(0, len(arguments), step):
            call_id = None if with_index else f"c{number}"
            chunks.append([delta(index, call_id, None, arguments[at : at + step])])
    expected = [(f"c{n}", name, arguments) for n, (name, arguments) in enumerate(calls)]
    assert merged(*chunks) == expected
