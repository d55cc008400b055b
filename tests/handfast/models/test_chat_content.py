"""Content of messages, from parts of one protocol to those of the other."""

from __future__ import annotations

import pytest

from handfast.errors import UserError
from handfast.models.chat_content import input_content, output_text


def test_text_stays_text() -> None:
    assert input_content("hi") == "hi"
    assert input_content([{"type": "input_text", "text": "hi"}]) == "hi"


def test_parts_are_translated() -> None:
    parts = [
        {"type": "input_text", "text": "look"},
        {"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "low"},
        {"type": "input_file", "file_data": "data:x", "filename": "a.pdf"},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}},
    ]
    assert input_content(parts) == [
        {"type": "text", "text": "look"},
        {
            "type": "image_url",
            "image_url": {"url": "data:image/png;base64,AA", "detail": "low"},
        },
        {"type": "file", "file": {"file_data": "data:x", "filename": "a.pdf"}},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}},
    ]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (5, "not int"),
        ([5], "not int"),
        ([{"type": "input_image", "file_id": "f"}], "input_image"),
        ([{"type": "input_file", "file_url": "https://x"}], "input_file"),
        ([{"type": "strange"}], "strange"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(content: object, named: str) -> None:
    with pytest.raises(UserError, match=named):
        input_content(content)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("3", "3"),
        (None, ""),
        ([], ""),
        ({"a": 1}, '{"a":1}'),
        ([{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb"),
        ([5], "5"),
    ],
)
def test_a_tool_s_output_becomes_text(output: object, text: str) -> None:
    assert output_text(output) == text


def test_an_image_from_a_tool_is_not_dropped_without_a_word() -> None:
    assert "input_image: not shown" in output_text([{"type": "input_image", "image_url": "x"}])
