from __future__ import annotations

from handfast_inspect.facts.page import Page
from stored_facts import assert_survives_storage


def test_a_page_survives_storage() -> None:
    assert_survives_storage(Page)


def test_an_empty_page_has_nothing_to_judge() -> None:
    page = Page()
    assert (page.scripts, page.forms, page.subresources, page.meta_csp) == ((), (), (), ())
    assert not page.has_password_field
