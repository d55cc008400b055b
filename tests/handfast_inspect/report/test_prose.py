from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.report.prose import Block, Piece, prose_blocks

A = "web:0123456789abcdef"


def test_paragraphs_and_lists_are_told_apart() -> None:
    blocks = prose_blocks("one\ntwo\n\nthree\n- a\n- b\n\n1. c", ())
    assert [(block.is_list, len(block.lines)) for block in blocks] == [
        (False, 2),
        (False, 1),
        (True, 3),
    ]


def test_known_ids_become_citations_wherever_they_stand() -> None:
    (block,) = prose_blocks(f"HSTS 缺失[{A}、web:x]。", {A})
    assert block == Block(
        ((Piece("HSTS 缺失["), Piece(A, is_citation=True), Piece("、web:x]。")),), is_list=False
    )


def test_a_citation_may_begin_and_end_a_line() -> None:
    (block,) = prose_blocks(f"{A} and {A}", {A})
    assert [piece.is_citation for piece in block.lines[0]] == [True, False, True]


def test_nothing_gives_no_blocks() -> None:
    assert prose_blocks("\n \n", {A}) == ()


@given(st.text(alphabet=f"ab[] ,\n-{A}"), st.sampled_from([A, ""]))
def test_no_text_is_lost_between_pieces(text: str, known: str) -> None:
    for block in prose_blocks(text, {known}):
        for line in block.lines:
            assert "".join(piece.text for piece in line) in text
            assert all(piece.text == known for piece in line if piece.is_citation)
