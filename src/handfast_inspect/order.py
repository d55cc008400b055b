"""`Order`: what is to be inspected, under which scope, and with what."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path

from handfast import Model, Scope, ScopeError, UserError
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.findings.inspection_record import ScopeStatement
from handfast_inspect.probes.probe import TOP_PORTS, Target

_CLASSES = (
    ("passive", ProbeClass.PASSIVE),
    ("read", ProbeClass.READ),
    ("consent", ProbeClass.CONSENT),
)

_HTTP_PORTS = (80, 8080)
_HTTPS_PORTS = (443, 8443)
_HTTP_LIKE = 80
_HTTPS_LIKE = 443
_THOUSAND = 1_000
_WIDE_RANGE = 100


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
    lang: str = "en"
    """Language of the team's prose: `en` or `zh`."""


def target_of(order: Order) -> Target:
    """The host to inspect, with the ports that the scope grants for it.

    Raises:
        ScopeError: The target is not in the scope; the message names what is.
        UserError: It is no host name and no address.
    """
    host = order.target.strip().rstrip(".").lower()
    if not host or any(character.isspace() or character in "/@?#\\" for character in host):
        raise UserError(
            f"{order.target!r} is no host: give a name such as example.org, or an address; "
            "no scheme, port or path.",
        )
    scope = order.scope
    if not (scope.covers_name(host) or scope.covers_address(host)):
        raise ScopeError(
            f"{order.target} is not in the scope. It covers: "
            f"{', '.join(str(target) for target in scope.targets)}. Add the target to the scope "
            "file if its owner allowed it.",
        )
    ports = tuple(_every_port(scope, host))
    return Target(
        host=host,
        http_port=order.http_port or _likeliest(ports, _HTTP_PORTS, _HTTP_LIKE),
        https_port=order.https_port or _likeliest(ports, _HTTPS_PORTS, _HTTPS_LIKE),
        ports=ports or TOP_PORTS,
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


def _every_port(scope: Scope, host: str) -> Sequence[int]:
    """The ports that the scope grants for the host; of a wide range only the well-known ones."""
    ranges = [span for ports in scope.ports_of(host) for span in ports.ranges]
    narrow = {
        port for low, high in ranges if high - low < _WIDE_RANGE for port in range(low, high + 1)
    }
    return sorted(narrow | {port for port in TOP_PORTS if scope.covers_port(host, port)})


def _likeliest(ports: Sequence[int], usual: Sequence[int], like: int) -> int:
    """The port on which a protocol is most likely spoken: a usual one, or one like it."""
    for port in usual:
        if port in ports:
            return port
    alike = (port for port in ports if port % _THOUSAND == like)
    return next(alike, usual[0])
