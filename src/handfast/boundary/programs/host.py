"""host of BIND: one DNS question in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from handfast.boundary.command_options import Option, parse_options, within
from handfast.boundary.command_targets import domain_in_scope, server_in_scope
from handfast.boundary.programs.dns_types import ZONE_TRANSFERS, record_type
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

_FLAGS = {
    "-v": "verbose",
    "-d": "verbose",
    "-a": "any",
    "-T": "tcp",
    "-U": "udp",
    "-r": "no_recursion",
    "-s": "stop_on_failure",
}
_OPTIONS = {
    **{spelling: Option(name, repeats=True) for spelling, name in _FLAGS.items()},
    "-t": Option("type", value=True),
    "-c": Option("class", value=True),
    "-W": Option("wait", value=True),
    "-R": Option("retries", value=True),
    "-4": Option("4"),
    "-6": Option("6"),
}
_MAX_OPERANDS = 2


@dataclass(frozen=True, slots=True)
class Host:
    """What host may be asked to do."""

    name: str
    """A name or an address in scope."""
    server: str | None = None
    """Who is asked: an address or name in scope, or a listed name server; else the resolver."""
    type: str | None = None
    wait: int = 5
    """Seconds to wait for an answer."""
    retries: int = 1
    family: Literal[4, 6] | None = None
    flags: frozenset[str] = frozenset()
    """Of verbose, any, tcp, udp, no_recursion, stop_on_failure."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: Name or server is out of scope, or a value is not allowed.
        """
        within("host", "wait", self.wait, 1, 30)
        within("host", "retries", self.retries, 0, 5)
        spellings = {name: spelling for spelling, name in _FLAGS.items()}
        if not self.flags <= spellings.keys():
            raise CommandRefused(f"host: unknown flags {sorted(self.flags - spellings.keys())}")
        args = [spellings[name] for name in sorted(self.flags)]
        args += [f"-{self.family}"] if self.family else []
        args += ["-W", str(self.wait), "-R", str(self.retries)]
        if self.type is not None:
            found = record_type("host", self.type, scope)
            if found in ZONE_TRANSFERS:
                raise CommandRefused("host: use dig for zone transfers")
            args += ["-t", found]
        args += [domain_in_scope("host", self.name, scope)]
        return (*args, *([server_in_scope("host", self.server, scope)] if self.server else []))


def parse_host(args: Sequence[str]) -> Host:
    """Reads arguments of host.

    Raises:
        CommandRefused: They have anything that `Host` has no field for.
    """
    found = parse_options("host", args, _OPTIONS, permute=False)
    if not 1 <= len(found.operands) <= _MAX_OPERANDS:
        raise CommandRefused("host: one name and at most one server")
    if (found.get("class") or "IN").upper() != "IN":
        raise CommandRefused("host: only the class IN is allowed")
    if found.has("4") and found.has("6"):
        raise CommandRefused("host: -4 and -6 exclude each other")
    wait, retries = found.integer("wait", 1, 30), found.integer("retries", 0, 5)
    return Host(
        name=found.operands[0],
        server=found.operands[1] if len(found.operands) == _MAX_OPERANDS else None,
        type=found.get("type"),
        wait=5 if wait is None else wait,
        retries=1 if retries is None else retries,
        family=4 if found.has("4") else 6 if found.has("6") else None,
        flags=found.flags(_FLAGS.values()),
    )
