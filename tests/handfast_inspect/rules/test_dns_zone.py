from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.dns import (
    DelegationFact,
    DnssecFact,
    NameServer,
    RecursionFact,
    ZoneTransferFact,
)
from handfast_inspect.rules.dns_zone import (
    check_delegation,
    check_dnssec,
    check_recursion,
    check_transfer,
)
from made_facts import NOW, PROOF, ZONE, failures, states

SIGNED = DnssecFact(
    ZONE,
    PROOF,
    "example.test",
    ds_present=True,
    dnskey_present=True,
    validated=True,
    algorithms=(13,),
    ds_digest_types=(2,),
)
SERVERS = (
    NameServer("ns1.example.test", ("192.0.2.53",), authoritative=True),
    NameServer("ns2.example.net", ("198.51.100.53",), authoritative=True),
)
NAMES = tuple(server.name for server in SERVERS)
DELEGATION = DelegationFact(ZONE, PROOF, "example.test", NAMES, NAMES, SERVERS)


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (SIGNED, {}),
        (replace(SIGNED, dnskey_present=False), {"dnssec/ds-without-key": "high"}),
        (replace(SIGNED, validated=False, reason="expired"), {"dnssec/bogus": "high"}),
        (replace(SIGNED, ds_present=False), {"dnssec/unsigned": "low"}),
        (
            replace(SIGNED, ds_present=False, dnskey_present=False, validated=None),
            {"dnssec/unsigned": "low"},
        ),
        (replace(SIGNED, algorithms=(8, 7)), {"dnssec/sha1-algorithm": "medium"}),
        (replace(SIGNED, ds_digest_types=(1,)), {"dnssec/sha1-ds": "medium"}),
        (replace(SIGNED, ds_digest_types=(1, 2)), {"dnssec/sha1-ds": "info"}),
        (replace(SIGNED, nsec3_iterations=0), {}),
        (replace(SIGNED, nsec3_iterations=10), {"dnssec/nsec3-iterations": "info"}),
    ],
)
def test_dnssec(fact: DnssecFact, expected: dict[str, str]) -> None:
    assert failures(check_dnssec(Facts(dnssec=(fact,)), NOW)) == expected


def test_a_chain_that_was_not_validated_is_not_tested() -> None:
    facts = Facts(dnssec=(replace(SIGNED, validated=None),))
    assert states(check_dnssec(facts, NOW)) == ["not_tested"]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (DELEGATION, {}),
        (
            replace(DELEGATION, servers=(SERVERS[0], replace(SERVERS[1], authoritative=False))),
            {"delegation/lame/ns2.example.net": "medium"},
        ),
        (
            replace(
                DELEGATION,
                servers=(SERVERS[0], replace(SERVERS[1], authoritative=None, error="timeout")),
            ),
            {"delegation/lame/ns2.example.net": "medium"},
        ),
        (
            replace(
                DELEGATION,
                parent_servers=NAMES[:1],
                child_servers=NAMES[:1],
                servers=SERVERS[:1],
            ),
            {"delegation/one-server": "low"},
        ),
        (
            replace(
                DELEGATION,
                servers=(SERVERS[0], replace(SERVERS[1], addresses=("192.0.2.54",))),
            ),
            {"delegation/one-network": "low"},
        ),
        (
            replace(
                DELEGATION,
                servers=(SERVERS[0], replace(SERVERS[1], addresses=("192.0.2.54", "2001:db8::1"))),
            ),
            {},
        ),
        (
            replace(DELEGATION, parent_servers=(NAMES[0], "old.example.test")),
            {"delegation/parent-child": "low"},
        ),
        (replace(DELEGATION, parent_servers=()), {}),
        (
            replace(DELEGATION, servers=(SERVERS[0], replace(SERVERS[1], addresses=("nonsense",)))),
            {"delegation/one-network": "low"},
        ),
    ],
)
def test_delegation(fact: DelegationFact, expected: dict[str, str]) -> None:
    assert failures(check_delegation(Facts(delegations=(fact,)), NOW)) == expected


def test_servers_that_were_not_asked_leave_the_delegation_untested() -> None:
    unasked = tuple(replace(server, authoritative=None) for server in SERVERS)
    facts = Facts(delegations=(replace(DELEGATION, servers=unasked),))
    assert states(check_delegation(facts, NOW)) == ["not_tested"]


def test_open_transfers_are_high_and_name_zone_and_server() -> None:
    closed = ZoneTransferFact(ZONE, PROOF, "example.test", "ns1.example.test", open=False)
    facts = Facts(zone_transfers=(closed, replace(closed, open=True, record_count=40)))
    assert failures(check_transfer(facts, NOW)) == {"axfr/ns1.example.test": "high"}
    assert states(check_transfer(facts, NOW)) == ["pass", "fail"]


def test_open_resolvers_are_medium() -> None:
    closed = RecursionFact(ZONE, PROOF, "ns1.example.test", open=False)
    facts = Facts(recursion=(closed, replace(closed, open=True)))
    assert failures(check_recursion(facts, NOW)) == {"recursion/open": "medium"}
    assert states(check_recursion(facts, NOW)) == ["pass", "fail"]


def test_without_facts_nothing_is_said() -> None:
    for check in (check_dnssec, check_delegation, check_transfer, check_recursion):
        assert states(check(Facts(), NOW)) == []
