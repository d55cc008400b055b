from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.addresses import classify
from handfast.boundary.egress import (
    MAX_ANSWERS,
    MAX_REDIRECTS,
    Admission,
    EgressGuard,
    check_answers,
    check_url,
)
from handfast.boundary.scope import Scope, parse_scope
from handfast.boundary.urls import parse_url
from handfast.errors import EgressDenied

PUBLIC = "93.184.216.34"
TODAY = date(2026, 12, 1)


class Names:
    """A resolver with fixed answers that counts its look-ups."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self.answers = {name.replace("_", "."): list(found) for name, found in answers.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        if host not in self.answers:
            raise OSError(host)
        return self.answers[host]


class Never:
    async def resolve(self, host: str) -> Sequence[str]:
        await asyncio.Event().wait()
        return [host]


class Written:
    def __init__(self) -> None:
        self.records: list[tuple[str, Mapping[str, object]]] = []

    def record(self, kind: str, data: Mapping[str, object]) -> None:
        self.records.append((kind, data))


def scope(targets: str, *, more: str = "") -> Scope:
    return parse_scope(
        f"""
        probes = ["read"]
        targets = [{targets}]
        {more}
        [authorisation]
        by = "a"
        contact = "b"
        date = 2026-11-30
        valid_until = 2026-12-31
        reference = "c"
        """,
        today=TODAY,
    )


LAB = scope(
    '"lab.internal", { host = "shop.lab.internal", ports = ["8000-9000"] }, "127.0.0.1"',
    more='allow_private = ["127.0.0.1"]\nname_servers = ["127.0.0.1:5353"]',
)


async def test_a_public_name_is_admitted_with_the_address_that_was_checked() -> None:
    names = Names(example_org=[PUBLIC, "2606:4700::1"])
    found = await EgressGuard(None, names).admit("https://Example.org:8443/a?b#c")
    assert found.url == "https://example.org:8443/a?b"
    assert found.address == IPv4Address(PUBLIC)
    assert (found.scheme, found.host, found.port) == ("https", "example.org", 8443)
    assert (found.target, found.host_header) == ("/a?b", "example.org:8443")
    assert (found.sni, found.hops) == ("example.org", 0)
    assert names.asked == ["example.org"]


async def test_an_address_is_admitted_without_a_look_up() -> None:
    names = Names()
    found = await EgressGuard(None, names).admit("http://[2606:4700::1]/")
    assert found.address == IPv6Address("2606:4700::1")
    assert found.sni is None
    assert found.host_header == "[2606:4700::1]"
    assert names.asked == []


@pytest.mark.parametrize(
    "answers",
    [
        [],
        ["127.0.0.1"],
        [PUBLIC, "10.0.0.1"],
        ["2606:4700::1", "::ffff:93.184.216.34"],
        ["fe80::1%eth0"],
        ["example.org"],
        ["0x7f000001"],
        ["2130706433"],
        [PUBLIC] * (MAX_ANSWERS + 1),
    ],
)
async def test_one_bad_answer_refuses_the_whole_look_up(answers: list[str]) -> None:
    guard = EgressGuard(None, Names(example_org=answers))
    with pytest.raises(EgressDenied):
        await guard.admit("http://example.org/")


@pytest.mark.parametrize(
    "url",
    ["http://example.org:22/", "http://127.0.0.1/", "http://localhost/", "http://intranet/",
     "http://db.internal/", "http://metadata.google.internal/", "http://unknown.example/",
     "gopher://example.org/", "http://169.254.169.254/", "http://0x7f.1/"],
)  # fmt: skip
async def test_without_a_scope_only_the_public_web_is_admitted(url: str) -> None:
    names = Names(localhost=[PUBLIC], intranet=[PUBLIC], db_internal=[PUBLIC], example_org=[PUBLIC])
    with pytest.raises(EgressDenied):
        await EgressGuard(None, names).admit(url)


async def test_a_refusal_before_the_look_up_makes_none() -> None:
    names = Names(example_org=[PUBLIC])
    with pytest.raises(EgressDenied):
        await EgressGuard(None, names).admit("http://example.org:22/")
    assert names.asked == []


async def test_a_scope_admits_what_it_names_and_nothing_else() -> None:
    names = Names(lab_internal=["127.0.0.1"], shop_lab_internal=["127.0.0.1"], example_org=[PUBLIC])
    guard = EgressGuard(LAB, names, today=lambda: TODAY)
    assert guard.scope is LAB
    assert (await guard.admit("http://lab.internal/")).address == IPv4Address("127.0.0.1")
    assert (await guard.admit("http://shop.lab.internal:8999/")).port == 8999
    assert (await guard.admit("http://127.0.0.1:8080/")).sni is None
    for url in ("http://example.org/", "http://lab.internal:22/", "http://127.0.0.2/"):
        with pytest.raises(EgressDenied):
            await guard.admit(url)


async def test_a_name_in_scope_that_leads_to_a_private_address_is_refused() -> None:
    guard = EgressGuard(LAB, Names(lab_internal=["127.0.0.1", "10.0.0.1"]), today=lambda: TODAY)
    with pytest.raises(EgressDenied, match=r"10\.0\.0\.1 is not public"):
        await guard.admit("http://lab.internal/")


async def test_a_scope_that_ends_during_the_run_admits_nothing_more() -> None:
    guard = EgressGuard(LAB, Names(lab_internal=["127.0.0.1"]), today=lambda: date(2027, 1, 1))
    with pytest.raises(EgressDenied, match="the authorisation ended on 2026-12-31"):
        await guard.admit("http://lab.internal/")


async def test_the_current_day_counts_when_none_is_handed_in() -> None:
    old = parse_scope(
        'probes=["read"]\ntargets=["example.org"]\n[authorisation]\nby="a"\ncontact="b"\n'
        'date=2001-01-01\nvalid_until=2001-01-02\nreference="c"',
        today=date(2001, 1, 1),
    )
    with pytest.raises(EgressDenied, match="the authorisation ended"):
        await EgressGuard(old, Names(example_org=[PUBLIC])).admit("http://example.org/")


async def test_a_look_up_that_never_ends_is_given_up() -> None:
    with pytest.raises(EgressDenied, match=r"was not resolved in 0\.01 seconds"):
        await EgressGuard(None, Never(), timeout=0.01).admit("http://example.org/")


async def test_redirects_are_judged_like_first_urls_and_looked_up_again() -> None:
    names = Names(example_org=[PUBLIC], www_example_org=[PUBLIC], evil_example=["10.0.0.1"])
    guard = EgressGuard(None, names)
    first = await guard.admit("https://example.org/a/b")
    second = await guard.admit_redirect(first, "//www.example.org/c")
    third = await guard.admit_redirect(second, "../d")
    assert third.url == "https://www.example.org/d"
    assert third.trail == ("https://example.org/a/b", "https://www.example.org/c", third.url)
    assert third.hops == 2
    assert names.asked == ["example.org", "www.example.org", "www.example.org"]
    for location in ("http://evil.example/", "http://127.0.0.1/", "file:///etc/passwd", "/\\x"):
        with pytest.raises(EgressDenied):
            await guard.admit_redirect(third, location)


async def test_a_redirect_that_comes_back_is_a_circle() -> None:
    guard = EgressGuard(None, Names(example_org=[PUBLIC]))
    first = await guard.admit("https://example.org/a")
    second = await guard.admit_redirect(first, "/b")
    for location in ("/a", "/b", "", "#x", "HTTPS://EXAMPLE.ORG:443/a"):
        with pytest.raises(EgressDenied, match="in a circle"):
            await guard.admit_redirect(second, location)


async def test_more_than_five_redirects_are_refused() -> None:
    guard = EgressGuard(None, Names(example_org=[PUBLIC]))
    admission = await guard.admit("https://example.org/0")
    for hop in range(1, MAX_REDIRECTS + 1):
        admission = await guard.admit_redirect(admission, f"/{hop}")
    with pytest.raises(EgressDenied, match="more than 5 redirects"):
        await guard.admit_redirect(admission, "/more")


async def test_a_rebinding_name_is_looked_up_once() -> None:
    names = Names(example_org=[PUBLIC])
    guard = EgressGuard(None, names)
    admission = await guard.admit("http://example.org/")
    names.answers["example.org"] = ["127.0.0.1"]
    assert str(admission.address) == PUBLIC
    with pytest.raises(EgressDenied):
        await guard.admit_redirect(admission, "/next")


async def test_hosts_and_ports_are_admitted_for_raw_connections() -> None:
    names = Names(lab_internal=["127.0.0.1"], shop_lab_internal=["127.0.0.1"])
    guard = EgressGuard(LAB, names, today=lambda: TODAY)
    found = await guard.admit_host("shop.lab.internal", 8025)
    assert (found.host, found.port, str(found.address)) == ("shop.lab.internal", 8025, "127.0.0.1")
    assert (found.url, found.scheme, found.target, found.host_header, found.hops) == (
        "",
        "",
        "",
        "",
        0,
    )
    assert found.sni == "shop.lab.internal"
    assert (await guard.admit_host("127.0.0.1", 80)).sni is None
    for host, port in (
        ("shop.lab.internal", 22), ("lab.internal", 0), ("lab.internal", 70_000),
        ("127.0.0.2", 80), ("evil.example", 80), ("a..b", 80), ("lab.internal\r\n", 80),
        ("127.1", 80), ("::1", 80),
    ):  # fmt: skip
        with pytest.raises(EgressDenied):
            await guard.admit_host(host, port)
    with pytest.raises(EgressDenied, match="only a request to a URL can be redirected"):
        await guard.admit_redirect(found, "/x")


async def test_name_servers_are_admitted_when_the_scope_lists_them() -> None:
    guard = EgressGuard(LAB, Names(), today=lambda: TODAY)
    assert (await guard.admit_name_server("127.0.0.1", 5353)).port == 5353
    assert (await guard.admit_name_server("127.0.0.1")).port == 53
    for server in ("9.9.9.9", "dns.example"):
        with pytest.raises(EgressDenied):
            await guard.admit_name_server(server)
    with pytest.raises(EgressDenied):
        await EgressGuard(None, Names()).admit_name_server("9.9.9.9")


async def test_a_listed_name_server_that_is_not_public_needs_the_lift_too() -> None:
    narrowed = LAB.narrow(allow_private=[])
    guard = EgressGuard(narrowed, Names(), today=lambda: TODAY)
    with pytest.raises(EgressDenied, match="loopback"):
        await guard.admit_name_server("127.0.0.1", 5353)


async def test_every_decision_is_written_down() -> None:
    written = Written()
    guard = EgressGuard(None, Names(example_org=[PUBLIC]), audit=written)
    first = await guard.admit("http://example.org/")
    with pytest.raises(EgressDenied):
        await guard.admit_redirect(first, "http://127.0.0.1/")
    assert written.records[0] == (
        "egress",
        {"asked": "http://example.org/", "verdict": "allow", "host": "example.org", "port": 80,
         "address": PUBLIC, "hops": 0},
    )  # fmt: skip
    assert written.records[1][1]["verdict"] == "deny"
    assert "loopback" in str(written.records[1][1]["reason"])


async def test_a_password_in_a_url_is_not_written_down() -> None:
    written = Written()
    with pytest.raises(EgressDenied) as caught:
        await EgressGuard(None, Names(), audit=written).admit("http://ada:hunter2@example.org/")
    assert "hunter2" not in str(written.records) + str(caught.value) + caught.value.url


async def test_what_cannot_be_written_down_is_not_admitted() -> None:
    class Full:
        def record(self, kind: str, data: Mapping[str, object]) -> None:
            raise OSError(f"{kind} {len(data)}")

    with pytest.raises(OSError, match="egress"):
        await EgressGuard(None, Names(example_org=[PUBLIC]), audit=Full()).admit(
            "http://example.org/"
        )


@given(st.ip_addresses(), st.sampled_from(["http://{}/", "http://{}:8080/x", "https://{}?q"]))
def test_an_address_in_a_url_is_admitted_only_when_it_is_public(
    address: IPv4Address | IPv6Address, shape: str
) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    try:
        found = check_url(shape.format(host))
    except EgressDenied:
        assert not classify(address).public
        return
    assert classify(address).public
    assert found.address == address


PRIVATE = st.one_of(
    st.ip_addresses(v=4, network="127.0.0.0/8"),
    st.ip_addresses(v=4, network="10.0.0.0/8"),
    st.ip_addresses(v=4, network="192.168.0.0/16"),
    st.ip_addresses(v=4, network="169.254.0.0/16"),
    st.ip_addresses(v=4, network="100.64.0.0/10"),
)


@given(PRIVATE, st.data())
def test_no_spelling_of_a_private_address_is_admitted(
    address: IPv4Address, data: st.DataObject
) -> None:
    number = int(address)
    a, b, c, d = address.packed
    wide = str.maketrans("0123456789.", "０１２３４５６７８９．")
    spelling = data.draw(
        st.sampled_from(
            [
                str(address), f"{address}.", str(number), hex(number), f"0{number:o}",
                f"{a}.{(b << 16) | (c << 8) | d}", f"{a}.{b}.{(c << 8) | d}",
                f"{a:#x}.{b:#x}.{c:#x}.{d:#x}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
                f"{a:03d}.{b:03d}.{c:03d}.{d:03d}", str(address).translate(wide),
                f"[::ffff:{address}]", f"[::{address}]", f"[64:ff9b::{address}]",
                f"[2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1]", f"[::ffff:0:{address}]",
                f"[2a00:1450::5efe:{address}]", f"[{address}]", f"{a}%2e{b}%2e{c}%2e{d}",
                f"{a}.{b}.{c}.{d}%00", f"example.org@{address}", f"{address}%2f",
            ]
        )
    )  # fmt: skip
    port = data.draw(st.sampled_from(["", ":80", ":8080", ":"]))
    with pytest.raises(EgressDenied):
        check_url(f"http://{spelling}{port}/")


@given(st.lists(st.ip_addresses(), min_size=1, max_size=6))
def test_answers_pass_only_when_every_one_is_public(
    addresses: list[IPv4Address | IPv6Address],
) -> None:
    destination = parse_url("http://example.org/")
    try:
        chosen = check_answers(destination, [str(address) for address in addresses])
    except EgressDenied:
        assert not all(classify(address).public for address in addresses)
        return
    assert chosen == addresses[0]
    assert all(classify(address).public for address in addresses)


def test_answers_are_judged_by_the_scope_where_there_is_one() -> None:
    destination = parse_url("http://lab.internal/")
    assert check_answers(destination, ["127.0.0.1"], LAB) == ip_address("127.0.0.1")
    with pytest.raises(EgressDenied):
        check_answers(destination, ["127.0.0.2"], LAB)


def test_an_admission_without_a_trail_has_no_hops() -> None:
    assert Admission(None, "a.example", 80, ip_address(PUBLIC)).hops == 0
