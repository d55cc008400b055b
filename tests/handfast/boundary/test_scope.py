from __future__ import annotations

from datetime import date
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.scope import (
    MAX_SCOPE_FILE,
    NameServer,
    ProbeClass,
    Rate,
    Scope,
    ScopeBudget,
    load_scope,
    parse_scope,
)
from handfast.boundary.targets import port_set
from handfast.errors import ScopeError

TODAY = date(2026, 12, 1)

WHOLE = """
schema = 1
probes = ["passive", "read"]
ports = [80, 443]
targets = [
    "example.org",
    "*.example.org",
    "8.8.8.8/29",
    "2606:4700::/32",
    { host = "git.example.org", ports = [22, "8000-8010"] },
    "127.0.0.1",
    "10.1.0.0/16",
    "169.254.169.254",
]
name_servers = ["9.9.9.9", "127.0.0.1:5353", "[2620:fe::fe]:53"]
allow_private = ["127.0.0.1", "10.0.0.0/8", "169.254.0.0/16", "169.254.169.254"]

[authorisation]
by = "Ada Lovelace"
contact = "ada@example.org"
date = 2026-11-30
valid_until = 2026-12-31
reference = "SEC-42"

[rate]
requests_per_second = 2.5
concurrency = 2

[budget]
seconds = 60
requests = 100
bytes = 1_000_000
"""

SMALL = """
probes = ["read"]
targets = ["example.org"]
[authorisation]
by = "a"
contact = "b"
date = 2026-11-30
reference = "c"
"""


def whole() -> Scope:
    return parse_scope(WHOLE, today=TODAY)


def test_a_whole_file_is_read() -> None:
    scope = whole()
    assert scope.authorisation.by == "Ada Lovelace"
    assert scope.authorisation.valid_until == date(2026, 12, 31)
    assert scope.rate == Rate(2.5, 2)
    assert scope.budget == ScopeBudget(60.0, 100, 1_000_000)
    assert scope.name_servers[1] == NameServer(ip_address("127.0.0.1"), 5353)
    assert scope.name_servers[2] == NameServer(ip_address("2620:fe::fe"), 53)
    assert scope.probes == {"passive", "read"}


def test_a_small_file_gets_finite_defaults() -> None:
    scope = parse_scope(SMALL, today=TODAY)
    assert scope.rate == Rate()
    assert scope.budget == ScopeBudget()
    assert scope.covers_port("example.org", 8443)
    assert not scope.covers_port("example.org", 22)


def test_names_are_covered_exactly_or_below() -> None:
    scope = whole()
    for name in ("example.org", "EXAMPLE.ORG.", "a.b.example.org", "git.example.org"):
        assert scope.covers_name(name)
    for name in ("evilexample.org", "example.org.evil.example", "", "8.8.8.8", "a..b"):
        assert not scope.covers_name(name)


def test_addresses_are_covered_by_blocks_alone() -> None:
    scope = whole()
    assert scope.covers_address("8.8.8.9")
    assert scope.covers_address(ip_address("2606:4700::1"))
    assert scope.covers_address("127.0.0.1")
    for text in ("8.8.8.16", "127.0.0.2", "127.1", "::ffff:8.8.8.8", "example.org"):
        assert not scope.covers_address(text)


def test_ports_are_those_of_the_targets_that_cover_a_host() -> None:
    scope = whole()
    assert scope.covers_port("git.example.org", 22)
    assert scope.covers_port("git.example.org", 443)
    assert not scope.covers_port("www.example.org", 22)
    assert scope.covers_port("8.8.8.8", 80)
    assert scope.covers_port(ip_address("8.8.8.8"), 80)
    assert not scope.covers_port("evil.example", 80)


def test_a_metadata_address_is_reachable_only_when_it_is_named_itself() -> None:
    scope = whole()
    assert scope.address_refusal(ip_address("169.254.169.254")) is None
    narrower = scope.narrow(allow_private=["169.254.0.0/16"])
    assert narrower.address_refusal(ip_address("169.254.169.254")) is not None
    assert narrower.address_refusal(ip_address("169.254.1.1")) is None
    assert not narrower.covers_address("169.254.169.254")


def test_a_zone_id_is_never_covered() -> None:
    scope = whole()
    for text in ("2606:4700::1%eth0", "2606:4700::1%1"):
        assert not scope.covers_address(text)
        assert scope.address_refusal(ip_address(text)) is not None


def test_blocks_are_covered_as_a_whole() -> None:
    scope = whole()
    assert scope.covers_network(ip_network("8.8.8.8/30"))
    assert scope.covers_network(ip_network("10.1.2.0/24"))
    assert not scope.covers_network(ip_network("8.8.8.0/24"))
    assert not scope.covers_network(ip_network("10.0.0.0/8"))
    assert not scope.narrow(allow_private=[]).covers_network(ip_network("10.1.2.0/24"))


