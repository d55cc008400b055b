"""The inspection as data: everything that a report needs, whoever made the inspection."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from handfast_inspect.facts.evidence import Evidence
from handfast_inspect.findings.citations import keep_cited
from handfast_inspect.findings.finding import CheckResult, Finding
from handfast_inspect.findings.grade import SiteGrade
from handfast_inspect.findings.store import Coverage, measure_coverage, order_findings
from handfast_inspect.plain_json import to_plain

SCHEMA_VERSION = 1
"""Version of the stored form; raised with every change that an old reader cannot take."""


class Mode(StrEnum):
    """Who chose what to look at; the rules judge in the same way in every mode."""

    WORKFLOW = "workflow"
    """A fixed order, no model."""
    TEAM = "team"
    """Agents chose the order and wrote the prose."""
    DEGRADED = "degraded"
    """A team that could not go on; the workflow finished, and the reason is given."""


@dataclass(frozen=True, slots=True)
class ScopeStatement:
    """The authorisation and the limits, as they were given."""

    authorized_by: str
    reference: str = ""
    """A ticket, contract or mail that proves it."""
    valid_until: datetime | None = None
    targets: tuple[str, ...] = ()
    """Names, networks and ports, as written in the scope file."""
    classes: tuple[str, ...] = ()
    """Probe classes that were granted: P, R, C."""
    rate: str = ""
    """The rate limit, as written."""
    digest: str = ""
    """SHA-256 of the scope file."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's yes during the inspection."""

    by: str
    at: datetime
    what: str


@dataclass(frozen=True, slots=True)
class Section:
    """Prose of the report; every sentence cites evidence."""

    title: str
    text: str
    author: str = ""
    """The agent that wrote it."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """One inspection, finished or not."""

    tool: str
    """Name and version: `handfast 0.1.0`."""
    rule_set: str
    target: str
    scope: ScopeStatement
    started: datetime
    ended: datetime
    mode: Mode
    mode_reason: str = ""
    """Why the mode is `degraded`, or why the inspection ended early; empty otherwise."""
    requests_sent: int = 0
    budget: tuple[tuple[str, str], ...] = ()
    """What was used of what was granted: ("requests", "120 of 500")."""
    approvals: tuple[Approval, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    grades: tuple[SiteGrade, ...] = ()
    sections: tuple[Section, ...] = ()
    evidence_digest: str = ""
    """`digest_evidence` at the end of the inspection."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, worst first."""
        return order_findings(c.finding for c in self.checks if c.finding is not None)

    @property
    def coverage(self) -> Coverage:
        """How much of the rule set was really tested."""
        return measure_coverage(self.checks)


def digest_evidence(evidence: Iterable[Evidence]) -> str:
    """Hash all evidence, in whatever order it was taken.

    Args:
        evidence: Every record.

    Returns:
        SHA-256 in hex over the canonical JSON of the records, ordered by id.
    """
    records = sorted((to_plain(record) for record in evidence), key=json.dumps)
    text = json.dumps(records, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def seal_inspection(inspection: Inspection) -> Inspection:
    """Make an inspection ready for reports: cited prose only, evidence hashed.

    Args:
        inspection: What was gathered.

    Returns:
        The same with uncited sentences and empty sections dropped and the digest set.
    """
    known = {record.id for record in inspection.evidence}
    cited = (replace(s, text=keep_cited(s.text, known).text) for s in inspection.sections)
    return replace(
        inspection,
        sections=tuple(section for section in cited if section.text),
        evidence_digest=digest_evidence(inspection.evidence),
    )
