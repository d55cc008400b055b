"""The inspection: from an order to a record, with a team or without, and never with empty hands."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

from handfast import AuditSink, EgressGuard, HandfastError, UserError
from handfast.network.answer import DnsStatus
from handfast.network.http import GuardedClient
from handfast.network.nameserver import Nameserver
from handfast.network.pace import Pace
from handfast.network.resolver import DnsResolver, system_nameservers
from handfast_inspect.findings.inspection_record import (
    Inspection,
    Mode,
    seal_inspection,
)
from handfast_inspect.findings.store import FindingStore
from handfast_inspect.gathering import Gathering
from handfast_inspect.order import Order, granted_classes, statement_of, target_of
from handfast_inspect.probes.catalog import CATALOG
from handfast_inspect.probes.notes import utc_now
from handfast_inspect.probes.probe import Probe, ProbeContext
from handfast_inspect.progress import Degraded, Tell
from handfast_inspect.rules.catalog import RULE_SET_VERSION
from handfast_inspect.rules.scoring import grade_sites
from handfast_inspect.team import TeamWork, run_team

INTERRUPTED: Final = "interrupted by a person; what had been seen until then was judged"


@dataclass(slots=True)
class _Course:
    """How the inspection goes; filled while it does."""

    mode: Mode
    reason: str = ""
    work: TeamWork = field(default_factory=TeamWork)


async def inspect(
    order: Order,
    tell: Tell,
    *,
    stop: asyncio.Event | None = None,
    audit: AuditSink | None = None,
) -> Inspection:
    """Make one inspection.

    Args:
        order: What to inspect and how.
        tell: Is told of each step.
        stop: Ends the inspection early when set; what was seen by then is judged and returned.
        audit: Where verdicts and connections are written.

    Returns:
        The sealed record, ready for reports.

    Raises:
        ScopeError: The target is outside the scope.
        UserError: The target is no host, is unknown to the DNS, or no name server answers.
    """
    target = target_of(order)
    started = datetime.now(UTC)
    pace = Pace.of(order.scope)
    context = _context(order, pace, audit)
    await _require_known(context, target.host)
    gathering = Gathering(target, context, granted_classes(order.scope), tell)
    course = await _run(order, gathering, tell, stop or asyncio.Event(), audit)
    checks = FindingStore(gathering.judged()).checks
    return seal_inspection(
        Inspection(
            tool=f"handfast {version('handfast')}",
            rule_set=RULE_SET_VERSION,
            target=target.host,
            scope=statement_of(order),
            started=started,
            ended=datetime.now(UTC),
            mode=course.mode,
            mode_reason=course.reason,
            requests_sent=pace.started,
            budget=(
                ("requests", f"{pace.started} of {order.scope.budget.requests}"),
                ("bytes", f"{pace.received} of {order.scope.budget.bytes}"),
            ),
            evidence=gathering.evidence,
            checks=checks,
            grades=grade_sites(gathering.facts, utc_now()),
            sections=tuple(course.work.sections),
        ),
    )


def _context(order: Order, pace: Pace, audit: AuditSink | None) -> ProbeContext:
    scope = order.scope
    servers = [Nameserver(str(each.address), each.port) for each in scope.name_servers[:1]]
    resolver = DnsResolver(servers or system_nameservers())
    guard = EgressGuard(scope, resolver, audit=audit)
    client = GuardedClient(guard, pace, trust=order.trust)
    return ProbeContext(guard, resolver, client, pace, trust=order.trust)


async def _require_known(context: ProbeContext, host: str) -> None:
    """Refuse a name that does not exist before anything is judged of it."""
    answer = await context.query(host, "SOA")
    if answer.status is DnsStatus.NXDOMAIN:
        raise UserError(f"The DNS knows no {host}: check the spelling of the target.")
    if not answer.spoken:
        servers = ", ".join(f"{s.address}:{s.port}" for s in context.resolver.nameservers)
        raise UserError(
            f"No name server answers ({servers}): check the network, or name a server in the "
            "scope file (name_servers).",
        )


def _probes(order: Order) -> tuple[Probe, ...]:
    granted = granted_classes(order.scope)
    return tuple(
        probe
        for probe in CATALOG
        if probe.probe_class in granted and (order.use_nmap or not probe.id.endswith("nmap"))
    )


async def _run(
    order: Order,
    gathering: Gathering,
    tell: Tell,
    stop: asyncio.Event,
    audit: AuditSink | None,
) -> _Course:
    """Look until all is seen, the scope's time is used up, or a person says stop."""
    course = _Course(Mode.WORKFLOW if order.model is None else Mode.TEAM)
    looking = asyncio.ensure_future(_look(order, gathering, tell, course, audit))
    stopping = asyncio.ensure_future(stop.wait())
    done, _ = await asyncio.wait(
        {looking, stopping},
        timeout=order.scope.budget.seconds,
        return_when=asyncio.FIRST_COMPLETED,
    )
    if looking not in done:
        spent = f"the scope's {order.scope.budget.seconds:g} seconds were used up"
        course.reason = INTERRUPTED if stopping in done else spent
    for task in (looking, stopping):
        task.cancel()
    await asyncio.gather(looking, stopping, return_exceptions=True)
    await gathering.stop()
    if looking in done:
        looking.result()
    return course


async def _look(
    order: Order,
    gathering: Gathering,
    tell: Tell,
    course: _Course,
    audit: AuditSink | None,
) -> None:
    if order.model is not None:
        try:
            await run_team(gathering, order.model, tell, course.work, lang=order.lang, audit=audit)
        except HandfastError as error:
            course.mode = Mode.DEGRADED
            course.reason = f"the team could not go on ({type(error).__name__}: {error})"
            tell(Degraded(course.reason))
    # What the team did not choose to look at is looked at now: the findings are the same.
    await gathering.look_at_all(_probes(order))