def test_a_block_with_a_special_part_is_covered_only_without_it() -> None:
    scope = parse_scope(SMALL.replace('"example.org"', '"192.0.0.0/8"'), today=TODAY)
    assert scope.covers_network(ip_network("192.1.0.0/16"))
    assert not scope.covers_network(ip_network("192.168.0.0/16"))
    assert not scope.covers_network(ip_network("192.0.0.0/9"))
    assert not scope.covers_network(ip_network("192.168.1.1/32"))


def test_name_servers_are_listed_or_targets_on_the_dns_port() -> None:
    scope = whole()
    assert scope.covers_name_server(ip_address("9.9.9.9"))
    assert scope.covers_name_server(ip_address("127.0.0.1"), 5353)
    assert scope.covers_name_server(ip_address("8.8.8.8"))
    assert not scope.covers_name_server(ip_address("8.8.8.8"), 5353)
    assert not scope.covers_name_server(ip_address("1.1.1.1"))


def test_probes_are_permitted_by_class() -> None:
    assert whole().permits("read")
    assert not whole().permits("consent")


@pytest.mark.parametrize(
    ("url", "allow", "reason"),
    [
        ("https://www.example.org/x", True, "the name www.example.org and port 443 are in scope"),
        ("http://8.8.8.8/", True, "the address 8.8.8.8 and port 80 are in scope"),
        ("http://127.0.0.1/", True, "the address 127.0.0.1"),
        (
            "https://evil.example/",
            False,
            "evil.example is not in scope (example.org, *.example.org",
        ),
        ("http://localhost/", False, "localhost has a single label"),
        ("http://1.2.3.4/", False, "1.2.3.4 is not in scope"),
        (
            "https://example.org:8443/",
            False,
            "port 8443 of example.org is not in scope (allowed: 80, 443)",
        ),
        ("ftp://example.org/", False, "the scheme ftp is not allowed"),
    ],
)
def test_a_url_is_explained(url: str, *, allow: bool, reason: str) -> None:
    verdict = whole().explain(url)
    assert verdict.allow is allow
    assert reason in verdict.reason


def test_an_address_in_scope_that_is_not_public_is_explained() -> None:
    verdict = whole().narrow(allow_private=[]).explain("http://127.0.0.1/")
    assert not verdict.allow
    assert "loopback" in verdict.reason


