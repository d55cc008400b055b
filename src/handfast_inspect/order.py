"""`Order`: what is to be inspected, under which scope, and with what."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from handfast import Model, Scope, ScopeError, UserError, normalise_host
from handfast.network.connect import Deadlines
from handfast.network.resolver import ResolverLimits
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.findings.inspection_record import ScopeStatement
from handfast_inspect.probes.probe import Target
from handfast_inspect.report.wording import Lang

_CLASSES = (
    ("passive", ProbeClass.PASSIVE),
    ("read", ProbeClass.READ),
    ("consent", ProbeClass.CONSENT),
)

_HTTP: Final = 80
_HTTPS: Final = 443
_ALTERNATIVES: Final = 8_000
"""What the usual alternatives of web ports lie above them: 8080, 8443."""
_THOUSAND: Final = 1_000
_SHOWN: Final = 5
_PORTS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Order:
    """One inspection to be made."""

    target: str
    """A name or an address, as a person wrote it."""
    scope: Scope
    scope_text: str
    """The scope file as it stands, for the report's digest."""
    model: Model | None = None
    """Leads a team of agents; None runs the fixed workflow."""
    trust: Path | None = None
    """A PEM file of trust anchors in place of the system's."""
    use_nmap: bool = False
    """Whether the real nmap is run too, where it is installed and consent was given."""
    dkim_selectors: tuple[str, ...] = ()
    http_port: int | None = None
    """Where plain HTTP is spoken; None takes the likeliest port of the scope."""
    https_port: int | None = None
    lang: Lang = "en"
    """Language of the team's prose."""
    deadlines: Deadlines = field(default_factory=Deadlines)
    """How long each conversation with the target may last."""
    dns_limits: ResolverLimits = field(default_factory=ResolverLimits)
    """How long each question to the DNS may last."""


def target_of(order: Order) -> Target:
    """The host to inspect, with the web ports that the scope grants for it.

    Raises:
        ScopeError: The target is not in the scope; the message names what is.
        UserError: It is no host name and no address, or a port is none.
    """
    host = _host(order.target)
    for port in (order.http_port, order.https_port):
        if port is not None and not 0 < port < _PORTS:
            raise UserError(f"{port} is no port: give a number from 1 to 65535.")
    scope = order.scope
    if not scope.ports_of(host):
        names = [str(target) for target in scope.targets]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        raise ScopeError(
            f"{host} is not in the scope, which covers {', '.join(names[:_SHOWN])}{more}. Add it "
            "to the scope file if its owner allowed it.",
        )
    return Target(
        host=host,
        http_port=order.http_port or _likeliest(scope, host, _HTTP),
        https_port=order.https_port or _likeliest(scope, host, _HTTPS),
        dkim_selectors=order.dkim_selectors,
    )


def granted_classes(scope: Scope) -> frozenset[ProbeClass]:
    """The classes of probe that the scope grants."""
    return frozenset(kind for name, kind in _CLASSES if name in scope.probes)


def statement_of(order: Order) -> ScopeStatement:
    """The authorisation as the report repeats it."""
    scope = order.scope
    given = scope.authorisation
    ends = given.valid_until
    return ScopeStatement(
        authorized_by=f"{given.by} ({given.contact})",
        reference=given.reference,
        valid_until=None if ends is None else datetime.combine(ends, time.max, UTC),
        targets=tuple(str(target) for target in scope.targets),
        classes=tuple(kind.value for name, kind in _CLASSES if name in scope.probes),
        rate=f"{scope.rate.requests_per_second:g} requests/s, {scope.rate.concurrency} at once",
        digest=hashlib.sha256(order.scope_text.encode()).hexdigest(),
    )


def _host(text: str) -> str:
    """The one spelling of a host."""
    try:
        return str(normalise_host(text.strip()))
    except ValueError as error:
        inner = _host_in(text)
        example = f"give the name alone: {inner}" if inner else "give a name such as example.org"
        raise UserError(
            f"The target is no host ({error}): {example}, or an address; no scheme, port or path.",
        ) from None


def _host_in(url: str) -> str:
    try:
        return urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""


def _likeliest(scope: Scope, host: str, usual: int) -> int:
    """The granted port on which a protocol is most likely spoken, the usual one if none is."""
    for port in (usual, usual + _ALTERNATIVES):
        if scope.covers_port(host, port):
            return port
    single = (low for ports in scope.ports_of(host) for low, high in ports.ranges if low == high)
    return next((port for port in single if port % _THOUSAND == usual), usual)
