from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.findings.citations import keep_cited, split_sentences

A, B = "web:0123456789abcdef", "dns:fedcba9876543210"
KNOWN = {A, B}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"HSTS is missing [{A}].", f"HSTS is missing [{A}]."),
        (f"HSTS is missing. [{A}]", f"HSTS is missing. [{A}]"),
        (f"HSTS is missing.[{A}]", f"HSTS is missing.[{A}]"),
        ("HSTS is missing.", ""),
        (f"One [{A}]. Two. Three [{B}].", f"One [{A}]. Three [{B}]."),
        (f"Both [{A}, {B}].", f"Both [{A}, {B}]."),
        (f"Both [{A}][{B}].", f"Both [{A}][{B}]."),
        ("Invented [web:ffffffffffffffff].", ""),
        (f"Mixed [{A}, web:ffffffffffffffff].", ""),
        (f"Mixed [{A}] and [web:ffffffffffffffff].", ""),
        (f"It uses nginx 1.18.0 [{A}].", f"It uses nginx 1.18.0 [{A}]."),
        (f"See e.g. the header [{A}].", f"See e.g. the header [{A}]."),
        (f"The host a.example.test answers [{A}]!", f"The host a.example.test answers [{A}]!"),
        (f"Is it open? Yes [{A}].", f"Yes [{A}]."),
        (f"A [note] in brackets [{A}].", f"A [note] in brackets [{A}]."),
        (f"IPv6 [2001:db8::1]:443 answers [{A}].", f"IPv6 [2001:db8::1]:443 answers [{A}]."),
        ("A [note] only.", ""),
        (f". [{A}]", f". [{A}]"),
        (f"... [{A}] End [{B}].", f"... [{A}] End [{B}]."),
        ("", ""),
        ("\n\n", ""),
    ],
)
def test_english_sentences(text: str, kept: str) -> None:
    assert keep_cited(text, KNOWN).text == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"网站缺少 HSTS [{A}]。", f"网站缺少 HSTS [{A}]。"),
        (f"网站缺少 HSTS。[{A}]", f"网站缺少 HSTS。[{A}]"),
        (f"网站缺少 HSTS【{A}】。", f"网站缺少 HSTS【{A}】。"),
        (f"第一句[{A}]。第二句没有证据。第三句[{B}]！", f"第一句[{A}]。第三句[{B}]！"),
        (f"第一句[{A}]；第二句没有证据。", f"第一句[{A}]；"),
        (f"“证书有效”[{A}、{B}]。", f"“证书有效”[{A}、{B}]。"),
        (
            f"证书使用 TLS 1.3，主机 a.example.test 正常[{A}]？是的。",
            f"证书使用 TLS 1.3，主机 a.example.test 正常[{A}]？",
        ),
        ("没有证据的结论。", ""),
        ("编造的证据[web:ffffffffffffffff]。", ""),
    ],
)
def test_chinese_sentences(text: str, kept: str) -> None:
    assert keep_cited(text, KNOWN).text == kept


def test_list_items_and_paragraphs_keep_their_shape() -> None:
    text = f"Intro [{A}].\n\n- first [{A}]\n- second\n1. third. [{B}]\n\n\nAn uncited end."
    cited = keep_cited(text, KNOWN)
    assert cited.text == f"Intro [{A}].\n\n- first [{A}]\n1. third. [{B}]"
    assert cited.dropped == ("second", "An uncited end.")


def test_a_citation_does_not_cover_the_next_line() -> None:
    assert keep_cited(f"One [{A}]\nTwo", KNOWN).text == f"One [{A}]"


def test_what_was_dropped_is_told() -> None:
    assert keep_cited(f"Bad. Good [{A}].", KNOWN).dropped == ("Bad.",)


@pytest.mark.parametrize(
    "part", [".", "。", "[", "[a]", ". ", '."', f"[{A}] ", "- ", "1.", " ", "e.g. "]
)
def test_a_long_text_takes_a_short_time(part: str) -> None:
    text = part * (200_000 // len(part)) + "x"
    assert keep_cited(text, KNOWN).text in {"", text, text[:-1].rstrip()}


WORDS = st.lists(
    st.sampled_from(
        [
            "word",
            " ",
            ".",
            "。",
            "！",
            "?",
            "\n",
            "- ",
            f"[{A}]",
            f"【{B}】",
            "[web:ffffffffffffffff]",
            "[",
            "]",
            "证据",
            "e.g.",
            "1.",
            "\u2028",
        ]
    )
    | st.text(max_size=4),
    max_size=20,
).map("".join)


@given(WORDS)
def test_keeping_twice_keeps_the_same_and_adds_nothing(text: str) -> None:
    once = keep_cited(text, KNOWN).text
    assert keep_cited(once, KNOWN).text == once
    assert set(once) <= set(text) | {"\n"}


@given(WORDS)
def test_without_evidence_nothing_is_kept(text: str) -> None:
    assert keep_cited(text, set()).text == ""


@given(WORDS)
def test_unknown_ids_never_come_through(text: str) -> None:
    assert "web:ffffffffffffffff]" not in keep_cited(text, KNOWN).text.replace("]]", "]")


@given(st.text().filter(lambda text: "\n" not in text))
def test_sentences_joined_are_the_line(line: str) -> None:
    joined = "".join(split_sentences(line))
    assert joined == line or (line.startswith(joined) and not line[len(joined) :].strip())
