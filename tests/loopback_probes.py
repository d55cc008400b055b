"""What a probe is given, on loopback, and a short way to run one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from handfast.boundary.egress import EgressGuard
from handfast.network.connect import Deadlines
from handfast.network.http import GuardedClient
from handfast.network.pace import Pace
from handfast.network.resolver import DnsResolver, ResolverLimits
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.notes import ProbeResult
from handfast_inspect.probes.probe import Look, Probe, ProbeContext, Target, run_probe
from loopback_dns import DnsServer
from loopback_tcp import loopback_scope
from loopback_tls import loopback_tls

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUICK = Deadlines(connect=1, handshake=1, read=0.3, total=1.5)
QUICK_DNS = ResolverLimits(attempt_seconds=0.2, total_seconds=0.4, rounds=1)
SITE = Target("site.test")


def context_for(
    dns: DnsServer,
    *,
    probes: Sequence[str] = ("passive", "read", "consent"),
    ports: Sequence[int] = (),
    server_in_scope: bool = True,
    requests: int = 2000,
    deadlines: Deadlines = QUICK,
) -> ProbeContext:
    """A context in which site.test and everything below it is in scope."""
    servers = [f"127.0.0.1:{dns.address.port}"] if server_in_scope else []
    scope = loopback_scope(*ports, probes=probes, name_servers=servers, requests=requests)
    resolver = DnsResolver([dns.address], QUICK_DNS)
    guard = EgressGuard(scope, resolver)
    pace = Pace.of(scope)
    trust = loopback_tls().trust
    return ProbeContext(
        guard=guard,
        resolver=resolver,
        client=GuardedClient(guard, pace, deadlines=deadlines, trust=trust),
        pace=pace,
        deadlines=deadlines,
        trust=trust,
        now=lambda: NOON,
        random_label=lambda: "no-such-label",
    )


def site_on(*, http: int = 80, https: int = 443, ports: tuple[int, ...] = ()) -> Target:
    """site.test with its doors on these ports."""
    return replace(SITE, http_port=http, https_port=https, ports=ports)


async def look(
    what: Look, context: ProbeContext, target: Target = SITE, deadline: float = 20
) -> ProbeResult:
    """Runs one look as a probe."""
    probe = Probe("test.probe", "a test", ProbeClass.PASSIVE, what, ("test.rule",), deadline)
    result = await run_probe(probe, target, context)
    ids = {evidence.id for evidence in result.evidence}
    for name in result.facts.__slots__:
        for fact in getattr(result.facts, name):
            assert set(fact.evidence) <= ids, f"{fact} cites evidence that was not kept"
    return result


def reasons(result: ProbeResult) -> str:
    """Every gap's reason, for a look at all of them."""
    return "\n".join(gap.reason for gap in result.facts.gaps)
