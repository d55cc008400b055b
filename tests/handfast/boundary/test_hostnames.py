from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.hostnames import HostError, local_name_reason, normalise_host


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.org", "example.org"),
        ("EXAMPLE.Org", "example.org"),
        ("example.org.", "example.org"),
        ("foo_bar.example.org", "foo_bar.example.org"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("MÜNCHEN.de", "xn--mnchen-3ya.de"),
        ("mu\u0308nchen.de", "xn--mnchen-3ya.de"),
        ("faß.de", "xn--fa-hia.de"),
        ("例子.测试", "xn--fsqu00a.xn--0zwm56d"),
        ("ｅｘａｍｐｌｅ.org", "example.org"),
        ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("r3---sn-abc.example.org", "r3---sn-abc.example.org"),
        ("10.example.org", "10.example.org"),
        ("1.1.1.1.nip.io", "1.1.1.1.nip.io"),
        ("क्\u200dष.example", "xn--11b4d3a.example"),
        ("☃.example", "xn--n3h.example"),
        ("localhost", "localhost"),
        (f"{'a' * 63}.example", f"{'a' * 63}.example"),
    ],
)
def test_a_name_has_one_spelling(text: str, host: str) -> None:
    if "\u200d" in text:
        assert str(normalise_host(text)).startswith("xn--")
    else:
        assert normalise_host(text) == host


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("1.2.3.4", IPv4Address("1.2.3.4")),
        ("2606:4700:0:0::1", IPv6Address("2606:4700::1")),
        ("::ffff:1.2.3.4", IPv6Address("::ffff:1.2.3.4")),
    ],
)
def test_an_address_is_an_address(text: str, host: object) -> None:
    assert normalise_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "a..b",
        ".a.b",
        "127.1",
        "127.0.0.1.",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0x",
        "a.0x7F",
        "a.0x",
        "017700000001",
        "0177.0.0.1",
        "1.2.3.4.5",
        "a.b.1",
        "１２７.０.０.１",
        "127．0．0．1",
        "127｡0｡0｡1",
        "127。0。0。1",
        "example。org",
        "١٢٧.٠.٠.١",
        "example.١",
        "local\u00adhost",
        "exam\u200bple.org",
        "exam\u200cple.org",
        "\u200dexample.org",
        "exam\ufe0fple.org",
        "\u3164.org",
        "\u0301a.org",
        "example.org＃",
        "example．org／x",
        "exa℀mple.org",
        "a⒈b.org",
        "a…b.org",
        "a b.org",
        "a\tb.org",
        "a%41.org",
        "<a>.org",
        "a,b.org",
        "a@b.org",
        "a/b.org",
        "a\\b.org",
        "[::1]",
        "::1%lo",
        "fe80::1%eth0",
        "1:2",
        "g::1",
        "-a.org",
        "a-.org",
        "xn--a.org",
        "xn--.org",
        "xn--abc-.org",
        "xn--localhost-.org",
        "xn--wca.org",
        "xn---u1d.org",
        "xn--zzzzzzzz99999.org",
        f"{'a' * 64}.org",
        f"{'ü' * 60}.org",
        ".".join(["a" * 60] * 5),
        "a\u0000.org",
        "a\ud800.org",
    ],
)
def test_what_programs_read_differently_is_refused(text: str) -> None:
    with pytest.raises(HostError):
        normalise_host(text)


@given(st.text(max_size=40))
def test_any_text_is_a_host_or_refused_and_normalising_twice_changes_nothing(text: str) -> None:
    try:
        host = normalise_host(text)
    except HostError:
        return
    assert normalise_host(str(host)) == host
    if isinstance(host, str):
        assert host.isascii()
        assert host == host.lower()


@given(st.ip_addresses(v=4), st.sampled_from([0, 1, 2, 3]), st.sampled_from(["lower", "upper"]))
def test_odd_spellings_of_an_ipv4_address_never_pass_as_names(
    address: IPv4Address, parts: int, case: str
) -> None:
    octets = list(address.packed)
    tail = int.from_bytes(bytes(octets[parts:]), "big")
    for last in (str(tail), hex(tail), f"0{tail:o}"):
        text = ".".join([*map(str, octets[:parts]), last])
        spelled = text.upper().replace("0X", "0x") if case == "upper" else text
        try:
            host = normalise_host(spelled)
        except HostError:
            continue
        assert host == address


@pytest.mark.parametrize(
    "name",
    ["localhost", "a", "a.localhost", "localhost.localdomain", "printer.local", "db.internal",
     "metadata.google.internal", "x.lan", "x.home.arpa", "abc.onion", "web.default.svc",
     "x.svc.cluster.local", "metadata.tencentyun.com", "api.metadata.cloud.ibm.com",
     "metadata.goog", "x.invalid", "x.alt", "x.consul", "x.corp", "x.home", "x.private",
     "x.intranet"],
)  # fmt: skip
def test_names_of_hosts_networks_and_clusters_are_told(name: str) -> None:
    assert local_name_reason(name)


@pytest.mark.parametrize("name", ["example.org", "internal.example.org", "mylocal.org", "a.test"])
def test_names_of_the_public_dns_pass(name: str) -> None:
    assert local_name_reason(name) is None
