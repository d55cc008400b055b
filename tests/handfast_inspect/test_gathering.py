from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.http import MethodsFact
from handfast_inspect.findings.finding import ProbeClass, State
from handfast_inspect.gathering import Gathering
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import Probe, ProbeContext, Target
from handfast_inspect.progress import FindingSeen, ProbeEnded, ProbeStarted, Progress
from loopback_dns import dns_server
from loopback_probes import SITE, context_for

ALL = frozenset(ProbeClass)


class Stage:
    """A gathering with what it told, and probes that wait for a test."""

    def __init__(self, context: ProbeContext) -> None:
        self.told: list[Progress] = []
        self.gathering = Gathering(SITE, context, ALL, self.told.append)
        self.runs: list[str] = []
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()

    def probe(self, name: str, *, allow: str = "", waits: bool = False) -> Probe:
        """A probe that sees which methods are allowed, and may wait after that."""

        async def look(target: Target, context: ProbeContext, notes: Notes) -> None:
            del context
            self.runs.append(name)
            asset = Asset(target.host, port=80, url=f"http://{target.host}/")
            evidence = notes.prove(asset, "OPTIONS", allow.encode())
            notes.fact(MethodsFact(asset, evidence, (allow,) if allow else (), trace_echoed=None))
            self.begun.set()
            if waits:
                await self.go_on.wait()

        return Probe(name, f"title of {name}", ProbeClass.CONSENT, look, ("http.methods",), 20)


@pytest_asyncio.fixture(name="stage")
async def _stage() -> AsyncIterator[Stage]:
    async with dns_server() as dns:
        yield Stage(context_for(dns))


async def test_a_probe_runs_once_however_often_it_is_asked_for(stage: Stage) -> None:
    probe = stage.probe("a")
    first = await stage.gathering.look(probe)
    assert await stage.gathering.look(probe) is first
    await stage.gathering.look_at_all([probe])
    assert stage.runs == ["a"]
    assert stage.gathering.has(probe)


async def test_two_who_ask_at_once_share_one_run(stage: Stage) -> None:
    probe = stage.probe("a", waits=True)
    both = asyncio.gather(stage.gathering.look(probe), stage.gathering.look(probe))
    await stage.begun.wait()
    stage.go_on.set()
    first, second = await both
    assert first is second
    assert stage.runs == ["a"]


async def test_who_stops_waiting_does_not_stop_the_probe(stage: Stage) -> None:
    probe = stage.probe("a", waits=True)
    waiting = asyncio.ensure_future(stage.gathering.look(probe))
    await stage.begun.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    stage.go_on.set()
    await stage.gathering.look(probe)
    assert stage.runs == ["a"]


async def test_probes_run_side_by_side(stage: Stage) -> None:
    first, second = stage.probe("a", waits=True), stage.probe("b", waits=True)
    running = asyncio.ensure_future(stage.gathering.look_at_all([first, second]))
    while len(stage.runs) < 2:
        stage.begun.clear()
        await stage.begun.wait()
    stage.go_on.set()
    await running
    assert set(stage.runs) == {"a", "b"}


async def test_facts_do_not_depend_on_the_order_of_the_probes(stage: Stage) -> None:
    await stage.gathering.look(stage.probe("b", allow="PUT"))
    await stage.gathering.look(stage.probe("a", allow="TRACE"))
    assert [fact.allowed for fact in stage.gathering.facts.methods] == [("TRACE",), ("PUT",)]
    assert [record.probe for record in stage.gathering.evidence] == ["a", "b"]


async def test_each_step_is_told_and_each_finding_once(stage: Stage) -> None:
    await stage.gathering.look(stage.probe("a", allow="TRACE"))
    await stage.gathering.look(stage.probe("b", allow="TRACE"))
    started = [step.title for step in stage.told if isinstance(step, ProbeStarted)]
    ended = [step.probe for step in stage.told if isinstance(step, ProbeEnded)]
    found = [step.finding.rule_id for step in stage.told if isinstance(step, FindingSeen)]
    assert started == ["title of a", "title of b"]
    assert ended == ["a", "b"]
    assert found == ["http.methods"]
    assert [finding.rule_id for finding in stage.gathering.findings()] == ["http.methods"]


async def test_a_probe_that_fails_is_an_end_with_its_reason(stage: Stage) -> None:
    async def look(target: Target, context: ProbeContext, notes: Notes) -> None:
        del target, context, notes
        raise RuntimeError("no idea")

    await stage.gathering.look(Probe("bad", "b", ProbeClass.PASSIVE, look, ("http.methods",)))
    ended = [step for step in stage.told if isinstance(step, ProbeEnded)]
    assert ended[0].gaps == ("bad failed: RuntimeError: no idea",)


async def test_giving_up_keeps_what_was_seen_and_says_what_was_not(stage: Stage) -> None:
    done = stage.probe("a", allow="PUT")
    halfway = stage.probe("b", allow="TRACE", waits=True)
    never = stage.probe("c")
    await stage.gathering.look(done)
    stage.begun.clear()
    running = asyncio.ensure_future(stage.gathering.look_at_all([halfway]))
    await stage.begun.wait()
    await stage.gathering.give_up([done, halfway, never], "somebody said stop")
    await asyncio.gather(running, return_exceptions=True)
    facts = stage.gathering.facts
    assert [fact.allowed for fact in facts.methods] == [("PUT",), ("TRACE",)]
    assert {gap.reason for gap in facts.gaps} == {"somebody said stop"}
    assert stage.runs == ["a", "b"]
    states = {c.state for c in stage.gathering.judged() if c.rule_id == "http.methods"}
    assert states == {State.FAIL, State.NOT_TESTED}
    assert len(stage.gathering.evidence) == 2


async def test_giving_up_when_all_is_done_changes_nothing(stage: Stage) -> None:
    probe = stage.probe("a", allow="TRACE")
    await stage.gathering.look(probe)
    before = stage.gathering.facts
    await stage.gathering.give_up([probe], "")
    assert stage.gathering.facts == before


@pytest.mark.parametrize("granted", [frozenset[ProbeClass](), frozenset({ProbeClass.PASSIVE})])
async def test_rules_of_other_classes_are_not_judged(
    stage: Stage, granted: frozenset[ProbeClass]
) -> None:
    narrow = Gathering(SITE, stage.gathering.context, granted, stage.told.append)
    await narrow.look(stage.probe("a", allow="TRACE"))
    assert narrow.findings() == ()
