from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.markup import MAX_ATTRIBUTES, MAX_VALUE, Tag, tags

HOSTILE = ["<", "<a ", "<!--", "<![", "<!", "</", "</a", "&", '<a b="', "<script>", "<a =", "<a/"]


def read(document: str) -> list[Tag]:
    return list(tags(document))


def test_attributes_are_read_quoted_unquoted_and_bare() -> None:
    (tag,) = read("<IMG SRC=a.png alt='b c' title=\"d>e\" hidden =x / loading>")
    assert tag == Tag(
        "img", {"src": "a.png", "alt": "b c", "title": "d>e", "hidden": "x", "loading": ""}
    )


def test_of_repeated_attributes_the_first_counts() -> None:
    assert read("<a href=1 HREF=2>")[0].attributes == {"href": "1"}


def test_character_references_in_attributes_are_read() -> None:
    assert read('<a href="?a=1&amp;b=&#x32;">')[0].attributes == {"href": "?a=1&b=2"}
    assert read("<a b=&#" + "9" * 5000 + ";>")[0].name == "a"


def test_what_stands_in_scripts_titles_and_comments_is_no_tag() -> None:
    found = read(
        "<!-- <a> --><!doctype html><?xml <b> ?><title>x<i></title>"
        "<script>if (a</scripts) '<img>'</ScRiPt ><style><u></style><p>"
    )
    assert [tag.name for tag in found] == ["title", "script", "style", "p"]
    assert found[0].text == "x<i>"
    assert found[1].text.startswith("if (a")


def test_an_empty_comment_that_closes_at_once_hides_nothing() -> None:
    assert [tag.name for tag in read("<!--><a><!---><b>")] == ["a", "b"]


def test_end_tags_are_marked() -> None:
    assert read("<form></FORM x>") == [Tag("form", {}), Tag("form", {}, closing=True)]


@pytest.mark.parametrize("unfinished", ["<a", "<a b", "<a b=", '<a b="', "</a", "<!--", "<a b='>"])
def test_what_never_ends_is_no_tag(unfinished: str) -> None:
    assert read("<i>" + unfinished) == [Tag("i", {})]


def test_a_raw_text_element_that_never_ends_takes_the_rest() -> None:
    assert [tag.name for tag in read("<script>a<b><i>")] == ["script"]


def test_attributes_and_values_are_capped() -> None:
    many = " ".join(f"a{n}=1" for n in range(3 * MAX_ATTRIBUTES))
    assert len(read(f"<a {many}>")[0].attributes) == MAX_ATTRIBUTES
    assert len(read(f"<a b={'x' * 9999}>")[0].attributes["b"]) == MAX_VALUE
    assert len(read(f"<title>{'x' * 9999}</title>")[0].text) == MAX_VALUE


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_quarter_megabyte_of_damage_takes_no_time(piece: str) -> None:
    document = piece * (262_144 // len(piece))
    before = time.process_time()
    read(document)
    assert time.process_time() - before < 2.0


@given(st.text(alphabet="<>/!-?='\"& abscriptyle\n\x00", max_size=200))
def test_any_text_is_read(document: str) -> None:
    assert all(tag.name == tag.name.lower() for tag in read(document))
