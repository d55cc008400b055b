"""The inspection: from an order to a record, with a team or without, and never with empty hands."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeVar

from handfast import AuditError, AuditSink, EgressGuard, UserError, redact_text
from handfast.network.http import GuardedClient
from handfast.network.pace import Pace
from handfast.network.resolver import DnsResolver
from handfast.sandboxes.sandbox import Sandbox, SandboxWarning, choose_sandbox
from handfast.version import __version__
from handfast_inspect.findings.inspection_record import Inspection, Mode, seal_inspection
from handfast_inspect.findings.store import FindingStore
from handfast_inspect.gathering import Gathering
from handfast_inspect.name_servers import find_resolver
from handfast_inspect.order import Order, granted_classes, statement_of, target_of
from handfast_inspect.probes.catalog import NMAP, PROBES
from handfast_inspect.probes.notes import utc_now
from handfast_inspect.probes.probe import Probe, ProbeContext, Target
from handfast_inspect.progress import Degraded, Tell, Warned
from handfast_inspect.rules.catalog import RULE_SET_VERSION
from handfast_inspect.rules.scoring import grade_sites
from handfast_inspect.team.run import TeamOrder, run_team
from handfast_inspect.team.work import TeamWork

INTERRUPTED: Final = "interrupted by a person; what had been seen until then was judged"

TIME_USED_UP: Final = "the scope's time was used up; what had been seen until then was judged"

START_SECONDS: Final = 60.0
"""How long finding a name server may take."""

TEAM_SHARE: Final = 0.5
"""The team's part of the scope's time; the rest is the workflow's, whatever the model does."""


T = TypeVar("T")


@dataclass(slots=True)
class _Course:
    """How the inspection goes; filled while it does."""

    mode: Mode
    work: TeamWork
    reason: str = ""

    def add_reason(self, reason: str) -> None:
        self.reason = f"{self.reason}; {reason}" if self.reason else reason


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
        audit: Where verdicts and connections are written; nothing is written for an order that
            cannot be carried out.

    Returns:
        The sealed record, ready for reports.

    Raises:
        ScopeError: The target is outside the scope.
        UserError: The target is no host or unknown to the DNS, no name server answers, or `stop`
            was set before anything was looked at.
        AuditError: The audit cannot be begun.
    """
    stop = stop or asyncio.Event()
    target = target_of(order)
    resolver = await _find_resolver(order, target.host, stop)
    started = datetime.now(UTC)
    pace = Pace.of(order.scope)
    guard = EgressGuard(order.scope, resolver, audit=audit)
    client = GuardedClient(guard, pace, deadlines=order.deadlines, trust=order.trust)
    sandbox = await _sandbox(tell) if order.use_nmap else None
    context = ProbeContext(
        guard, resolver, client, pace, order.deadlines, order.trust, sandbox=sandbox
    )
    gathering = Gathering(target, context, granted_classes(order.scope), tell)
    _record_start(audit, order, target, resolver)
    course = await _run(order, gathering, tell, stop, audit)
    inspection = seal_inspection(_inspection(order, gathering, course, started))
    try:
        _record_end(audit, inspection)
    except AuditError as error:
        tell(Warned(f"the end of the inspection is not in the audit: {error}"))
    return inspection


def ended_early(inspection: Inspection) -> bool:
    """True when a person or the clock ended the inspection before all was looked at."""
    return any(words in inspection.mode_reason for words in (INTERRUPTED, TIME_USED_UP))


def planned_probes(order: Order) -> tuple[Probe, ...]:
    """The probes that an order allows, in the order of the catalogue."""
    granted = granted_classes(order.scope)
    probes = (*PROBES, NMAP) if order.use_nmap else PROBES
    return tuple(probe for probe in probes if probe.probe_class in granted)


async def _find_resolver(order: Order, host: str, stop: asyncio.Event) -> DnsResolver:
    found = asyncio.ensure_future(find_resolver(order.scope, host, limits=order.dns_limits))
    if await _until(found, stop, START_SECONDS) != "done":
        raise UserError("The inspection was ended before anything was looked at.")
    return found.result()


async def _sandbox(tell: Tell) -> Sandbox:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", SandboxWarning)
        sandbox = await choose_sandbox()
    for each in said:
        tell(Warned(str(each.message)))
    return sandbox


async def _run(
    order: Order,
    gathering: Gathering,
    tell: Tell,
    stop: asyncio.Event,
    audit: AuditSink | None,
) -> _Course:
    """Look until all is seen, the scope's time is used up, or a person says stop."""
    course = _Course(Mode.WORKFLOW if order.model is None else Mode.TEAM, TeamWork(order.lang))
    looking = asyncio.ensure_future(_look(order, gathering, tell, course, audit))
    try:
        match await _until(looking, stop, order.scope.budget.seconds):
            case "done":
                looking.result()
            case "stopped":
                course.add_reason(INTERRUPTED)
            case "late":
                course.add_reason(TIME_USED_UP)
    finally:
        await gathering.give_up(planned_probes(order), course.reason)
    return course


