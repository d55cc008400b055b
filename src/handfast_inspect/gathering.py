"""`Gathering`: what the probes bring, judged as it comes. Whatever ends the run, it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from handfast_inspect.facts.container import Facts, merge_facts
from handfast_inspect.facts.evidence import Evidence
from handfast_inspect.findings.finding import CheckResult, Finding, ProbeClass
from handfast_inspect.findings.store import FindingStore
from handfast_inspect.probes.notes import Notes, ProbeResult
from handfast_inspect.probes.probe import Probe, ProbeContext, Target, run_probe
from handfast_inspect.progress import FindingSeen, ProbeEnded, ProbeStarted, Tell
from handfast_inspect.rules.judge import judge


class Gathering:
    """Runs probes, each at most once, and keeps what they bring.

    Args:
        target: What is inspected.
        context: What probes may use.
        granted: The classes of probe that the scope grants.
        tell: Is told of each step.
    """

    def __init__(
        self,
        target: Target,
        context: ProbeContext,
        granted: frozenset[ProbeClass],
        tell: Tell,
    ) -> None:
        self.target = target
        self.context = context
        self.granted = granted
        self._tell = tell
        self._results: dict[str, ProbeResult] = {}
        self._notes: dict[str, Notes] = {}
        self._running: dict[str, asyncio.Task[ProbeResult]] = {}
        self._told: set[str] = set()

    @property
    def facts(self) -> Facts:
        """Everything seen so far, in the order of the probes' ids."""
        results = (self._results[probe] for probe in sorted(self._results))
        return merge_facts(*(result.facts for result in results))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything that proves it, each once."""
        kept: dict[str, Evidence] = {}
        for probe in sorted(self._results):
            for record in self._results[probe].evidence:
                kept.setdefault(record.id, record)
        return tuple(kept.values())

    def has(self, probe: Probe) -> bool:
        """True when the probe has run."""
        return probe.id in self._results

    async def look(self, probe: Probe) -> ProbeResult:
        """Run a probe; one that has run, or is running, is not run again."""
        known = self._results.get(probe.id)
        if known is not None:
            return known
        task = self._running.get(probe.id)
        if task is None:
            task = self._running[probe.id] = asyncio.ensure_future(self._look(probe))
        return await asyncio.shield(task)

    async def look_at_all(self, probes: Iterable[Probe]) -> None:
        """Run probes side by side, those that have run left out."""
        async with asyncio.TaskGroup() as group:
            for probe in probes:
                if not self.has(probe):
                    group.create_task(self.look(probe))

    async def give_up(self, probes: Sequence[Probe], reason: str) -> None:
        """End what is running and begin nothing more; what was seen until then is kept.

        Args:
            probes: Those that should have run; what they cover is not tested where they have not
                ended.
            reason: Why, for the report.
        """
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for probe in probes:
            if not self.has(probe):
                notes = self._notes.get(probe.id) or Notes(probe.id, self.context.now)
                notes.gap(self.target.asset, probe.covers, reason)
                self._results[probe.id] = notes.result()

    def judged(self) -> tuple[CheckResult, ...]:
        """Every rule's word on what was seen."""
        return judge(self.facts, self.context.now(), self.granted)

    def findings(self) -> tuple[Finding, ...]:
        """What the rules found so far, worst first."""
        return FindingStore(self.judged()).findings

    async def _look(self, probe: Probe) -> ProbeResult:
        self._tell(ProbeStarted(probe.id, probe.title))
        notes = self._notes[probe.id] = Notes(probe.id, self.context.now)
        try:
            result = await run_probe(probe, self.target, self.context, notes)
        finally:
            self._running.pop(probe.id, None)
        self._results[probe.id] = result
        gaps = tuple(dict.fromkeys(gap.reason for gap in result.facts.gaps))
        self._tell(ProbeEnded(probe.id, result.seconds, gaps))
        for finding in self.findings():
            if finding.fingerprint not in self._told:
                self._told.add(finding.fingerprint)
                self._tell(FindingSeen(finding))
        return result
