from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.asset import Asset
from handfast_inspect.rules import reproduce
from handfast_inspect.rules.catalog import CATALOG
from handfast_inspect.rules.rule import Rule

HOSTILE = Asset("$(id);`id`", "1.2.3.4", 443, "https://a.test/';rm -rf /;'")


def test_commands_name_the_asset() -> None:
    asset = Asset("www.example.test", "192.0.2.1", 8443, "https://www.example.test:8443/a?b=1&c")
    assert reproduce.curl_headers(asset) == (
        "curl -sS -D - -o /dev/null 'https://www.example.test:8443/a?b=1&c'"
    )
    assert reproduce.openssl_certificate(asset).startswith(
        "openssl s_client -connect 192.0.2.1:8443 -servername www.example.test"
    )
    assert reproduce.dig("TXT", "_dmarc.")(Asset("example.test")) == (
        "dig +noall +answer -q _dmarc.example.test -t TXT"
    )
    assert reproduce.connect(Asset("db.test", port=6379)) == "nc -v -w 5 -- db.test 6379 </dev/null"


def test_questions_to_a_server_name_its_port_when_it_is_unusual() -> None:
    assert reproduce.dig_transfer(Asset("a.test", "192.0.2.1", 53)) == (
        "dig @192.0.2.1 -q a.test -t AXFR"
    )
    assert "-p 8053" in reproduce.dig_transfer(Asset("a.test", "192.0.2.1", 8053))
    assert "-p 8053" in reproduce.dig_recursion(Asset("ns.test", port=8053))


def test_ipv6_endpoints_have_brackets() -> None:
    assert "'[2001:db8::1]:443'" in reproduce.openssl_ciphers(Asset("a.test", "2001:db8::1"))


def test_the_port_comes_from_the_url_when_it_is_nowhere_else() -> None:
    command = reproduce.openssl_protocols(Asset("a.test", url="https://a.test:8443/"))
    assert "a.test:8443" in command
    assert "a.test:443" in reproduce.openssl_protocols(Asset("a.test", url="https://a.test:x/"))


@pytest.mark.parametrize("rule", CATALOG, ids=lambda rule: rule.id)
def test_hostile_assets_stay_one_word(rule: Rule) -> None:
    plain = shlex.split(rule.reproduce(Asset("a", "1.2.3.4", 443, "https://a.test/")))
    hostile = shlex.split(rule.reproduce(HOSTILE))
    assert len(plain) == len(hostile)


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_text_escapes_its_quotes(host: str, url: str) -> None:
    asset = Asset(host, url=f"https://{url}")
    for rule in CATALOG:
        words = shlex.split(rule.reproduce(asset))
        assert any(host in word or url in word for word in words)
