"""What a site will be, before it has a port: the types of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from handfast_inspect.lab.conversation import Conversation
from handfast_inspect.lab.site import Expected, ServiceKind
from handfast_inspect.lab.tls import TlsProfile


class DnsRole(StrEnum):
    """How a name server behaves; every one of them knows the same zones."""

    RESOLVER = "resolver"
    """Answers for all zones, whoever serves them."""
    AUTHORITY = "authority"
    """Answers for its own zones, refers to their children and refuses the rest."""
    OPEN = "open"
    """An authority that hands out its whole zone and resolves for everybody."""
    LAME = "lame"
    """Refuses even the zone that is delegated to it."""


@dataclass(frozen=True, slots=True)
class StreamPlan:
    """A port on which a conversation takes place."""

    kind: ServiceKind
    conversation: Conversation
    tls: TlsProfile | None = None
    """Spoken from the first byte."""
    starttls: TlsProfile | None = None
    """Spoken after STARTTLS."""


@dataclass(frozen=True, slots=True)
class SlowTlsPlan:
    """A port whose TLS handshake drips."""

    kind: ServiceKind
    tls: TlsProfile


@dataclass(frozen=True, slots=True)
class DnsPlan:
    """A name server, over UDP and TCP on one port."""

    role: DnsRole
    zones: tuple[str, ...] = ()
    """The zones that it has authority for."""
    kind: ServiceKind = ServiceKind.DNS


ServicePlan: TypeAlias = StreamPlan | SlowTlsPlan | DnsPlan


@dataclass(frozen=True, slots=True)
class SitePlan:
    """One site; see `Site` for the fields of the same name."""

    name: str
    description: str
    services: tuple[ServicePlan, ...] = ()
    expected: tuple[Expected, ...] = ()
    exact: bool = False
    in_scope: bool = True
    aliases: tuple[str, ...] = ()
    far: bool = False
    """Stands in another /24 network than its neighbours."""