def changed(before: str, after: str) -> str:
    assert before in WHOLE
    return WHOLE.replace(before, after)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "authorisation.by: is missing"),
        ("[authorization]", "authorization: is not a key of a scope; did you mean authorisation?"),
        (changed("date = 2026-11-30", ""), "authorisation.date: is missing"),
        (changed("schema = 1", "schema = 2"), "line 2: schema: must be between 1 and 1"),
        (
            changed("schema = 1", "shema = 1"),
            "shema: is not a key of a scope; did you mean schema?",
        ),
        (changed('by = "Ada Lovelace"', ""), "authorisation.by: is missing"),
        (changed('by = "Ada Lovelace"', 'bye = "x"\nby = "y"'), "authorisation.bye: is not a key"),
        (
            changed('contact = "ada@example.org"', "contact = 7"),
            "authorisation.contact: must be a text",
        ),
        (changed("2026-12-31", "2026-11-30T00:00:00"), "authorisation.valid_until: must be a date"),
        (changed("2026-12-31", "2026-11-29"), "authorisation.valid_until: lies before the date"),
        (
            changed("2026-12-31", "2026-11-30"),
            "the authorisation ended on 2026-11-30, today is 2026-12-01",
        ),
        (changed("date = 2026-11-30", "date = 2026-12-02"), "holds from 2026-12-02"),
        (SMALL.replace('["example.org"]', "[]"), "targets: must name at least one target"),
        (SMALL.replace('targets = ["example.org"]', ""), "targets: must name at least one target"),
        (changed('"8.8.8.8/29"', '"8.8.8.8/0"'), "targets[2]: '8.8.8.8/0' is wider than /8"),
        (changed('"8.8.8.8/29"', "8"), "targets[2]: must be a table, not 8"),
        (changed('"8.8.8.8/29"', '"http://x/"'), "targets[2]: 'http://x/' is a URL"),
        (changed("[22, ", "[0, "), "targets[4].ports: 0 is no port"),
        (changed("{ host =", "{ hst ="), "targets[4].host: is missing"),
        (changed("{ host =", '{ x = "y", host ='), "targets[4].x: is not a key"),
        (changed("ports = [80, 443]", "ports = []"), "ports: must be an array of ports"),
        (changed('["passive", "read"]', "[]"), "probes: must name at least one class"),
        (
            changed('["passive", "read"]', '["write"]'),
            "probes: 'write' is none of passive, read, consent",
        ),
        (changed('["passive", "read"]', '"read"'), "probes: must be an array"),
        (
            changed("concurrency = 2", "concurrency = 0"),
            "rate.concurrency: must be between 1 and 256",
        ),
        (
            changed("requests_per_second = 2.5", "requests_per_second = inf"),
            "requests_per_second: must be between",
        ),
        (
            changed("requests_per_second = 2.5", "requests_per_second = nan"),
            "requests_per_second: must be between",
        ),
        (changed("concurrency = 2", "speed = 2"), "rate.speed: is not a key"),
        (changed("seconds = 60", "seconds = 0"), "budget.seconds: must be between"),
        (changed("bytes = 1_000_000", "bites = 1"), "budget.bites: is not a key"),
        (changed('"9.9.9.9",', '"dns.example",'), "name_servers[0]: 'dns.example' is no address"),
        (changed('"127.0.0.1:5353"', '"127.0.0.1:x"'), "name_servers[1]"),
        (changed('"127.0.0.1:5353"', '"127.0.0.1:1-2"'), "name_servers[1]"),
        (changed('"127.0.0.1:5353"', '"[127.0.0.1]:53"'), "name_servers[1]"),
        (changed('"9.9.9.9",', '"10.0.0.1", "192.168.0.1",'), "192.168.0.1 is not public"),
        (changed('"10.0.0.0/8", ', '"ten", '), "allow_private[1]: 'ten' is neither"),
        (changed('["127.0.0.1", "10', '["127.0.0.3", "10'), "127.0.0.1 is not public: loopback"),
        (changed('"10.0.0.0/8", ', ""), "10.1.0.0 is not public: private (RFC 1918); to allow it"),
        (
            changed(', "169.254.169.254"]', "]"),
            "169.254.169.254 is not public: cloud instance metadata",
        ),
        (changed("[rate]", "rate = 5\n[rat]"), "is not a key"),
    ],
)
def test_a_wrong_file_is_refused_with_the_key_and_the_cure(text: str, message: str) -> None:
    with pytest.raises(ScopeError) as caught:
        parse_scope(text, today=TODAY)
    assert message in str(caught.value)


def test_the_last_day_still_holds() -> None:
    assert parse_scope(WHOLE, today=date(2026, 12, 31)).permits("read")


def test_without_a_day_the_current_one_counts() -> None:
    with pytest.raises(ScopeError, match="the authorisation ended"):
        parse_scope(changed("2026-12-31", "2026-11-30").replace("2026-11-30", "2001-01-01"))


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    file = tmp_path / "scope.toml"
    file.write_text(WHOLE, encoding="utf-8")
    assert load_scope(file, today=TODAY) == whole()
    assert load_scope(str(file), today=TODAY) == whole()


