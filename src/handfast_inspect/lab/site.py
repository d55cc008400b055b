"""The sites of the laboratory and the findings expected on each: the answer key's types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

DOMAIN: Final = "lab.example"
"""The domain under which every site in scope stands (`.example` is reserved, RFC 2606)."""

OUTSIDE: Final = "outside.example"
"""The one site that is never in scope: a connection to it is a trespass."""

FOUND_EVERYWHERE: Final = frozenset({"dns.private"})
"""Rules that find something at every site: the laboratory's DNS names loopback addresses."""

Severity = Literal["critical", "high", "medium", "low", "info"]


class ServiceKind(StrEnum):
    """What a port of the laboratory speaks, by the protocol's usual name."""

    DNS = "dns"
    HTTP = "http"
    HTTPS = "https"
    SMTP = "smtp"
    FTP = "ftp"
    POP3 = "pop3"
    IMAP = "imap"
    SSH = "ssh"
    TELNET = "telnet"
    REDIS = "redis"


STANDARD_PORTS: Final[Mapping[ServiceKind, int]] = {
    ServiceKind.DNS: 53,
    ServiceKind.HTTP: 80,
    ServiceKind.HTTPS: 443,
    ServiceKind.SMTP: 25,
    ServiceKind.FTP: 21,
    ServiceKind.POP3: 110,
    ServiceKind.IMAP: 143,
    ServiceKind.SSH: 22,
    ServiceKind.TELNET: 23,
    ServiceKind.REDIS: 6379,
}
"""The port that IANA gave each kind; the laboratory adds its base port to it.

Any two differ modulo 1,000, so that hosts which share an address can be 1,000 ports apart.
"""


@dataclass(frozen=True, slots=True)
class Service:
    """One port on which a site listens."""

    kind: ServiceKind
    port: int


@dataclass(frozen=True, slots=True)
class Expected:
    """A finding that an inspection of a site must yield."""

    rule: str
    """The rule's id: `tls.cert.invalid`."""
    severity: Severity


@dataclass(frozen=True, slots=True)
class Site:
    """One named host of a running laboratory."""

    name: str
    """The DNS name, without the final dot."""
    description: str
    """What is right or wrong with it, in one line."""
    address: str
    """The loopback address on which it listens; empty for a name that exists in DNS only."""
    services: tuple[Service, ...] = ()
    expected: tuple[Expected, ...] = ()
    """The answer key: what must be found."""
    exact: bool = False
    """Nothing else above `info` may be found, but what is `FOUND_EVERYWHERE`: it would be a false
    alarm."""
    in_scope: bool = True
    aliases: tuple[str, ...] = ()
    """Other names of the same host."""

    def port(self, kind: ServiceKind) -> int | None:
        """Finds the port of one service; None where the site has none of that kind."""
        for service in self.services:
            if service.kind is kind:
                return service.port
        return None


@dataclass(frozen=True, slots=True)
class Visit:
    """One thing that a visitor did: a connection, or a request on one."""

    site: str
    kind: ServiceKind
    what: str
    """`connect`, or the request line of an HTTP request, or a command, at most 200 characters."""
