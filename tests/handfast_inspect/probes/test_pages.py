from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.page import Form, Page, ScriptReference, Subresource
from handfast_inspect.probes.pages import MAX_ITEMS, looks_like_html, read_page

URL = "https://site.test/dir/page"


def read(document: str) -> Page:
    return read_page(document, URL)


def test_scripts_are_resolved_and_inline_ones_counted() -> None:
    page = read(
        '<script src="//cdn.test/a.js" integrity="sha384-x" crossorigin></script>'
        "<script src=b.js></script><script>1</script>"
    )
    assert page.scripts == (
        ScriptReference("https://cdn.test/a.js", "sha384-x", ""),
        ScriptReference("https://site.test/dir/b.js"),
    )
    assert page.inline_scripts == 1


def test_a_base_element_changes_what_references_mean() -> None:
    page = read('<base href="http://other.test/x/"><base href="/no"><img src="i.png">')
    assert page.subresources == (Subresource("http://other.test/x/i.png", "passive", "img"),)


def test_active_and_passive_subresources_are_told_apart() -> None:
    page = read(
        "<link rel='preload stylesheet' href=s.css><link rel=icon href=i.ico>"
        "<link rel=canonical href=c><iframe src=f></iframe><object data=o></object>"
        "<video src=v></video><input type=IMAGE src=b.png><img>"
    )
    assert [(item.kind, item.element) for item in page.subresources] == [
        ("active", "link"),
        ("passive", "link"),
        ("active", "iframe"),
        ("active", "object"),
        ("passive", "video"),
        ("passive", "input"),
    ]


def test_forms_know_where_they_post_and_what_they_ask() -> None:
    page = read(
        '<form action="http://site.test/in" method=POST><input type=password>'
        "<input type=hidden name=csrf_token></form><form><input name=q></form>"
    )
    assert page.forms == (
        Form("http://site.test/in", "post", has_password=True, has_anti_csrf_field=True),
        Form(URL, "get"),
    )
    assert page.has_password_field


def test_a_password_field_outside_a_form_is_seen() -> None:
    page = read("<input type=Password>")
    assert page.has_password_field
    assert page.forms == ()


def test_a_form_that_is_never_closed_counts_and_a_nested_one_does_not() -> None:
    assert read("<form action=/a><form action=/b><input type=password>").forms == (
        Form("https://site.test/a", "get", has_password=True),
    )


def test_what_meta_elements_declare_is_kept() -> None:
    page = read(
        '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">'
        '<meta name="referrer" content="origin"><meta http-equiv=X-Frame-Options content=DENY>'
        '<meta name=generator content="WordPress 6.1"><title> Hello </title>'
        "<meta http-equiv=refresh content=\"0; URL='/next'\">"
    )
    assert page.meta_csp == ("default-src 'self'",)
    assert page.meta_referrer == "origin"
    assert page.meta_framing == "DENY"
    assert page.generator == "WordPress 6.1"
    assert page.title == "Hello"
    assert page.meta_refresh == "https://site.test/next"


def test_a_reload_without_target_refreshes_nowhere() -> None:
    assert read('<meta http-equiv=refresh content="30">').meta_refresh is None


def test_references_that_cannot_be_resolved_are_left_out() -> None:
    page = read('<script src="http://[x"></script><img src="http://[y">')
    assert (page.scripts, page.subresources) == ((), ())


def test_lists_are_capped() -> None:
    page = read("<script src=a></script><img src=b><form></form>" * (MAX_ITEMS + 5))
    assert len(page.scripts) == len(page.subresources) == len(page.forms) == MAX_ITEMS


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html; charset=utf-8", b"", True),
        ("Application/XHTML+XML", b"", True),
        ("text/plain", b"<html>", False),
        ("", b" <!DOCTYPE html>", True),
        ("", b"hello", False),
    ],
)
def test_a_page_is_what_a_browser_shows_as_one(
    content_type: str, body: bytes, *, expected: bool
) -> None:
    assert looks_like_html(content_type, body) is expected


@given(st.text(alphabet="<>/='\" \nabformintypescrlnkhg:[]", max_size=300))
def test_any_text_is_a_page(document: str) -> None:
    read(document)


@given(st.lists(st.sampled_from(["<form>", "</form>", "<input type=password>", "<base href=//["])))
def test_any_order_of_tags_is_a_page(pieces: list[str]) -> None:
    read("".join(pieces))
