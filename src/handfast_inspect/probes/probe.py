"""What a probe is, what it is given, and how one is run so that nothing can go wrong outside it."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias

from handfast import Admission, EgressGuard, Scope
from handfast.errors import EgressDenied, LimitExceeded, UserError
from handfast.network.answer import DnsAnswer, DnsStatus, Question
from handfast.network.connect import Deadlines
from handfast.network.http import GuardedClient
from handfast.network.nameserver import Nameserver, ask
from handfast.network.pace import Pace
from handfast.network.resolver import DnsResolver
from handfast.sandboxes.sandbox import Sandbox
from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.notes import Notes, ProbeResult, utc_now

NO_VALUE: Final = "handfast-check"
"""Begins every name and path that we make up, so that an owner finds us in the logs."""

_SCOPE_CLASS: Final[dict[ProbeClass, Literal["passive", "read", "consent"]]] = {
    ProbeClass.PASSIVE: "passive",
    ProbeClass.READ: "read",
    ProbeClass.CONSENT: "consent",
}


@dataclass(frozen=True, slots=True)
class Target:
    """One host under inspection, or one zone: its name is the same."""

    host: str
    """Lower-case A-label without the last dot, or an address."""
    http_port: int = 80
    https_port: int = 443
    ports: tuple[int, ...] = ()
    """What a scan of services tries; empty for the usual ones and those that the scope names."""
    dkim_selectors: tuple[str, ...] = ()
    """Selectors to ask for; without any, DKIM is not looked at."""

    @property
    def asset(self) -> Asset:
        """The host as a whole."""
        return Asset(self.host)


def random_label() -> str:
    """A label that nobody has registered and no server knows."""
    return f"{NO_VALUE}-{secrets.token_hex(8)}"


@dataclass(frozen=True, slots=True)
class ProbeContext:
    """Everything a probe may use; one for a whole inspection."""

    guard: EgressGuard
    """Admits connections."""
    resolver: DnsResolver
    """Answers questions of the DNS."""
    client: GuardedClient
    """Fetches pages."""
    pace: Pace
    """Counts and spaces requests."""
    deadlines: Deadlines = field(default_factory=Deadlines)
    """For connections that a probe opens itself."""
    trust: Path | None = None
    """A PEM file of trust anchors in place of the system's."""
    rdap_url: str = "https://rdap.org/domain/"
    """Where registration data is asked for, up to the domain; used only where it is in scope."""
    ct_url: str = "https://crt.sh/"
    """Where certificates are searched for; used only where it is in scope."""
    sandbox: Sandbox | None = None
    """Runs other people's programs; None where none is wanted."""
    now: Callable[[], datetime] = utc_now
    random_label: Callable[[], str] = random_label
    """Makes labels and paths that cannot exist."""

    @property
    def scope(self) -> Scope | None:
        """What is allowed."""
        return self.guard.scope

    def permits(self, wanted: ProbeClass) -> bool:
        """Whether probes of a class were allowed; without a scope, the first two are."""
        if self.scope is None:
            return wanted is not ProbeClass.CONSENT
        return self.scope.permits(_SCOPE_CLASS[wanted])

    async def query(self, name: str, rtype: str, *, dnssec: bool = False) -> DnsAnswer:
        """Asks the resolver; a name that no message can hold is an answer with an error."""
        question = Question(name, rtype, dnssec=dnssec)
        try:
            return await self.resolver.query(question)
        except UserError as error:  # the name comes from a target's record
            return DnsAnswer(question, DnsStatus.ERROR, "", detail=str(error)[:200])

    async def admit_name_server(self, address: str) -> Admission:
        """Admits questions to a zone's own server, on the port that the scope lists for it.

        Raises:
            EgressDenied: It is a third party's, or out of scope.
        """
        listed = self.scope.name_servers if self.scope else ()
        port = next((server.port for server in listed if str(server.address) == address), 53)
        return await self.guard.admit_name_server(address, port)

    async def ask_server(self, admission: Admission, question: Question) -> DnsAnswer:
        """Asks one admitted name server, at the run's pace."""
        server = Nameserver(str(admission.address), admission.port)
        async with self.pace.request(admission.host):
            return await ask(question, server, self.deadlines.read)


Look: TypeAlias = Callable[[Target, ProbeContext, Notes], Awaitable[None]]
"""Looks at a target and writes down what it sees."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One line of the catalogue."""

    id: str
    title: str
    """What it looks at, in a few words."""
    probe_class: ProbeClass
    look: Look
    covers: tuple[str, ...]
    """Rules, or prefixes of them that end in a dot, that stay untested when it does not run."""
    deadline: float = 60.0
    """Seconds that one run may take."""
    for_names: bool = False
    """It asks the DNS about a name, so that it has nothing to ask about an address."""


async def run_probe(
    probe: Probe, target: Target, context: ProbeContext, notes: Notes | None = None
) -> ProbeResult:
    """Runs a probe and keeps whatever goes wrong inside it.

    Args:
        probe: What to run.
        target: What to look at.
        context: What it may use.
        notes: Where it writes, for a caller who wants what is there when it cancels the run.

    Returns:
        Facts and evidence up to the moment it ended, and a gap where it did not end well.

    Raises:
        UserError: The target itself cannot be looked at: no host, no valid port.
    """
    _check_target(target)
    notes = notes or Notes(probe.id, context.now)
    clock = asyncio.get_running_loop().time
    started = clock()
    if not context.permits(probe.probe_class):
        words = _SCOPE_CLASS[probe.probe_class]
        notes.gap(target.asset, probe.covers, f"the scope does not allow {words} probes")
        return notes.result()
    if probe.for_names and _is_address(target.host):
        notes.gap(target.asset, probe.covers, "the target is an address and not a name")
        return notes.result()
    try:
        async with asyncio.timeout(probe.deadline):
            await probe.look(target, context, notes)
    except TimeoutError:
        reason = f"{probe.id} was not done in {probe.deadline:g} s"
        notes.gap(target.asset, probe.covers, reason, "error")
    except (EgressDenied, LimitExceeded) as error:
        notes.gap(target.asset, probe.covers, str(error))
    except Exception as error:  # noqa: BLE001 - the edge: a fault in one probe must not end the inspection
        reason = f"{probe.id} failed: {type(error).__name__}: {error}"
        notes.gap(target.asset, probe.covers, reason, "error")
    return notes.result(clock() - started)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_target(target: Target) -> None:
    ports = (target.http_port, target.https_port, *target.ports)
    if not target.host or any(not 0 < port < 1 << 16 for port in ports):
        message = f"A target is a host and ports from 1 to 65535, not {target.host!r} {ports}."
        raise UserError(message)
