"""nslookup of BIND: one DNS question; never its interactive mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handfast.boundary.command_options import (
    Arguments,
    Option,
    check_arguments,
    integer,
    within,
    words,
)
from handfast.boundary.command_targets import domain_in_scope, server_in_scope
from handfast.boundary.programs.dns_types import ZONE_TRANSFERS, record_type
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

_SWITCHES = words("""debug nodebug recurse norecurse vc novc nosearch fail nofail""")
_TYPE_SPELLINGS = frozenset({"type", "query", "querytype", "q", "ty"})
_DNS_PORT = 53
_MAX_OPERANDS = 2


@dataclass(frozen=True, slots=True)
class Nslookup:
    """What nslookup may be asked to do."""

    name: str
    """A name or an address in scope."""
    server: str | None = None
    """Who is asked: an address or name in scope, or a listed name server; else the resolver."""
    type: str | None = None
    timeout: int = 5
    """Seconds to wait for an answer."""
    retries: int = 2
    switches: frozenset[str] = frozenset()
    """Of debug, nodebug, recurse, norecurse, vc, novc, nosearch, fail, nofail."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: Name or server is out of scope, or a value is not allowed.
        """
        within("nslookup", "timeout", self.timeout, 1, 30)
        within("nslookup", "retries", self.retries, 0, 5)
        if not self.switches <= _SWITCHES:
            raise CommandRefused(f"nslookup: unknown switches {sorted(self.switches - _SWITCHES)}")
        args = [f"-{switch}" for switch in sorted(self.switches)]
        args += [f"-timeout={self.timeout}", f"-retry={self.retries}"]
        if self.type is not None:
            found = record_type("nslookup", self.type, scope)
            if found in ZONE_TRANSFERS:
                raise CommandRefused("nslookup: use dig for zone transfers")
            args.append(f"-type={found}")
        args.append(domain_in_scope("nslookup", self.name, scope))
        return (*args, *([server_in_scope("nslookup", self.server, scope)] if self.server else []))


def parse_nslookup(args: Sequence[str]) -> Nslookup:
    """Reads arguments of nslookup.

    Raises:
        CommandRefused: They have anything that `Nslookup` has no field for, or would make it
            interactive.
    """
    check_arguments("nslookup", args)
    found = Arguments("nslookup")
    for token in args:
        if token.startswith("-"):
            _option(found, token)
        else:
            found.operands.append(token)
    if not 1 <= len(found.operands) <= _MAX_OPERANDS:
        raise CommandRefused("nslookup: one name and at most one server; it is never interactive")
    timeout, retries = found.integer("timeout", 1, 30), found.integer("retry", 0, 5)
    return Nslookup(
        name=found.operands[0],
        server=found.operands[1] if len(found.operands) == _MAX_OPERANDS else None,
        type=found.get("type"),
        timeout=5 if timeout is None else timeout,
        retries=2 if retries is None else retries,
        switches=found.flags(_SWITCHES),
    )


def _option(found: Arguments, token: str) -> None:
    name, equals, value = token[1:].partition("=")
    if not equals and name in _SWITCHES:
        found.add(Option(name, repeats=True))
    elif value and name in _TYPE_SPELLINGS:
        found.add(Option("type"), value)
    elif value and name in {"timeout", "retry"}:
        found.add(Option(name), value)
    elif (name, value) in {("class", "IN"), ("class", "in")}:
        found.add(Option("class"))
    elif value and name == "port":
        integer("nslookup", "port", value, _DNS_PORT, _DNS_PORT)
    else:
        raise CommandRefused(f"nslookup: the option {token} is not understood")