async def _look(
    order: Order,
    gathering: Gathering,
    tell: Tell,
    course: _Course,
    audit: AuditSink | None,
) -> None:
    probes = planned_probes(order)
    if order.model is not None:
        seconds = order.scope.budget.seconds * TEAM_SHARE
        wanted = TeamOrder(order.model, order.scope, probes, audit)
        trouble = await _trouble_of(run_team(wanted, gathering, course.work, tell), seconds)
        if trouble:
            course.mode = Mode.DEGRADED
            course.add_reason(f"the team could not go on: {trouble}")
            tell(Degraded(course.reason))
    # What the team did not choose to look at is looked at now: the findings are the same.
    await gathering.look_at_all(probes)


async def _trouble_of(team: Coroutine[object, object, None], seconds: float) -> str:
    """Why the team ended early; empty when it came to its own end."""
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            await team
    except TimeoutError as error:
        if deadline.expired():
            return f"it was not done in {seconds:g} s"
        return _words(error)
    except Exception as error:  # noqa: BLE001 - the edge to the model's code: whatever it raises, the workflow finishes
        return _words(error)
    return ""


def _words(error: Exception) -> str:
    return redact_text(f"{type(error).__name__}: {error}".rstrip(": "))[:500]


def _inspection(
    order: Order, gathering: Gathering, course: _Course, started: datetime
) -> Inspection:
    pace, budget = gathering.context.pace, order.scope.budget
    return Inspection(
        tool=f"handfast {__version__}",
        rule_set=RULE_SET_VERSION,
        target=gathering.target.host,
        scope=statement_of(order),
        started=started,
        ended=datetime.now(UTC),
        mode=course.mode,
        mode_reason=course.reason,
        requests_sent=pace.started,
        budget=(
            ("requests", f"{pace.started} of {budget.requests}"),
            ("bytes", f"{pace.received} of {budget.bytes}"),
        ),
        evidence=gathering.evidence,
        checks=FindingStore(gathering.judged()).checks,
        grades=grade_sites(gathering.facts, utc_now()),
        sections=course.work.sections,
    )


async def _until(
    work: asyncio.Future[T],
    stop: asyncio.Event,
    seconds: float,
) -> Literal["done", "stopped", "late"]:
    """Wait for work, for a person, or for the clock; work that is not done is cancelled."""
    stopping = asyncio.ensure_future(stop.wait())
    both: set[asyncio.Future[Any]] = {work, stopping}
    try:
        done, _ = await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        unfinished = [task for task in both if not task.done()]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
    if work in done:
        return "done"
    return "stopped" if stopping in done else "late"


def _record_start(
    audit: AuditSink | None, order: Order, target: Target, resolver: DnsResolver
) -> None:
    if audit is not None:
        statement = statement_of(order)
        audit.record(
            "inspection",
            {
                "step": "started",
                "target": target.host,
                "authorised_by": statement.authorized_by,
                "scope_sha256": statement.digest,
                "classes": list(statement.classes),
                "name_servers": [str(server) for server in resolver.nameservers],
                "team": order.model is not None,
            },
        )


def _record_end(audit: AuditSink | None, inspection: Inspection) -> None:
    if audit is not None:
        audit.record(
            "inspection",
            {
                "step": "ended",
                "target": inspection.target,
                "mode": inspection.mode.value,
                "reason": inspection.mode_reason,
                "requests": inspection.requests_sent,
                "findings": [finding.fingerprint for finding in inspection.findings],
                "evidence_sha256": inspection.evidence_digest,
            },
        )
