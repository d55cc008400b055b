from __future__ import annotations

import pytest

from handfast.boundary.programs.whois import Whois, parse_whois
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


def test_one_object_is_asked_for(scope: Scope) -> None:
    assert Whois("lab.example").argv(scope) == ("--", "lab.example")
    assert Whois("203.0.113.10/30").argv(scope) == ("--", "203.0.113.8/30")
    assert Whois("2001:db8:10::1").argv(scope) == ("--", "2001:db8:10::1")


def test_every_field_stands_in_the_vector(scope: Scope) -> None:
    fields = Whois(
        "lab.example", server="whois.lab.example", flags=frozenset({"verbose", "hide_disclaimers"})
    )
    argv = ("-H", "--verbose", "-h", "whois.lab.example", "--", "lab.example")
    assert fields.argv(scope) == argv
    assert parse_whois(argv) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["lab.example"],
        ["-H", "lab.example"],
        ["-rG", "203.0.113.10"],
        ["--no-recursion", "--", "lab.example"],
        ["--host=whois.lab.example", "lab.example"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_whois(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["lab.example", "app.lab.example"],
        ["lab.example stolen data"],
        ["-h", "evil.example", "lab.example"],
        ["-h", "203.0.113.10", "lab.example"],
        ["-hevil.example", "lab.example"],
        ["-Hhevil.example", "lab.example"],
        ["--host=evil.example", "lab.example"],
        ["--hos", "whois.lab.example", "lab.example"],
        ["-p", "80", "lab.example"],
        ["-i", "mnt-by", "X"],
        ["-q", "sources"],
        ["-g", "X:1-2"],
        ["-M", "203.0.113.8/29"],
        ["-I", "lab.example"],
        ["evil.example"],
        ["203.0.113.0/24"],
        ["0/0"],
        ["AS64496"],
    ],
)
def test_servers_and_objects_of_others_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_whois(args).argv(scope)


def test_unknown_flags_are_refused(scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="unknown flags"):
        Whois("lab.example", flags=frozenset({"inverse"})).argv(scope)
