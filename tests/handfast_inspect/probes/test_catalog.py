from __future__ import annotations

from handfast_inspect.facts.container import merge_facts
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.catalog import NMAP, PROBES, PROBES_BY_ID
from handfast_inspect.probes.probe import Target, run_probe
from handfast_inspect.rules.catalog import CATALOG
from loopback_dns import DnsServer
from loopback_probes import SITE, context_for

RANK = {ProbeClass.PASSIVE: 0, ProbeClass.READ: 1, ProbeClass.CONSENT: 2}


def covered(rule: str, covers: tuple[str, ...]) -> bool:
    return any(rule.startswith(item) if item.endswith(".") else rule == item for item in covers)


def test_ids_are_unique_and_find_their_probe() -> None:
    assert len(PROBES_BY_ID) == len(PROBES) + 1
    assert PROBES_BY_ID["services.nmap"] is NMAP
    assert all(PROBES_BY_ID[probe.id] is probe for probe in PROBES)


def test_every_probe_has_a_finite_deadline_and_covers_rules_that_exist() -> None:
    rules = {rule.id for rule in CATALOG}
    for probe in PROBES:
        assert 0 < probe.deadline <= 600
        for item in probe.covers:
            assert any(covered(rule, (item,)) for rule in rules), (probe.id, item)


def test_a_probe_never_asks_for_more_than_its_rules_do() -> None:
    for probe in PROBES:
        for rule in CATALOG:
            if covered(rule.id, probe.covers):
                assert RANK[probe.probe_class] <= RANK[rule.probe_class], (probe.id, rule.id)


def test_gentle_probes_come_first() -> None:
    ranks = [RANK[probe.probe_class] for probe in PROBES]
    assert ranks == sorted(ranks)


async def test_a_passive_inspection_sends_nothing_to_the_target(zone: DnsServer) -> None:
    context = context_for(zone, probes=["passive"])
    results = [await run_probe(probe, SITE, context) for probe in PROBES]
    assert context.pace.started == 0
    facts = merge_facts(*(result.facts for result in results))
    assert facts.responses == ()
    assert facts.dns_records != ()
    untouched = {gap.reason for gap in facts.gaps if "does not allow" in gap.reason}
    assert untouched == {
        "the scope does not allow read probes",
        "the scope does not allow consent probes",
    }


async def test_an_address_has_no_names_to_ask_about(zone: DnsServer) -> None:
    context = context_for(zone, ports=[1])
    for probe in PROBES:
        result = await run_probe(probe, Target("127.0.0.1", http_port=1, https_port=1), context)
        asked_about_a_name = probe.id.startswith(("dns.", "mail.", "reg.", "ct."))
        assert probe.for_names is (asked_about_a_name or probe.id == "http.unclaimed")
        if probe.for_names:
            assert [gap.reason for gap in result.facts.gaps] == [
                "the target is an address and not a name"
            ]
    assert zone.asked == []


async def test_a_host_where_everything_is_closed_yields_gaps_and_no_crash(zone: DnsServer) -> None:
    context = context_for(zone, ports=[1, 2])
    for probe in PROBES:
        result = await run_probe(probe, SITE, context)
        assert not any("failed:" in gap.reason for gap in result.facts.gaps), probe.id
