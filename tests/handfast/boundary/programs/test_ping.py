from __future__ import annotations

import pytest

from handfast.boundary.programs.ping import Ping, parse_ping
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


def test_the_plain_form_counts_and_ends(scope: Scope) -> None:
    assert Ping("app.lab.example").argv(scope) == (
        "-n", "-c", "3", "-i", "1", "--", "app.lab.example",
    )  # fmt: skip


def test_every_field_stands_in_the_vector(scope: Scope) -> None:
    fields = Ping(
        "203.0.113.10",
        count=5,
        interval=0.5,
        timeout=2,
        deadline=10,
        size=100,
        ttl=64,
        family=4,
        flags=frozenset({"numeric", "quiet"}),
    )
    assert fields.argv(scope) == (
        "-n", "-q", "-4", "-c", "5", "-i", "0.5", "-W", "2", "-w", "10", "-s", "100", "-t", "64",
        "--", "203.0.113.10",
    )  # fmt: skip
    assert parse_ping(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["-c", "3", "203.0.113.10"],
        ["-nc4", "-i1", "app.lab.example"],
        ["app.lab.example", "-c1"],
        ["-w", "5", "app.lab.example"],
        ["-6", "-c", "1", "2001:db8:10::5"],
        ["-c", "1", "-i", "0.2", "--", "lab.example"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_ping(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["lab.example"],
        ["-c", "0", "lab.example"],
        ["-c", "61", "lab.example"],
        ["-c", "1", "-i", "0", "lab.example"],
        ["-c", "1", "-i", "0.1", "lab.example"],
        ["-c", "1", "-f", "lab.example"],
        ["-fc1", "lab.example"],
        ["-c", "1", "-A", "lab.example"],
        ["-c", "1", "-l", "3", "lab.example"],
        ["-c", "1", "-b", "203.0.113.15"],
        ["-c", "1", "-I", "eth0", "lab.example"],
        ["-c", "1", "-p", "ff", "lab.example"],
        ["-c", "1", "-R", "lab.example"],
        ["-c", "1", "-s", "65507", "lab.example"],
        ["-c", "1", "-t", "256", "lab.example"],
        ["-c", "1", "-4", "-6", "lab.example"],
        ["-c", "1", "203.0.113.10", "203.0.113.11"],
        ["-c", "1", "evil.example"],
        ["-c", "1", "-w", "1000", "lab.example"],
        ["-c", "1", "-W", "0", "lab.example"],
    ],
)
def test_floods_payloads_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_ping(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        Ping("lab.example", count=1_000),
        Ping("lab.example", interval=0),
        Ping("lab.example", interval=float("nan")),
        Ping("lab.example", timeout=-1),
        Ping("lab.example", deadline=10_000),
        Ping("lab.example", size=-1),
        Ping("lab.example", ttl=0),
        Ping("lab.example", flags=frozenset({"flood"})),
        Ping("-f"),
        Ping("evil.example"),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Ping, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)
