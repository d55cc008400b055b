from __future__ import annotations

import pytest

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.site import Service, ServiceKind, Site

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS
BOOK = AddressBook(
    [
        Site(
            "a.lab.example",
            "",
            "127.0.0.1",
            (Service(HTTP, 80), Service(HTTPS, 8443)),
            aliases=("www.a.lab.example",),
        ),
        Site("b.lab.example", "", ""),
    ]
)


def test_a_site_is_found_by_its_name_and_by_its_aliases() -> None:
    assert BOOK.site("www.a.lab.example") is BOOK.site("a.lab.example")
    assert BOOK.address("www.a.lab.example") == "127.0.0.1"


def test_a_url_has_a_port_only_where_it_is_not_the_usual_one() -> None:
    assert BOOK.url("a.lab.example", HTTP, "/x") == "http://a.lab.example/x"
    assert BOOK.url("www.a.lab.example", HTTPS) == "https://www.a.lab.example:8443/"


def test_a_service_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError, match=r"b\.lab\.example has no http"):
        BOOK.port("b.lab.example", HTTP)
    with pytest.raises(KeyError):
        BOOK.site("c.lab.example")


def test_the_services_are_listed_with_their_sites() -> None:
    assert [(site.name, service.port) for site, service in BOOK.services()] == [
        ("a.lab.example", 80),
        ("a.lab.example", 8443),
    ]
