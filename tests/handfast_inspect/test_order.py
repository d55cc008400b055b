from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast import Scope, ScopeError, UserError, parse_scope
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.order import Order, granted_classes, statement_of, target_of

TEXT = """
probes = ["passive", "read"]
targets = [
    "example.org",
    "*.example.org",
    {{ host = "odd.example.org", ports = {odd} }},
    {{ host = "203.0.113.8/29", ports = [443] }},
    "bücher.example",
    "2001:db8::1",
]
allow_private = ["203.0.113.8/29", "2001:db8::1"]
[authorisation]
by = "Ada Lovelace"
contact = "ada@example.org"
date = 2026-11-30
valid_until = 2026-12-31
reference = "SEC-42"
[rate]
requests_per_second = 2.5
concurrency = 3
"""


def scope(odd: str = "[22]") -> Scope:
    return parse_scope(TEXT.format(odd=odd), today=date(2026, 12, 1))


def order(target: str, *, odd: str = "[22]") -> Order:
    return Order(target, scope(odd), TEXT)


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("example.org", "example.org"),
        (" Example.ORG. ", "example.org"),
        ("a.b.example.org", "a.b.example.org"),
        ("203.0.113.9", "203.0.113.9"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("2001:DB8:0::1", "2001:db8::1"),
    ],
)
def test_a_target_has_one_spelling(written: str, host: str) -> None:
    assert target_of(order(written)).host == host


@pytest.mark.parametrize(
    "written",
    ["https://example.org/", "example.org:8443", "example.org/path", "user@example.org", "", " ",
     "exa mple.org", "-x.example.org", "example..org", "256.1.1.1", "0x7f.1", "\x1b[2J"],
)  # fmt: skip
def test_what_is_no_host_is_refused_with_what_to_write(written: str) -> None:
    with pytest.raises(UserError, match=r"no host .* give"):
        target_of(order(written))


def test_a_url_is_told_its_host() -> None:
    with pytest.raises(UserError, match=r"give the name alone: example\.org"):
        target_of(order("https://example.org/login?x=1"))


@pytest.mark.parametrize("host", ["example.com", "org", "notexample.org", "203.0.113.1"])
def test_a_target_outside_the_scope_is_told_what_is_inside(host: str) -> None:
    with pytest.raises(ScopeError, match=r"not in the scope, which covers example\.org"):
        target_of(order(host))


def test_a_long_scope_is_not_recited() -> None:
    with pytest.raises(ScopeError, match="and 1 more"):
        target_of(order("example.com"))


@given(st.text(max_size=40))
def test_any_text_is_a_host_or_a_clear_refusal(text: str) -> None:
    try:
        target = target_of(order(text))
    except (UserError, ScopeError):
        return
    assert target.host in {"example.org", "xn--bcher-kva.example", "2001:db8::1"} or (
        target.host.endswith(".example.org") or target.host.startswith("203.0.113.")
    )


@pytest.mark.parametrize(
    ("ports", "http", "https"),
    [
        ("[80, 443, 8080, 8443]", 80, 443),
        ("[8080, 8443]", 8080, 8443),
        ("[18080, 18443, 22]", 18080, 18443),
        ("[22]", 80, 443),
        ('["1-65535"]', 80, 443),
        ('["18000-18999"]', 80, 443),
    ],
)
def test_web_ports_are_the_usual_ones_that_the_scope_grants(
    ports: str, http: int, https: int
) -> None:
    text = TEXT.format(odd=ports).replace('"*.example.org",', "")
    alone = parse_scope(text, today=date(2026, 12, 1))
    target = target_of(Order("odd.example.org", alone, text))
    assert (target.http_port, target.https_port) == (http, https)


def test_web_ports_can_be_given() -> None:
    target = target_of(replace(order("example.org"), http_port=8008, https_port=9443))
    assert (target.http_port, target.https_port) == (8008, 9443)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    with pytest.raises(UserError, match="is no port: give a number from 1 to 65535"):
        target_of(replace(order("example.org"), http_port=port))
    with pytest.raises(UserError, match="is no port"):
        target_of(replace(order("example.org"), https_port=port))


def test_a_scan_is_left_to_the_scope() -> None:
    assert target_of(order("example.org")).ports == ()


def test_the_classes_are_those_of_the_scope() -> None:
    assert granted_classes(scope()) == {ProbeClass.PASSIVE, ProbeClass.READ}


def test_the_report_repeats_the_authorisation() -> None:
    statement = statement_of(order("example.org"))
    assert statement.authorized_by == "Ada Lovelace (ada@example.org)"
    assert statement.reference == "SEC-42"
    assert statement.valid_until == datetime(2026, 12, 31, 23, 59, 59, 999999, UTC)
    assert statement.classes == ("P", "R")
    assert statement.rate == "2.5 requests/s, 3 at once"
    assert statement.digest == hashlib.sha256(TEXT.encode()).hexdigest()
    assert "example.org" in statement.targets
    assert "203.0.113.8/29" in " ".join(statement.targets)


def test_an_authorisation_without_an_end_has_none_in_the_report() -> None:
    text = TEXT.format(odd="[22]").replace("valid_until = 2026-12-31\n", "")
    endless = parse_scope(text, today=date(2026, 12, 1))
    assert statement_of(Order("example.org", endless, text)).valid_until is None
