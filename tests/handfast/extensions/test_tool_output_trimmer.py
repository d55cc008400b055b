from __future__ import annotations

import copy
from typing import Any

import pytest

from handfast import CallModelData, ModelInputData
from handfast.extensions.tool_output_trimmer import ToolOutputTrimmer

LONG = "abcdefghij" * 100


def said(role: str, text: str = "x") -> dict[str, Any]:
    return {"role": role, "content": text}


def called(call_id: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}", **more}


def returned(call_id: str, output: object) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def two_later_turns() -> list[dict[str, Any]]:
    return [said("user"), said("assistant"), said("user"), said("assistant")]


def trimmed(trimmer: ToolOutputTrimmer, items: list[dict[str, Any]]) -> list[Any]:
    before = copy.deepcopy(items)
    data = CallModelData(ModelInputData(list(items), "Be brief."), agent=None, context=None)
    shown = trimmer(data)
    assert items == before
    assert shown.instructions == "Be brief."
    again = CallModelData(ModelInputData(shown.input, None), agent=None, context=None)
    assert trimmer(again).input == shown.input
    return [item.get("output") for item in shown.input]


def test_long_outputs_of_older_turns_become_previews() -> None:
    items = [said("user"), called("c", "search"), returned("c", LONG), *two_later_turns()]
    output = trimmed(ToolOutputTrimmer(preview_chars=20), items)[2]
    assert output == "[Trimmed: search output, 1000 chars, preview 20]\nabcdefghijabcdefghij..."


@pytest.mark.parametrize("output", ["short", [{"type": "output_text", "text": LONG}], {"a": LONG}])
def test_short_outputs_and_unknown_forms_stay(output: object) -> None:
    items = [said("user"), called("c", "search"), returned("c", output), *two_later_turns()]
    assert trimmed(ToolOutputTrimmer(), items)[2] == output


def test_recent_turns_stay_whole() -> None:
    items = [said("user"), called("c", "search"), returned("c", LONG), said("user")]
    assert trimmed(ToolOutputTrimmer(), items)[2] == LONG
    assert trimmed(ToolOutputTrimmer(recent_turns=1), items)[2] != LONG


def test_an_output_that_would_not_become_shorter_stays() -> None:
    items = [said("user"), called("c", "s"), returned("c", "x" * 501), *two_later_turns()]
    assert trimmed(ToolOutputTrimmer(preview_chars=490), items)[2] == "x" * 501


def test_only_the_tools_that_are_listed_are_trimmed() -> None:
    items = [
        said("user"),
        called("a", "lookup", namespace="billing"),
        returned("a", LONG),
        called("b", "s"),
        returned("b", LONG),
        returned("orphan", LONG),
        *two_later_turns(),
    ]
    shown = trimmed(ToolOutputTrimmer(trimmable_tools=["billing.lookup"]), items)
    assert shown[2].startswith("[Trimmed: billing.lookup output")
    assert (shown[4], shown[5]) == (LONG, LONG)
    assert trimmed(ToolOutputTrimmer(), items)[5].startswith("[Trimmed: unknown_tool output")


@pytest.mark.parametrize("limit", [1, 9, 10, 22, 40, 70, 200])
def test_parts_become_text_within_the_limit_and_payloads_are_never_quoted(limit: int) -> None:
    parts = [
        {"type": "input_text", "text": LONG},
        {"type": "input_image", "image_url": "IMAGE" * 200, "detail": "high"},
        {"type": "input_file", "file_data": "FILE" * 200, "filename": "a.pdf"},
    ]
    items = [said("user"), called("c", "plot"), returned("c", parts), *two_later_turns()]
    trimmer = ToolOutputTrimmer(max_output_chars=limit, preview_chars=20)
    output = trimmed(trimmer, items)[2]
    assert len(output) <= limit
    assert "IMAGE" not in output
    assert "FILE" not in output
    pictures = [said("user"), called("c", "plot"), returned("c", parts[1:]), *two_later_turns()]
    assert len(trimmed(trimmer, pictures)[2]) <= limit


def test_what_was_left_out_is_named() -> None:
    parts = [{"type": "input_text", "text": "caption"}, {"type": "input_image", "image_url": LONG}]
    items = [said("user"), called("c", "plot"), returned("c", parts), *two_later_turns()]
    assert trimmed(ToolOutputTrimmer(), items)[2] == (
        "[Trimmed: plot output, payload 1007, preview 7, dropped 1 input_image]\ncaption"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recent_turns": 0}, "recent_turns must be >= 1"),
        ({"max_output_chars": 0}, "max_output_chars must be >= 1"),
        ({"preview_chars": -1}, "preview_chars must be >= 0"),
        ({"trimmable_tools": b"x"}, "string or iterable"),
    ],
)
def test_settings_that_cannot_work_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ToolOutputTrimmer(**options)
