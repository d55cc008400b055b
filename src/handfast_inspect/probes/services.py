"""What listens on the granted ports: a connect scan, greetings, STARTTLS, SSH algorithms."""

from __future__ import annotations

from typing import Final

from handfast import Admission
from handfast.errors import EgressDenied
from handfast.network.connect import Deadlines, open_connection
from handfast.network.failure import Failure
from handfast.network.ports import SCAN_DEADLINES, PortResult, PortState, scan
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.service import PortScanFact, ServiceFact, SshFact
from handfast_inspect.probes.greetings import Service, recognise, shown
from handfast_inspect.probes.lookup import mail_hosts
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.port_names import TOP_PORTS
from handfast_inspect.probes.probe import NO_VALUE, ProbeContext, Target
from handfast_inspect.probes.reproduce import netcat_line
from handfast_inspect.probes.ssh_kexinit import MAX_HELLO, read_hello
from handfast_inspect.probes.starttls import clear_protocol, look_at_starttls

SERVICE_RULES: Final = ("svc.admin", "svc.clear", "svc.ssh", "svc.inventory")
"""What stays untested without a scan; mail exchangers have a probe of their own."""

MAX_NAMED_PORTS: Final = 256
"""Ports that a scope may name one by one to have them tried besides the usual ones."""

MAX_MAIL_HOSTS: Final = 10
MAX_MAIL_PORTS: Final = 4

_SMTP: Final = 25


