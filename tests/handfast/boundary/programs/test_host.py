from __future__ import annotations

import pytest

from handfast.boundary.programs.host import Host, parse_host
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


@pytest.mark.parametrize(
    "fields",
    [
        Host("lab.example"),
        Host("203.0.113.10", server="203.0.113.11", type="PTR", wait=2, retries=0, family=4),
        Host("lab.example", server="9.9.9.9", family=6, flags=frozenset({"tcp", "any"})),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Host, scope: Scope) -> None:
    assert parse_host(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["app.lab.example"],
        ["-t", "mx", "lab.example"],
        ["-tTXT", "-W1", "lab.example", "203.0.113.10"],
        ["-v", "-c", "in", "lab.example"],
        ["-d", "lab.example"],
        ["203.0.113.10"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_host(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["evil.example"],
        ["198.51.100.7"],
        ["lab.example", "8.8.8.8"],
        ["lab.example", "203.0.113.10", "x"],
        ["lab.example", "-t"],
        ["-l", "lab.example"],
        ["-al", "lab.example"],
        ["-C", "lab.example"],
        ["-w", "lab.example"],
        ["-p", "5353", "lab.example"],
        ["-m", "trace", "lab.example"],
        ["-R", "1000", "lab.example"],
        ["-W", "1000", "lab.example"],
        ["-N", "9", "lab.example"],
        ["-c", "CH", "lab.example"],
        ["-t", "AXFR", "lab.example"],
        ["-t", "IXFR=1", "lab.example"],
        ["-4", "-6", "lab.example"],
        ["-V"],
    ],
)
def test_transfers_floods_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_host(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        Host("lab.example", wait=0),
        Host("lab.example", retries=9),
        Host("lab.example", flags=frozenset({"list"})),
        Host("-l"),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Host, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


def test_zone_transfers_are_left_to_dig(consent_scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="use dig"):
        Host("lab.example", type="AXFR").argv(consent_scope)
