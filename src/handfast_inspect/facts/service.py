"""Service facts: open ports, banners, STARTTLS, SSH algorithms and products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handfast_inspect.facts.asset import Asset


@dataclass(frozen=True, slots=True)
class PortScanFact:
    """Which ports of one address were tried, and how each answered."""

    asset: Asset
    evidence: tuple[str, ...]
    open: tuple[int, ...]
    closed: tuple[int, ...] = ()
    filtered: tuple[int, ...] = ()
    """No answer in time."""


@dataclass(frozen=True, slots=True)
class ServiceFact:
    """What answers on one open port."""

    asset: Asset
    evidence: tuple[str, ...]
    protocol: str
    """Lower case guess: http, ssh, smtp, ftp, pop3, imap, telnet, redis, mysql, postgresql,
    mongodb, elasticsearch, memcached, docker, kubernetes, vnc, rdp, smb …; empty when unknown."""
    banner: str = ""
    """At most 512 characters of the greeting, as sent."""
    product: str = ""
    version: str = ""
    tls: bool | None = None
    """Whether the port speaks TLS from the first byte."""
    unauthenticated: bool | None = None
    """True when the greeting alone shows that no login is asked for; None when it does not tell."""


@dataclass(frozen=True, slots=True)
class StartTlsFact:
    """Whether one SMTP, FTP, POP3 or IMAP service offers STARTTLS before a login."""

    asset: Asset
    evidence: tuple[str, ...]
    protocol: Literal["smtp", "ftp", "pop3", "imap"]
    offered: bool
    is_mx: bool = False
    """The host is an MX of the domain under inspection."""
    certificate_valid: bool | None = None
    """Chain, dates and name; None when the handshake was not made."""
    certificate_error: str = ""


@dataclass(frozen=True, slots=True)
class SshFact:
    """The SSH identification line and the algorithms of its KEXINIT (RFC 4253)."""

    asset: Asset
    evidence: tuple[str, ...]
    identification: str
    """`SSH-2.0-OpenSSH_9.6`, as sent."""
    key_exchange: tuple[str, ...] = ()
    host_keys: tuple[str, ...] = ()
    ciphers: tuple[str, ...] = ()
    macs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProductFact:
    """A product and version that a target names itself."""

    asset: Asset
    evidence: tuple[str, ...]
    product: str
    """Lower case: nginx, apache, php, openssh, wordpress …"""
    version: str
    source: str
    """Where it was read: "Server header", "SSH identification", "generator meta element"."""