async def look_at_services(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Tries the granted ports and looks at what answers."""
    ports = ports_to_try(target, context)
    if not ports:
        notes.gap(target.asset, SERVICE_RULES, "none of the usual ports is in scope")
        return
    results: list[PortResult] = []
    deadlines = _scan_deadlines(context)
    async for result in scan(context.guard, context.pace, target.host, ports, deadlines):
        results.append(result)
        if result.state is PortState.OPEN:
            await _look_at_service(target, context, notes, result)
    _note_scan(target, notes, results)


async def look_at_mail_exchangers(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks each mail exchanger of a domain, as far as it is in scope, for STARTTLS (RFC 3207)."""
    mx = await context.query(target.host, "MX")
    hosts = mail_hosts(mx)
    if not hosts:
        reason = "the domain has no mail exchanger" if mx.spoken else "MX was not answered"
        notes.gap(target.asset, ("svc.smtp",), reason)
    for host in hosts[:MAX_MAIL_HOSTS]:
        await _look_at_mail_exchanger(context, notes, host)


def ports_to_try(target: Target, context: ProbeContext) -> tuple[int, ...]:
    """The ports of a scan: those asked for, or the usual and the named ones, within the scope."""
    scope = context.scope
    if scope is None:
        return target.ports
    named = [
        port
        for ports in scope.ports_of(target.host)
        for low, high in ports.ranges
        for port in range(low, high + 1)
        if high - low < MAX_NAMED_PORTS
    ]
    wanted = target.ports or (*TOP_PORTS, *named[:MAX_NAMED_PORTS])
    granted = (port for port in wanted if scope.covers_port(target.host, port))
    return tuple(dict.fromkeys(granted))


def _scan_deadlines(context: ProbeContext) -> Deadlines:
    """The scan's own, or the context's where those are stricter."""
    limits = context.deadlines
    return Deadlines(
        connect=min(limits.connect, SCAN_DEADLINES.connect),
        read=min(limits.read, SCAN_DEADLINES.read),
        total=min(limits.total, SCAN_DEADLINES.total),
    )


async def _look_at_service(
    target: Target, context: ProbeContext, notes: Notes, result: PortResult
) -> None:
    asset = Asset(target.host, result.address, result.port)
    service = recognise(result.port, result.banner)
    evidence = notes.prove(
        asset,
        f"port {result.port} is open: {service.protocol or 'unknown'}",
        result.banner,
        reproduce=netcat_line(target.host, result.port),
    )
    notes.fact(_service_fact(asset, evidence, service, result.banner))
    protocol = clear_protocol(service.protocol)
    if protocol is not None:
        admission = await context.guard.admit_host(target.host, result.port)
        await look_at_starttls(context, notes, admission, protocol, is_mx=False)
    elif service.protocol == "ssh":
        admission = await context.guard.admit_host(target.host, result.port)
        await _look_at_ssh(context, notes, admission, asset)


def _service_fact(
    asset: Asset, evidence: tuple[str, ...], service: Service, banner: bytes
) -> ServiceFact:
    return ServiceFact(
        asset=asset,
        evidence=evidence,
        protocol=service.protocol,
        banner=shown(banner),
        product=service.product,
        version=service.version,
        tls=False if banner else None,
        unauthenticated=service.unauthenticated,
    )


async def _look_at_ssh(
    context: ProbeContext, notes: Notes, admission: Admission, asset: Asset
) -> None:
    """Exchanges identification lines and reads the server's algorithms; no key is agreed."""
    async with (
        context.pace.request(admission.host),
        open_connection(admission, context.deadlines) as connection,
    ):
        if isinstance(connection, Failure):
            notes.gap(asset, ("svc.ssh",), str(connection), "error")
            return
        await connection.send(f"SSH-2.0-{NO_VALUE.replace('-', '_')}\r\n".encode())
        received = await connection.receive(MAX_HELLO, lambda data: read_hello(data).complete)
    context.pace.receive(len(received.data))
    hello = read_hello(received.data)
    if not hello.identification:
        notes.gap(asset, ("svc.ssh",), "no SSH identification came", "error")
        return
    evidence = notes.prove(
        asset,
        f"SSH identification and algorithms on port {admission.port}",
        received.data,
        reproduce=netcat_line(admission.host, admission.port),
    )
    notes.fact(
        SshFact(
            asset=asset,
            evidence=evidence,
            identification=hello.identification,
            key_exchange=hello.key_exchange,
            host_keys=hello.host_keys,
            ciphers=hello.ciphers,
            macs=hello.macs,
        )
    )


def _note_scan(target: Target, notes: Notes, results: list[PortResult]) -> None:
    by_state: dict[PortState, list[int]] = {state: [] for state in PortState}
    for result in results:
        by_state[result.state].append(result.port)
    denied = by_state[PortState.DENIED]
    tried = [result for result in results if result.state is not PortState.DENIED]
    if denied:
        reason = next(result.detail for result in results if result.state is PortState.DENIED)
        notes.gap(target.asset, SERVICE_RULES, f"{len(denied)} ports were not tried: {reason}")
    if not tried:
        return
    asset = Asset(target.host, next((result.address for result in tried), None))
    lines = "\n".join(
        f"{result.port}/tcp {result.state}" for result in sorted(tried, key=lambda item: item.port)
    )
    evidence = notes.prove(asset, f"{len(tried)} ports tried", lines.encode())
    notes.fact(
        PortScanFact(
            asset,
            evidence,
            tuple(sorted(by_state[PortState.OPEN])),
            tuple(sorted(by_state[PortState.CLOSED])),
            tuple(sorted(by_state[PortState.FILTERED])),
        )
    )


async def _look_at_mail_exchanger(context: ProbeContext, notes: Notes, host: str) -> None:
    """On port 25, or on the ports that the scope names where that is not among them."""
    scope = context.scope
    ports: list[int] = [_SMTP]
    if scope is not None and not scope.covers_port(host, _SMTP):
        ranges = [item for found in scope.ports_of(host) for item in found.ranges]
        ports = [low for low, high in ranges if low == high][:MAX_MAIL_PORTS] or ports
    for port in ports:
        try:
            admission = await context.guard.admit_host(host, port)
        except EgressDenied as error:
            notes.gap(Asset(host), ("svc.smtp",), f"{host}: {error.reason}")
            continue
        await look_at_starttls(context, notes, admission, "smtp", is_mx=True)
