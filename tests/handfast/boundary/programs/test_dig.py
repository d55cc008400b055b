from __future__ import annotations

import pytest

from handfast.boundary.programs.dig import Dig, parse_dig
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


def test_the_name_always_goes_through_q(scope: Scope) -> None:
    assert Dig(name="lab.example").argv(scope) == ("-r", "-q", "lab.example")


@pytest.mark.parametrize(
    "fields",
    [
        Dig(
            name="lab.example",
            type="MX",
            server="203.0.113.10",
            switches=("tcp", "noall", "answer"),
        ),
        Dig(reverse="203.0.113.10", numbers=(("time", 2), ("tries", 1)), family=4),
        Dig(name="10.113.0.203.in-addr.arpa", type="PTR", family=6, microseconds=True),
        Dig(name="_dmarc.lab.example", type="TXT", server="9.9.9.9"),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Dig, scope: Scope) -> None:
    assert parse_dig(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["lab.example"],
        ["lab.example", "MX"],
        ["mx", "lab.example"],
        ["IN", "A", "lab.example"],
        ["-t", "txt", "lab.example"],
        ["-tTXT", "lab.example"],
        ["-c", "IN", "-q", "lab.example"],
        ["-p", "53", "@203.0.113.10", "lab.example"],
        ["+short", "lab.example"],
        ["+noall", "+answer", "+time=3", "+tries=1", "+bufsize=1232", "lab.example"],
        ["+edns=0", "+norecurse", "+nosearch", "+notrace", "lab.example"],
        ["@ns.lab.example", "lab.example", "NS"],
        ["-x203.0.113.10", "-4", "-u"],
        ["-x", "2001:db8:10::5"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_dig(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["@203.0.113.10"],
        ["evil.example"],
        ["lab.example", "app.lab.example"],
        ["lab.example", "-x", "203.0.113.10"],
        ["@evil.example", "lab.example"],
        ["@8.8.8.8", "lab.example"],
        ["@203.0.113.10#5353", "lab.example"],
        ["@", "lab.example"],
        ["@203.0.113.10", "@203.0.113.11", "lab.example"],
        ["-f", "/etc/passwd"],
        ["-f/etc/passwd"],
        ["-k", "/etc/key", "lab.example"],
        ["-y", "a:b", "lab.example"],
        ["-b", "198.51.100.7", "lab.example"],
        ["-m", "lab.example"],
        ["-p", "5353", "lab.example"],
        ["-c", "CH", "lab.example"],
        ["-q"],
        ["-h"],
        ["-4", "-6", "lab.example"],
        ["-rx", "lab.example"],
        ["--", "lab.example"],
        ["axfr", "lab.example"],
        ["-t", "AXFR", "lab.example"],
        ["ixfr=1", "lab.example"],
        ["TYPE252", "lab.example"],
        ["+trace", "lab.example"],
        ["+nssearch", "lab.example"],
        ["+sho", "lab.example"],
        ["+https", "lab.example"],
        ["+https=/x", "lab.example"],
        ["+tls", "lab.example"],
        ["+tls-ca=/etc/passwd", "lab.example"],
        ["+subnet=198.51.100.0/24", "lab.example"],
        ["+domain=evil.example", "lab"],
        ["+search", "lab.example"],
        ["+retry=1000", "lab.example"],
        ["+time=1000", "lab.example"],
        ["+edns=1", "lab.example"],
        ["+ednsopt=1:ff", "lab.example"],
        ["+short=1", "lab.example"],
        ["+", "lab.example"],
        ["+time", "lab.example"],
        ["-x", "198.51.100.7"],
        ["-x", "203.0.113"],
        ["-x", "203.0.113.10", "-t", "A"],
        ["-t", "A", "-t", "MX", "lab.example"],
    ],
)
def test_files_servers_floods_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_dig(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        Dig(),
        Dig(name="lab.example", reverse="203.0.113.10"),
        Dig(name="@evil.example"),
        Dig(name="+trace"),
        Dig(name="-f"),
        Dig(name="lab.example", switches=("trace",)),
        Dig(name="lab.example", switches=("no",)),
        Dig(name="lab.example", numbers=(("retry", 99),)),
        Dig(name="lab.example", numbers=(("padding", 1),)),
        Dig(name="lab.example", server="8.8.8.8"),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Dig, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


def test_a_zone_transfer_is_asked_for_with_consent(consent_scope: Scope) -> None:
    fields = parse_dig(["axfr", "lab.example", "@203.0.113.10"])
    assert fields.argv(consent_scope) == ("-r", "@203.0.113.10", "-q", "lab.example", "-t", "AXFR")
