from __future__ import annotations

from dataclasses import replace

import pytest

from handfast import Command, EgressGuard
from handfast.errors import ToolError
from handfast.sandboxes.process import ProcessResult
from handfast.sandboxes.sandbox import PlainSandbox
from handfast_inspect.probes.nmap import look_with_nmap
from handfast_inspect.probes.notes import ProbeResult
from handfast_inspect.probes.probe import Target
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons, site_on
from loopback_tcp import loopback_scope, says, tcp_server

REPORT = b"""<nmaprun><host><address addr="127.0.0.1" addrtype="ipv4"/><ports>
<port protocol="tcp" portid="22"><state state="open"/>
<service name="ssh" product="OpenSSH" version="9.6"/></port>
<port protocol="tcp" portid="445"><state state="open"/><service name="microsoft-ds"/></port>
<port protocol="tcp" portid="80"><state state="filtered"/></port></ports></host></nmaprun>"""


class Recorder:
    """A sandbox that runs nothing and says what it is told."""

    isolated = True

    def __init__(self, result: ProcessResult | ToolError) -> None:
        self.result = result
        self.commands: list[Command] = []

    async def run(self, command: Command) -> ProcessResult:
        self.commands.append(command)
        if isinstance(self.result, ToolError):
            raise self.result
        return self.result


async def scanned(
    zone: DnsServer, sandbox: Recorder | PlainSandbox, target: Target | None = None
) -> ProbeResult:
    context = replace(context_for(zone, ports=[22, 80, 445]), sandbox=sandbox)
    return await look(look_with_nmap, context, target or site_on())


async def test_the_command_names_the_target_and_its_granted_ports_alone(zone: DnsServer) -> None:
    sandbox = Recorder(ProcessResult(0, REPORT, b""))
    result = await scanned(zone, sandbox)
    (command,) = sandbox.commands
    assert command.program == "nmap"
    assert command.args[-2:] == ("--", "127.0.0.1")
    assert command.args[command.args.index("-p") :][:2] == ("-p", "22,80,445")
    assert {"-sT", "-sV", "-Pn", "-n", "--host-timeout"} <= set(command.args)
    assert [(fact.asset.port, fact.protocol) for fact in result.facts.services] == [
        (22, "ssh"),
        (445, "smb"),
    ]
    (scan,) = result.facts.port_scans
    assert (scan.open, scan.closed, scan.filtered) == ((22, 445), (), (80,))
    assert result.evidence[0].reproduce.startswith("nmap ")
    assert result.facts.gaps == ()


async def test_a_scan_that_was_stopped_keeps_what_it_had(zone: DnsServer) -> None:
    half = REPORT[: REPORT.index(b'<port protocol="tcp" portid="445"')]
    result = await scanned(zone, Recorder(ProcessResult(None, half, b"", stopped="timeout")))
    assert [fact.asset.port for fact in result.facts.services] == [22]
    assert "nmap did not end well" in reasons(result)


async def test_nmap_that_is_not_there_is_a_gap(zone: DnsServer) -> None:
    result = await scanned(zone, Recorder(ToolError("nmap is not installed")))
    assert "nmap was not run: nmap is not installed" in reasons(result)
    assert result.facts.port_scans == ()


async def test_a_target_out_of_scope_runs_nothing(zone: DnsServer) -> None:
    sandbox = Recorder(ProcessResult(0, REPORT, b""))
    result = await scanned(zone, sandbox, Target("other.test"))
    assert sandbox.commands == []
    assert "none of the usual ports is in scope" in reasons(result)


async def test_without_a_sandbox_nothing_is_run(zone: DnsServer) -> None:
    result = await look(look_with_nmap, context_for(zone))
    assert reasons(result) == "nmap was not asked for"


@pytest.mark.parametrize("exit_code", [1, 255])
async def test_a_failing_nmap_is_an_error(zone: DnsServer, exit_code: int) -> None:
    result = await scanned(zone, Recorder(ProcessResult(exit_code, b"", b"boom")))
    assert [gap.kind for gap in result.facts.gaps] == ["error"]


async def test_a_name_whose_address_is_not_named_is_left_to_our_own_scan(zone: DnsServer) -> None:
    zone.add("far.site.test 60 A 127.0.0.1")
    context = context_for(zone, ports=[22])
    scope = loopback_scope(22)
    named_only = replace(scope, targets=tuple(t for t in scope.targets if str(t) != "127.0.0.1"))
    sandbox = Recorder(ProcessResult(0, REPORT, b""))
    guard = EgressGuard(named_only, context.resolver)
    result = await look(look_with_nmap, replace(context, guard=guard, sandbox=sandbox))
    assert sandbox.commands == []
    assert "nmap would look site.test up again" in reasons(result)


async def test_a_real_nmap_scans_or_is_said_to_be_missing(zone: DnsServer) -> None:
    async with tcp_server(says(b"SSH-2.0-OpenSSH_9.6\r\n")) as port:
        context = replace(context_for(zone, ports=[port]), sandbox=PlainSandbox())
        result = await look(look_with_nmap, context)
    if "is not installed" in reasons(result):
        assert result.facts.port_scans == ()
    else:
        assert result.facts.port_scans[0].open == (port,)
