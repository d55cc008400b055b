from __future__ import annotations

import pytest

from handfast.boundary.programs.traceroute import Traceroute, parse_traceroute
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


def test_the_plain_form_has_bounds(scope: Scope) -> None:
    assert Traceroute("lab.example").argv(scope) == (
        "-n", "-q", "3", "-m", "30", "-f", "1", "-w", "5", "-N", "16", "--", "lab.example",
    )  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        Traceroute("lab.example", method="icmp", queries=1, max_hops=5, first_hop=2, wait=1.5),
        Traceroute("lab.example", method="tcp", port=443, at_once=1, pause=0.5, family=4),
        Traceroute("lab.example", method="udp", port=53, packet_length=60, family=6),
        Traceroute("203.0.113.10", flags=frozenset({"no_fragments", "extensions"})),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Traceroute, scope: Scope) -> None:
    assert parse_traceroute(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["app.lab.example"],
        ["-I", "-q1", "203.0.113.10"],
        ["--icmp", "--queries=1", "--max-hops", "10", "lab.example"],
        ["-T", "-p", "443", "lab.example"],
        ["-n", "lab.example", "60"],
        ["-p", "33500", "lab.example"],
        ["-z", "1", "-w2", "lab.example"],
        ["--dont-fragment", "--extensions", "lab.example"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_traceroute(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["evil.example"],
        ["lab.example", "60", "70"],
        ["lab.example", "65000"],
        ["lab.example", "x"],
        ["-i", "eth1", "lab.example"],
        ["-s", "198.51.100.7", "lab.example"],
        ["-g", "198.51.100.7", "lab.example"],
        ["-A", "lab.example"],
        ["-r", "lab.example"],
        ["-N", "1000", "lab.example"],
        ["-q", "10", "lab.example"],
        ["-m", "255", "lab.example"],
        ["-w", "100", "lab.example"],
        ["-M", "tcp", "lab.example"],
        ["--module=tcp", "lab.example"],
        ["-O", "syn", "lab.example"],
        ["--sport=1", "lab.example"],
        ["-t", "1", "lab.example"],
        ["-I", "-T", "lab.example"],
        ["-4", "-6", "lab.example"],
        ["-I", "-p", "80", "lab.example"],
        ["--quer", "1", "lab.example"],
    ],
)
def test_bursts_detours_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_traceroute(args).argv(scope)


def test_the_port_of_a_method_must_be_in_scope(web_scope: Scope) -> None:
    assert "-p" in Traceroute("lab.example", method="tcp").argv(web_scope)
    assert "-p" in Traceroute("lab.example", port=33_434).argv(web_scope)
    assert "-p" in Traceroute("lab.example", port=80).argv(web_scope)
    for fields in (
        Traceroute("lab.example", method="tcp", port=22),
        Traceroute("lab.example", method="udp"),
        Traceroute("lab.example", port=53),
    ):
        with pytest.raises(CommandRefused, match="is not in scope"):
            fields.argv(web_scope)


@pytest.mark.parametrize(
    "fields",
    [
        Traceroute("lab.example", queries=0),
        Traceroute("lab.example", max_hops=100),
        Traceroute("lab.example", at_once=17),
        Traceroute("lab.example", wait=0),
        Traceroute("lab.example", pause=-1),
        Traceroute("lab.example", packet_length=9_000),
        Traceroute("lab.example", flags=frozenset({"route"})),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Traceroute, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)
