from __future__ import annotations

from dataclasses import replace

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.evidence import take_evidence
from handfast_inspect.findings.inspection_record import (
    Inspection,
    Section,
    digest_evidence,
    seal_inspection,
)
from handfast_inspect.plain_json import from_plain, to_plain
from made_facts import NOW
from made_inspections import sample_evidence, sample_inspection


def test_an_inspection_survives_storage() -> None:
    inspection = sample_inspection()
    assert from_plain(Inspection, to_plain(inspection)) == inspection


def test_findings_come_from_the_checks_worst_first() -> None:
    inspection = sample_inspection()
    ranks = [finding.severity.rank for finding in inspection.findings]
    assert ranks == sorted(ranks, reverse=True)
    assert len(ranks) == inspection.coverage.failed


def test_sealing_drops_what_cites_no_evidence() -> None:
    (section,) = sample_inspection().sections
    assert "very bad" not in section.text
    bare = replace(sample_inspection(), sections=(Section("Empty", "Nothing cited."),))
    assert seal_inspection(bare).sections == ()


def test_sealing_twice_changes_nothing() -> None:
    inspection = sample_inspection()
    assert seal_inspection(inspection) == inspection


def test_the_digest_does_not_depend_on_the_order_of_the_evidence() -> None:
    evidence = sample_evidence()
    assert digest_evidence(evidence) == digest_evidence(reversed(evidence))


def test_the_digest_changes_with_every_part_of_the_evidence() -> None:
    item = take_evidence("web", Asset("a.test"), "GET", b"body", NOW)
    changed = [
        (),
        (item, item),
        (replace(item, summary="POST"),),
        (replace(item, excerpt_base64=""),),
        (replace(item, sha256="0" * 64),),
        (replace(item, taken_at=NOW.replace(year=2025)),),
    ]
    digests = {digest_evidence(part) for part in ((item,), *changed)}
    assert len(digests) == len(changed) + 1
