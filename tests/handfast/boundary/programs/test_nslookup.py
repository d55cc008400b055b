from __future__ import annotations

import pytest

from handfast.boundary.programs.nslookup import Nslookup, parse_nslookup
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


@pytest.mark.parametrize(
    "fields",
    [
        Nslookup("lab.example"),
        Nslookup("lab.example", server="203.0.113.10", type="TXT", timeout=1, retries=0),
        Nslookup("203.0.113.10", switches=frozenset({"debug", "vc"})),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Nslookup, scope: Scope) -> None:
    assert parse_nslookup(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["app.lab.example"],
        ["-type=MX", "lab.example"],
        ["-query=txt", "lab.example", "203.0.113.10"],
        ["-q=A", "-class=IN", "-port=53", "lab.example"],
        ["lab.example", "-timeout=2", "-retry=1"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_nslookup(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["-"],
        ["-", "203.0.113.10"],
        ["-debug"],
        ["evil.example"],
        ["lab.example", "8.8.8.8"],
        ["lab.example", "203.0.113.10", "203.0.113.11"],
        ["-port=5353", "lab.example"],
        ["-po=53", "lab.example"],
        ["-type=AXFR", "lab.example"],
        ["-type=", "lab.example"],
        ["-type", "A", "lab.example"],
        ["-class=CH", "lab.example"],
        ["-domain=evil.example", "lab"],
        ["-retry=1000", "lab.example"],
        ["-timeout=1000", "lab.example"],
        ["-debug=1", "lab.example"],
        ["--debug", "lab.example"],
        ["-type=A", "-q=MX", "lab.example"],
    ],
)
def test_the_interactive_mode_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_nslookup(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        Nslookup("lab.example", timeout=0),
        Nslookup("lab.example", retries=6),
        Nslookup("lab.example", switches=frozenset({"port"})),
        Nslookup("-"),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Nslookup, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


def test_zone_transfers_are_left_to_dig(consent_scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="use dig"):
        Nslookup("lab.example", type="AXFR").argv(consent_scope)
