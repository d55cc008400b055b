"""whois of Debian: what the registries say about one name or address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handfast.boundary.command_options import Option, parse_options
from handfast.boundary.command_targets import (
    host_in_scope,
    name_in_scope,
    network_in_scope,
)
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

_FLAGS = {
    "-H": "hide_disclaimers",
    "--verbose": "verbose",
    "--no-recursion": "no_recursion",
    "-r": "no_contacts",
    "-G": "no_grouping",
    "-K": "primary_keys",
    "-x": "exact",
}
_OPTIONS = {
    **{spelling: Option(name, repeats=True) for spelling, name in _FLAGS.items()},
    "-h": Option("server", value=True),
    "--host": Option("server", value=True),
}


@dataclass(frozen=True, slots=True)
class Whois:
    """What whois may be asked to do."""

    query: str
    """One name, address or block, wholly in scope."""
    server: str | None = None
    """A server in scope; the registry's own when None."""
    flags: frozenset[str] = frozenset()
    """Of hide_disclaimers, verbose, no_recursion, no_contacts, no_grouping, primary_keys, exact."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: The object or the server is out of scope.
        """
        spellings = {name: spelling for spelling, name in _FLAGS.items()}
        if not self.flags <= spellings.keys():
            raise CommandRefused(f"whois: unknown flags {sorted(self.flags - spellings.keys())}")
        args = [spellings[name] for name in sorted(self.flags)]
        if self.server is not None:
            args += ["-h", name_in_scope("whois", self.server, scope)]
        return (*args, "--", _query(self.query, scope))


def _query(text: str, scope: Scope) -> str:
    if "/" not in text:
        return host_in_scope("whois", text, scope)
    return str(network_in_scope("whois", text, scope))


def parse_whois(args: Sequence[str]) -> Whois:
    """Reads arguments of whois.

    Raises:
        CommandRefused: They have anything that `Whois` has no field for.
    """
    found = parse_options("whois", args, _OPTIONS)
    return Whois(
        query=found.single_operand(),
        server=found.get("server"),
        flags=found.flags(_FLAGS.values()),
    )
