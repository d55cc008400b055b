"""Finding addresses and asking questions, within a deadline, from a known list of name servers.

`DnsResolver` asks name servers over the network and knows nothing else: no search domains, no
hosts file. What it was told it remembers for its own life, which is one run. `SystemResolver` asks
the machine the way every other program does, hosts file included. Both only find; whether an
address may be used is the boundary's word.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handfast.errors import UserError
from handfast.network.answer import DnsAnswer, DnsStatus, Question
from handfast.network.nameserver import Nameserver, ask

MAX_NAMESERVERS: Final = 8
"""Name servers that a resolver keeps; a longer list is cut."""

MAX_REMEMBERED: Final = 4096
"""Answers that a resolver remembers; more are asked for again."""

MAX_PORT: Final = 65535
"""The highest TCP and UDP port."""

RESOLV_CONF: Final = Path("/etc/resolv.conf")
"""Where a POSIX system lists its name servers (resolv.conf(5))."""

_ASK_AGAIN: Final = frozenset({DnsStatus.TIMEOUT, DnsStatus.MALFORMED})


@dataclass(frozen=True, slots=True)
class ResolverLimits:
    """How long a resolver tries."""

    attempt_seconds: float = 2.0
    """The deadline of one question to one server."""
    total_seconds: float = 6.0
    """The deadline of one question to all servers."""
    rounds: int = 2
    """How often the list is gone through."""


class DnsResolver:
    """Asks a fixed list of name servers.

    Args:
        nameservers: Whom to ask, in order of preference.
        limits: How long to try.

    Raises:
        UserError: There is no name server, or one has no IP address.
    """

    def __init__(
        self, nameservers: Sequence[Nameserver], limits: ResolverLimits | None = None
    ) -> None:
        if not nameservers:
            raise UserError("A resolver needs at least one name server: give its IP address.")
        for server in nameservers:
            _check_address(server)
        self.nameservers = tuple(nameservers[:MAX_NAMESERVERS])
        self.limits = limits or ResolverLimits()
        self._remembered: dict[Question, DnsAnswer] = {}

    async def query(self, question: Question) -> DnsAnswer:
        """Asks the servers in turn until one says something about the name.

        Returns:
            The first answer that speaks of the name, else the last that does not; never raises
            for what a server did.
        """
        known = self._remembered.get(question)
        if known is not None:
            return known
        answer = await self._query(question)
        if len(self._remembered) < MAX_REMEMBERED:
            self._remembered[question] = answer
        return answer

    async def _query(self, question: Question) -> DnsAnswer:
        clock = asyncio.get_running_loop().time
        end = clock() + self.limits.total_seconds
        last: DnsAnswer | None = None
        for _ in range(self.limits.rounds):
            for server in self.nameservers:
                seconds = min(self.limits.attempt_seconds, end - clock())
                if seconds <= 0 and last is not None:
                    return last
                last = await ask(question, server, max(seconds, 0.001))
                if last.spoken:
                    return last
            if last is not None and last.status not in _ASK_AGAIN:
                break
        if last is None:
            raise UserError("ResolverLimits.rounds must be 1 or more.")
        return last

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Every address of a host, IPv4 first, in the order of the answers.

        Args:
            host: A name in ASCII form, or an IP address, which is its own answer.

        Returns:
            Addresses in text form; empty where the name has none or nobody answered.
        """
        literal = _literal(host)
        if literal:
            return (literal,)
        answers = await asyncio.gather(
            self.query(Question(host, "A")), self.query(Question(host, "AAAA"))
        )
        found = (
            record.data
            for answer, rtype in zip(answers, ("A", "AAAA"), strict=True)
            for record in answer.of_type(rtype)
        )
        return tuple(dict.fromkeys(found))


class SystemResolver:
    """Asks the operating system, with its hosts file and its own order of sources.

    Args:
        seconds: The deadline of one look-up.
    """

    def __init__(self, seconds: float = 6.0) -> None:
        self.seconds = seconds

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Every address of a host; empty where there is none or nobody answered in time."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self.seconds):
                found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (TimeoutError, OSError, UnicodeError):
            return ()
        return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def system_nameservers(path: Path = RESOLV_CONF) -> tuple[Nameserver, ...]:
    """The name servers of the system; search domains and options are left alone.

    Args:
        path: A file in the form of resolv.conf(5).

    Returns:
        The servers in order; empty where the file cannot be read or names none.
    """
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ()
    servers: list[Nameserver] = []
    for line in text.splitlines()[:100]:
        words = line.split()
        if len(words) > 1 and words[0] == "nameserver" and _literal(words[1]):
            servers.append(Nameserver(words[1]))
    return tuple(servers[:MAX_NAMESERVERS])


def _check_address(server: Nameserver) -> None:
    if not _literal(server.address) or not 0 < server.port <= MAX_PORT:
        message = f"A name server is an IP address and a port from 1 to 65535, not {server}."
        raise UserError(message)


def _literal(host: str) -> str:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ""
