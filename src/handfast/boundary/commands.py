"""Commands that may be run: built from typed fields, or read strictly from an argument vector.

There is no shell, ever, and no vector is passed on as it came: `authorize_argv` reads a foreign
vector into the program's dataclass, and what runs is what that dataclass builds. What it has no
field for cannot be said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from handfast.boundary.command_options import MAX_ARGUMENT
from handfast.boundary.programs.curl import Curl, parse_curl
from handfast.boundary.programs.dig import Dig, parse_dig
from handfast.boundary.programs.host import Host, parse_host
from handfast.boundary.programs.nmap import Nmap, parse_nmap
from handfast.boundary.programs.nslookup import Nslookup, parse_nslookup
from handfast.boundary.programs.openssl import OpensslClient, parse_openssl
from handfast.boundary.programs.ping import Ping, parse_ping
from handfast.boundary.programs.traceroute import Traceroute, parse_traceroute
from handfast.boundary.programs.whois import Whois, parse_whois
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


class CommandFields(Protocol):
    """The typed fields of one program."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments, or raises CommandRefused."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the boundary allowed. Only `build_command` and `authorize_argv` make one."""

    program: str
    """The program's bare name; a sandbox finds it in the system's own directories."""
    args: tuple[str, ...]
    """The arguments, without the program."""
    seconds: float
    """Wall time after which it is killed with everything that it started."""
    network: bool = True
    """Whether it needs the network."""

    @property
    def argv(self) -> tuple[str, ...]:
        """The whole argument vector."""
        return (self.program, *self.args)


@dataclass(frozen=True, slots=True)
class _Program:
    name: str
    parse: Callable[[Sequence[str]], CommandFields]
    seconds: float


_PROGRAMS: Mapping[type, _Program] = {
    Nmap: _Program("nmap", parse_nmap, 600.0),
    Curl: _Program("curl", parse_curl, 150.0),
    Dig: _Program("dig", parse_dig, 60.0),
    Host: _Program("host", parse_host, 60.0),
    Nslookup: _Program("nslookup", parse_nslookup, 60.0),
    Whois: _Program("whois", parse_whois, 60.0),
    OpensslClient: _Program("openssl", parse_openssl, 30.0),
    Ping: _Program("ping", parse_ping, 150.0),
    Traceroute: _Program("traceroute", parse_traceroute, 150.0),
}
_BY_NAME = {program.name: program for program in _PROGRAMS.values()}

PROGRAMS = frozenset(_BY_NAME)
"""The names of the programs that may be run."""


def build_command(fields: CommandFields, scope: Scope) -> Command:
    """Makes a command from typed fields.

    Args:
        fields: For example `Ping("app.example.org", count=3)`.
        scope: What may be touched.

    Raises:
        CommandRefused: A field asks for something out of scope or out of its limits.
    """
    program = _PROGRAMS.get(type(fields))
    if program is None:
        raise CommandRefused(f"{type(fields).__name__} is not a program that may be run")
    return _command(program, fields, scope)


def authorize_argv(program: str, args: Sequence[str], scope: Scope) -> Command:
    """Reads an argument vector that somebody else wrote, and builds the command anew.

    Args:
        program: The program's bare name.
        args: The arguments as for `execve`, without the program.
        scope: What may be touched.

    Returns:
        The command; its arguments mean what was asked but need not be spelled the same.

    Raises:
        CommandRefused: The program is not on the list, or the vector is not wholly understood, or
            asks for something out of scope.
    """
    known = _BY_NAME.get(program)
    if known is None:
        names = ", ".join(sorted(PROGRAMS))
        raise CommandRefused(f"{program!r} is not a program that may be run; these are: {names}")
    return _command(known, known.parse(args), scope)


def _command(program: _Program, fields: CommandFields, scope: Scope) -> Command:
    args = fields.argv(scope)
    for argument in args:
        if not argument.isascii() or not argument.isprintable() or len(argument) > MAX_ARGUMENT:
            raise CommandRefused(f"{program.name}: an argument is too long or not printable ASCII")
    return Command(program.name, args, min(program.seconds, scope.budget.seconds))
