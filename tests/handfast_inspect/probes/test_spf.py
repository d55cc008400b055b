from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.mail import SpfTerm
from handfast_inspect.probes.spf import domain_of, is_spf, read_spf


def test_every_kind_of_term_is_read() -> None:
    record = read_spf(
        "v=spf1 +a mx:mail.test/24//64 ip4:192.0.2.0/24 ip6:2001:db8::/32 ?include:_spf.test "
        "~exists:%{i}.x.test ptr redirect=other.test exp=why.test unknown=1 -all"
    )
    assert record.error == ""
    assert record.terms == (
        SpfTerm("a", "", "+"),
        SpfTerm("mx", "mail.test/24//64"),
        SpfTerm("ip4", "192.0.2.0/24"),
        SpfTerm("ip6", "2001:db8::/32"),
        SpfTerm("include", "_spf.test", "?"),
        SpfTerm("exists", "%{i}.x.test", "~"),
        SpfTerm("ptr"),
        SpfTerm("redirect", "other.test"),
        SpfTerm("exp", "why.test"),
        SpfTerm("unknown", "1"),
        SpfTerm("all", "", "-"),
    )
    assert record.term("all") == SpfTerm("all", "", "-")
    assert record.term("exists") is not None


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ("v=spf1 include -all", "include needs a domain"),
        ("v=spf1 include: -all", "include needs a domain"),
        ("v=spf1 redirect=", "redirect needs a domain"),
        ("v=spf1 redirect=a.test redirect=b.test", "redirect stands twice"),
        ("v=spf1 ip4:2001:db8::1", "ip4 needs an address"),
        ("v=spf1 ip4:192.0.2.1/255.0.0.0", "ip4 needs an address"),
        ("v=spf1 ip6:192.0.2.1", "ip6 needs an address"),
        ("v=spf1 ip4", "ip4 needs an address"),
        ("v=spf1 ip4:999.0.2.1", "ip4 needs an address"),
        ("v=spf1 all:x", "all takes no value"),
        ("v=spf1 a: -all", "a has a colon"),
        ("v=spf1 ipv4:192.0.2.1 -all", "'ipv4' is no mechanism"),
        ("v=spf1 --all", "'--all' is no term"),
        ("v=spf1 \u200b-all", "is no term"),
    ],
)
def test_the_first_syntax_error_is_named(record: str, error: str) -> None:
    assert error in read_spf(record).error


def test_a_slash_alone_keeps_the_current_domain() -> None:
    term = read_spf("v=spf1 a/24").terms[0]
    assert term.value == "/24"
    assert domain_of(term, "site.test") == "site.test"


@pytest.mark.parametrize(
    ("value", "domain"),
    [
        ("", "site.test"),
        ("Mail.Test.", "mail.test"),
        ("mail.test/24", "mail.test"),
        ("mail.test/24//64", "mail.test"),
        ("//64", "site.test"),
        ("%{d}.x.test", None),
    ],
)
def test_a_term_looks_at_a_domain(value: str, domain: str | None) -> None:
    assert domain_of(SpfTerm("a", value), "site.test") == domain


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("v=spf1", True),
        ("V=SPF1 -all", True),
        ("v=spf10 -all", False),
        ("v=spf1-all", False),
        (" v=spf1", False),
    ],
)
def test_only_the_exact_version_makes_an_spf_record(record: str, *, expected: bool) -> None:
    assert is_spf(record) is expected


@given(st.text(alphabet="v=spf1 +-~?ainclude:/.%{}0123456789mxptr\x00", max_size=200))
def test_any_text_is_read(text: str) -> None:
    for term in read_spf("v=spf1 " + text).terms:
        domain_of(term, "site.test")