def test_a_missing_unreadable_or_foreign_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScopeError, match="cannot be read: No such file"):
        load_scope(tmp_path / "absent.toml")
    with pytest.raises(ScopeError, match="cannot be read: Is a directory"):
        load_scope(tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(ScopeError, match="is not UTF-8"):
        load_scope(binary)
    binary.write_bytes(b"#" * (MAX_SCOPE_FILE + 1))
    with pytest.raises(ScopeError, match="larger than"):
        load_scope(binary)


def test_narrowing_keeps_what_is_asked_for() -> None:
    narrower = whole().narrow(
        targets=["git.example.org", "8.8.8.8"],
        ports=[443, "8000-8005"],
        probes=["read"],
        rate=Rate(10.0, 1),
        budget=ScopeBudget(10, 1_000, 10),
        allow_private=["10.1.0.0/16"],
    )
    assert narrower.covers_port("git.example.org", 8005)
    assert narrower.covers_port("8.8.8.8", 443)
    assert not narrower.covers_port("8.8.8.8", 80)
    assert not narrower.covers_name("example.org")
    assert narrower.rate == Rate(2.5, 1)
    assert narrower.budget == ScopeBudget(10, 100, 10)
    assert narrower.probes == {"read"}
    assert whole().contains(narrower)
    assert not narrower.contains(whole())


@pytest.mark.parametrize(
    "change",
    [
        {"targets": ["evil.example"]},
        {"targets": ["8.8.0.0/16"]},
        {"targets": ["*.org"]},
        {"targets": ["a..b"]},
        {"ports": [0]},
        {"ports": [12_345]},
        {"probes": ["consent"]},
        {"allow_private": ["192.168.0.0/16"]},
        {"allow_private": ["x"]},
    ],
)
def test_narrowing_never_adds(change: dict[str, list[str]]) -> None:
    with pytest.raises(ScopeError):
        whole().narrow(**change)  # type: ignore[arg-type]  # each key has its own type


HOSTS = ["example.org", "a.example.org", "git.example.org", "evil.example", "8.8.8.8", "8.8.8.16",
         "127.0.0.1", "10.1.0.1", "10.2.0.1", "2606:4700::1", "169.254.169.254"]  # fmt: skip
TARGETS = ["example.org", "*.example.org", "x.example.org", "*.x.example.org", "git.example.org",
           "8.8.8.8/30", "8.8.8.0/24", "10.1.0.0/24", "2606:4700::/64", "evil.example"]  # fmt: skip
PORTS: list[int | str] = [22, 80, 443, 8005, "1-65535", "8000-8003"]
PROBES: list[ProbeClass] = ["passive", "read", "consent"]


@given(
    targets=st.none() | st.lists(st.sampled_from(TARGETS), min_size=1, max_size=4),
    ports=st.none() | st.lists(st.sampled_from(PORTS), min_size=1, max_size=3),
    probes=st.none() | st.lists(st.sampled_from(PROBES)),
    rate=st.none() | st.builds(Rate, st.floats(0.1, 100), st.integers(1, 20)),
    budget=st.none()
    | st.builds(ScopeBudget, st.floats(1, 1e6), st.integers(1, 10**6), st.integers(1, 10**9)),
    allow=st.none() | st.lists(st.sampled_from(["127.0.0.1", "10.1.0.0/16", "192.168.0.1"])),
)
def test_a_narrower_scope_allows_nothing_new(  # noqa: PLR0917 - one argument a field
    targets: list[str] | None,
    ports: list[int | str] | None,
    probes: list[ProbeClass] | None,
    rate: Rate | None,
    budget: ScopeBudget | None,
    allow: list[str] | None,
) -> None:
    scope = whole()
    try:
        narrower = scope.narrow(
            targets=targets, ports=ports, probes=probes, rate=rate, budget=budget,
            allow_private=allow,
        )  # fmt: skip
    except ScopeError:
        return
    assert scope.contains(narrower)
    assert narrower.rate.requests_per_second <= scope.rate.requests_per_second
    assert narrower.budget.bytes <= scope.budget.bytes
    for host in HOSTS:
        for port in (22, 80, 443, 8005):
            if narrower.covers_port(host, port):
                assert scope.covers_port(host, port)
        if narrower.covers_address(host):
            assert scope.covers_address(host)
        if narrower.explain(f"http://{host}/").allow:
            assert scope.explain(f"http://{host}/").allow


def test_a_scope_with_anything_more_is_not_contained() -> None:
    scope = parse_scope(SMALL, today=TODAY)
    assert scope.contains(scope)
    for text in (
        SMALL.replace('["read"]', '["read", "passive"]'),
        SMALL.replace('["example.org"]', '["example.org", "a.example"]'),
        SMALL.replace('["example.org"]', '[{ host = "example.org", ports = [22] }]'),
        'name_servers = ["9.9.9.9"]\n' + SMALL,
        'allow_private = ["127.0.0.1"]\n' + SMALL,
        SMALL + "[rate]\nconcurrency = 200",
        SMALL + "[budget]\nrequests = 9999999",
    ):
        assert not scope.contains(parse_scope(text, today=TODAY))


def test_two_targets_may_give_a_host_their_ports_together() -> None:
    scope = whole()
    assert scope.ports_of("git.example.org") == (port_set([80, 443]), port_set([22, "8000-8010"]))
    assert scope.ports_of("evil.example") == ()


def test_a_host_is_pinned_to_its_checked_address() -> None:
    address = ip_address("93.184.216.34")
    pinned = whole().pinned("git.example.org", address)
    assert pinned.covers_address(address)
    assert pinned.covers_port(address, 8005)
    assert pinned.covers_port(address, 443)
    assert not pinned.covers_port(address, 25)
    assert not pinned.covers_name("git.example.org")
    assert not pinned.covers_address("93.184.216.35")


@pytest.mark.parametrize(
    ("host", "address"),
    [("evil.example", "93.184.216.34"), ("example.org", "192.168.0.1"), ("example.org", "::1")],
)
def test_nothing_is_pinned_that_may_not_be_reached(host: str, address: str) -> None:
    with pytest.raises(ScopeError):
        whole().pinned(host, ip_address(address))
