"""dig: one DNS question.

dig has no `--`; `@` and `+` begin options wherever they stand, so the name always goes through
`-q`. A second name would be a second question with servers of its own and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from handfast.boundary.command_options import (
    Arguments,
    Option,
    check_arguments,
    integer,
    within,
    words,
)
from handfast.boundary.command_targets import address_in_scope, domain_in_scope, server_in_scope
from handfast.boundary.programs.dns_types import RECORD_TYPES, ZONE_TRANSFERS, record_type
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

_SWITCHES = words(
    """aaflag aaonly additional adflag all answer authority badcookie besteffort cdflag class cmd
    coflag comments cookie crypto dnssec edns expandaaaa fail header-only identify idnin idnout
    ignore multiline nsid qr question raflag rdflag recurse rrcomments short showbadcookie split
    stats tcflag tcp ttlid ttlunits unknownformat vc yaml"""
)
_OFF_ONLY = frozenset({"search", "defname", "trace", "nssearch", "keepopen", "dns64prefix"})
_NUMBERS = {
    "time": (1, 30),
    "timeout": (1, 30),
    "tries": (1, 5),
    "retry": (0, 5),
    "bufsize": (512, 4_096),
    "ndots": (0, 15),
}
_PLUS = re.compile(r"\+([a-z0-9-]+)(?:=([0-9]+))?", re.ASCII)
_DNS_PORT = 53


@dataclass(frozen=True, slots=True)
class Dig:
    """What dig may be asked to do."""

    name: str | None = None
    """The name to ask for, in scope."""
    reverse: str | None = None
    """Or the address whose name to ask for, in scope."""
    type: str | None = None
    """A record type; A when None."""
    server: str | None = None
    """Who is asked: an address or name in scope, or a listed name server; else the resolver."""
    switches: tuple[str, ...] = ()
    """Switches without `+`, as `tcp` or `noall`."""
    numbers: tuple[tuple[str, int], ...] = ()
    """time, timeout, tries, retry, bufsize, ndots."""
    family: Literal[4, 6] | None = None
    microseconds: bool = False

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: Name, address or server is out of scope, or a value is not allowed.
        """
        # -r first: the user's own defaults file is not read.
        args = ["-r"]
        args += [f"-{self.family}"] if self.family else []
        args += ["-u"] if self.microseconds else []
        if self.server is not None:
            args.append(f"@{server_in_scope('dig', self.server, scope)}")
        args += [f"+{_switch(switch)}" for switch in self.switches]
        for name, number in self.numbers:
            if name not in _NUMBERS:
                raise CommandRefused(f"dig: unknown number {name}")
            within("dig", name, number, *_NUMBERS[name])
            args.append(f"+{name}={number}")
        return (*args, *self._question(scope))

    def _question(self, scope: Scope) -> list[str]:
        if (self.name is None) == (self.reverse is None):
            raise CommandRefused("dig: exactly one name, or one address for -x, is needed")
        asked = ["-t", record_type("dig", self.type, scope)] if self.type is not None else []
        if self.reverse is not None:
            if self.type is not None:
                raise CommandRefused("dig: a reverse look-up asks for PTR alone")
            return ["-x", str(address_in_scope("dig", self.reverse, scope))]
        return ["-q", domain_in_scope("dig", self.name or "", scope), *asked]


def _switch(switch: str) -> str:
    name = switch.removeprefix("no")
    if switch in _SWITCHES or (name != switch and name in _SWITCHES | _OFF_ONLY):
        return switch
    raise CommandRefused(f"dig: the switch +{switch} is not understood or not allowed")


def parse_dig(args: Sequence[str]) -> Dig:
    """Reads arguments of dig.

    Raises:
        CommandRefused: They have anything that `Dig` has no field for.
    """
    check_arguments("dig", args)
    found = Arguments("dig")
    rest = list(args)
    while rest:
        token = rest.pop(0)
        if token.startswith("@"):
            found.add(Option("server"), token[1:])
        elif token.startswith("+"):
            _plus(found, token)
        elif token.startswith("-"):
            _dash(found, token, rest)
        else:
            _operand(found, token)
    if found.has("4") and found.has("6"):
        raise CommandRefused("dig: -4 and -6 exclude each other")
    return Dig(
        name=found.get("name"),
        reverse=found.get("reverse"),
        type=found.get("type"),
        server=found.get("server"),
        switches=tuple(found.values.get("switch", [])),
        numbers=tuple(
            (name, int(values[0])) for name, values in found.values.items() if name in _NUMBERS
        ),
        family=4 if found.has("4") else 6 if found.has("6") else None,
        microseconds=found.has("u"),
    )


def _operand(found: Arguments, token: str) -> None:
    # dig takes a word for a type or class before it takes it for a name.
    if token.upper() in RECORD_TYPES | ZONE_TRANSFERS:
        found.add(Option("type"), token)
    elif token.upper() == "IN":
        found.add(Option("class"))
    else:
        found.add(Option("name"), token)


def _plus(found: Arguments, token: str) -> None:
    match = _PLUS.fullmatch(token)
    if match is None:
        raise CommandRefused(f"dig: the switch {token} is not understood or not allowed")
    name, number = match.group(1), match.group(2)
    if number is None:
        found.add(Option("switch", repeats=True), _switch(name))
    elif name in _NUMBERS:
        found.add(Option(name), str(integer("dig", name, number, *_NUMBERS[name])))
    elif (name, number) == ("edns", "0"):
        found.add(Option("switch", repeats=True), "edns")
    else:
        raise CommandRefused(f"dig: the switch {token} is not understood or not allowed")


def _dash(found: Arguments, token: str, rest: list[str]) -> None:
    letter, glued = token[1:2], token[2:]
    if letter in {"4", "6", "r", "u"} and not glued:
        found.add(Option(letter, repeats=True))
        return
    names = {"t": "type", "q": "name", "x": "reverse", "c": "class", "p": "port"}
    if letter not in names or not (glued or rest):
        raise CommandRefused(f"dig: the option {token} is not understood")
    value = glued or rest.pop(0)
    if letter == "c" and value.upper() != "IN":
        raise CommandRefused(f"dig: the class {value} is not allowed, only IN")
    if letter == "p":
        integer("dig", "port", value, _DNS_PORT, _DNS_PORT)
    found.add(Option(names[letter]), value)
