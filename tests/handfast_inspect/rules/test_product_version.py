from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.service import ProductFact, ServiceFact
from handfast_inspect.rules.product_version import named_products, parse_version, self_named
from made_facts import PROOF, SITE, response


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.4.49", (2, 4, 49)),
        ("v1.2", (1, 2)),
        ("1.18.0 (Ubuntu)", (1, 18, 0)),
        ("7.4.3-4ubuntu2.19", (7, 4, 3)),
        ("1.0.2k", (1, 0, 2)),
        ("10", (10,)),
        ("", ()),
        ("unknown", ()),
        ("1.2.3.4.5", (1, 2, 3, 4)),
    ],
)
def test_versions_are_their_leading_numbers(text: str, version: tuple[int, ...]) -> None:
    assert parse_version(text) == version


def test_every_product_of_a_header_is_found() -> None:
    text = "Apache/2.4.1 (Unix) OpenSSL/1.0.2k-fips PHP/7.4.3 mod_wsgi"
    assert named_products(text) == (
        ("apache", (2, 4, 1)),
        ("openssl", (1, 0, 2)),
        ("php", (7, 4, 3)),
    )
    assert named_products("Microsoft-IIS/8.5") == (("iis", (8, 5)),)
    assert named_products("nginx") == ()


def test_products_come_from_headers_services_and_product_facts() -> None:
    facts = Facts(
        responses=(response((("Server", "nginx/1.18.0"), ("X-AspNet-Version", "4.0.30319"))),),
        services=(
            ServiceFact(SITE, PROOF, "mysql", product="MySQL", version="5.7.40"),
            ServiceFact(SITE, PROOF, "ssh", product="OpenSSH"),
        ),
        products=(
            ProductFact(SITE, PROOF, "Drupal", "7.50", "generator meta element"),
            ProductFact(SITE, PROOF, "Thing", "latest", "header"),
        ),
    )
    assert [(seen.product, seen.version) for seen in self_named(facts)] == [
        ("nginx", (1, 18, 0)),
        ("asp.net", (4, 0, 30319)),
        ("mysql", (5, 7, 40)),
        ("drupal", (7, 50)),
    ]


@given(st.text())
def test_any_header_can_be_read(text: str) -> None:
    for product, version in named_products(text):
        assert product == product.lower()
        assert version
