from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from handfast import EgressGuard
from handfast.errors import EgressDenied, LimitExceeded, UserError
from handfast.network.answer import DnsStatus, Question
from handfast_inspect.facts.dns import WildcardFact
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import Probe, ProbeContext, Target, random_label, run_probe
from loopback_dns import DnsServer
from loopback_probes import SITE, context_for, look, reasons
from loopback_tcp import StaticResolver


async def _see(target: Target, context: ProbeContext, notes: Notes) -> None:
    del context
    notes.fact(WildcardFact(target.asset, (), target.host, matched=False))


async def test_a_probe_that_ends_well_leaves_facts_and_no_gap(zone: DnsServer) -> None:
    result = await look(_see, context_for(zone))
    assert result.probe == "test.probe"
    assert len(result.facts.wildcards) == 1
    assert result.facts.gaps == ()


async def test_what_was_seen_before_the_deadline_is_kept(zone: DnsServer) -> None:
    async def hang(target: Target, context: ProbeContext, notes: Notes) -> None:
        await _see(target, context, notes)
        await asyncio.Event().wait()

    started = time.monotonic()
    result = await look(hang, context_for(zone), deadline=0.05)
    assert time.monotonic() - started < 1
    assert len(result.facts.wildcards) == 1
    (gap,) = result.facts.gaps
    assert (gap.kind, gap.covers) == ("error", ("test.rule",))
    assert "not done in 0.05 s" in gap.reason


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (EgressDenied("not in scope", url="http://x.test/"), "not_tested"),
        (LimitExceeded("no requests left"), "not_tested"),
        (RecursionError("a bug"), "error"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "error"),
    ],
)
async def test_whatever_goes_wrong_stays_inside_the_probe(
    zone: DnsServer, error: Exception, kind: str
) -> None:
    async def fail(target: Target, context: ProbeContext, notes: Notes) -> None:
        await _see(target, context, notes)
        raise error

    result = await look(fail, context_for(zone))
    assert len(result.facts.wildcards) == 1
    assert [gap.kind for gap in result.facts.gaps] == [kind]
    assert str(error) in reasons(result)


async def test_a_cancelled_inspection_is_not_swallowed(zone: DnsServer) -> None:
    async def hang(target: Target, context: ProbeContext, notes: Notes) -> None:
        del target, context, notes
        await asyncio.Event().wait()

    task = asyncio.ensure_future(look(hang, context_for(zone)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("granted", "wanted", "runs"),
    [
        (["passive"], ProbeClass.PASSIVE, True),
        (["passive"], ProbeClass.READ, False),
        (["passive", "read"], ProbeClass.CONSENT, False),
        (["consent"], ProbeClass.CONSENT, True),
    ],
)
async def test_a_probe_runs_only_where_the_scope_allows_its_class(
    zone: DnsServer, granted: list[str], wanted: ProbeClass, *, runs: bool
) -> None:
    probe = Probe("test.probe", "a test", wanted, _see, ("test.rule",))
    result = await run_probe(probe, SITE, context_for(zone, probes=granted))
    assert bool(result.facts.wildcards) is runs
    assert bool(result.facts.gaps) is not runs


async def test_without_a_scope_nothing_that_needs_consent_runs(zone: DnsServer) -> None:
    context = replace(context_for(zone), guard=EgressGuard(None, StaticResolver()))
    assert context.permits(ProbeClass.READ)
    assert not context.permits(ProbeClass.CONSENT)


@pytest.mark.parametrize(
    "target", [Target(""), Target("site.test", http_port=0), Target("site.test", ports=(70000,))]
)
async def test_a_target_that_is_none_is_the_callers_error(zone: DnsServer, target: Target) -> None:
    with pytest.raises(UserError, match="A target is a host"):
        await look(_see, context_for(zone), target)


async def test_name_servers_are_asked_on_the_port_that_the_scope_lists(zone: DnsServer) -> None:
    context = context_for(zone)
    admission = await context.admit_name_server("127.0.0.1")
    assert admission.port == zone.address.port
    answer = await context.ask_server(admission, Question("site.test", "A"))
    assert answer.status is DnsStatus.OK
    assert context.pace.started == 1
    with pytest.raises(EgressDenied):
        await context.admit_name_server("192.0.2.53")


def test_made_up_labels_differ_and_say_who_made_them() -> None:
    labels = {random_label() for _ in range(50)}
    assert len(labels) == 50
    assert all(label.startswith("handfast-check-") for label in labels)
