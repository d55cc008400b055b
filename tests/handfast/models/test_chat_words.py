"""What a message's content says."""

from __future__ import annotations

import pytest

from handfast.models.chat_words import Piece, content_pieces


@pytest.mark.parametrize(
    ("content", "pieces"),
    [
        (None, []),
        ("hi", [("text", "hi")]),
        ({"a": 1}, [("text", '{"a":1}')]),
        (5, [("text", "5")]),
        ([{"type": "text", "text": "hi"}, "x"], [("text", "hi"), ("text", "x")]),
        (
            [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}],
            [("thinking", "hm")],
        ),
        ([{"type": "thinking", "thinking": "hm"}], [("thinking", "hm")]),
        ([{"type": "image_url"}, 7], [("text", ""), ("text", "")]),
    ],
)
def test_every_form_of_content_is_read(content: object, pieces: list[Piece]) -> None:
    assert content_pieces(content) == pieces
