"""nmap in place of our own scan, where it is installed and wanted: versions of what listens.

The command is built by the boundary from typed fields and runs in a sandbox; its report is read as
hostile data. nmap looks names up by itself, so it is given the address that the boundary admitted,
where the scope names that too. Without nmap the connect scan of `services` says which ports are
open all the same.
"""

from __future__ import annotations

from typing import Final

from handfast import Nmap, build_command
from handfast.errors import CommandRefused, ToolError
from handfast.sandboxes.process import ProcessResult
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.service import PortScanFact, ServiceFact
from handfast_inspect.probes.nmap_xml import NmapPort, NmapReport, read_nmap
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.services import SERVICE_RULES, ports_to_try

HOST_MILLISECONDS: Final = 240_000
"""What nmap may spend on the host before it gives up and reports what it has."""

_SAME: Final = {
    "ms-wbt-server": "rdp",
    "microsoft-ds": "smb",
    "netbios-ssn": "smb",
    "domain": "dns",
}
"""nmap's names for what is called otherwise here."""


async def look_with_nmap(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Runs nmap over the granted ports."""
    sandbox, scope = context.sandbox, context.scope
    ports = ports_to_try(target, context)
    if sandbox is None or scope is None or not ports:
        reason = "nmap was not asked for" if ports else "none of the usual ports is in scope"
        notes.gap(target.asset, SERVICE_RULES, reason)
        return
    admission = await context.guard.admit_host(target.host, ports[0])
    if not scope.covers_address(admission.address):
        reason = f"nmap would look {target.host} up again; name {admission.address} in the scope"
        notes.gap(target.asset, SERVICE_RULES, reason)
        return
    address = str(admission.address)
    ports = tuple(port for port in ports if scope.covers_port(address, port))
    try:
        command = build_command(_fields(address, ports, scope.rate.requests_per_second), scope)
        result = await sandbox.run(command)
    except (CommandRefused, ToolError) as error:
        notes.gap(target.asset, SERVICE_RULES, f"nmap was not run: {error}")
        return
    report = read_nmap(result.stdout)
    if report.error or result.stopped or result.exit_code != 0 or not report.ports:
        words = report.error or f"{result.summary}, {len(report.ports)} ports reported"
        notes.gap(target.asset, SERVICE_RULES, f"nmap did not end well: {words}", "error")
    _write_down(target, notes, report, result, " ".join(command.argv))


def _fields(address: str, ports: tuple[int, ...], rate: float) -> Nmap:
    return Nmap(
        targets=(address,),
        ports=",".join(map(str, sorted(ports))),
        technique=("connect",),
        detect_versions=True,
        assume_up=True,
        counts=(("max_retries", 1), ("max_rate", max(1, min(int(rate), 1000)))),
        times=(("host_timeout", HOST_MILLISECONDS),),
        ipv6=":" in address,
        output="xml",
        flags=frozenset({"no_dns", "unprivileged", "noninteractive", "no_stylesheet"}),
    )


def _write_down(
    target: Target, notes: Notes, report: NmapReport, result: ProcessResult, line: str
) -> None:
    if not report.ports:
        return
    asset = Asset(target.host, report.ports[0].address or None)
    evidence = notes.prove(asset, f"nmap: {result.summary}", result.stdout, reproduce=line)
    for port in report.ports:
        if port.state == "open":
            notes.fact(_service(target, port, evidence))
    notes.fact(
        PortScanFact(
            asset,
            evidence,
            _with_state(report, "open"),
            _with_state(report, "closed"),
            _with_state(report, "filtered"),
        )
    )


def _service(target: Target, port: NmapPort, evidence: tuple[str, ...]) -> ServiceFact:
    return ServiceFact(
        asset=Asset(target.host, port.address or None, port.port),
        evidence=evidence,
        protocol=_SAME.get(port.service, port.service),
        product=port.product,
        version=port.version,
        tls=True if port.tls else None,
    )


def _with_state(report: NmapReport, state: str) -> tuple[int, ...]:
    return tuple(sorted({port.port for port in report.ports if port.state == state}))
