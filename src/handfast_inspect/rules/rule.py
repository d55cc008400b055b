"""What a rule is, and the verdicts that its check yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity, State


class Observed(Protocol):
    """Anything that was seen somewhere and can prove it: every fact."""

    @property
    def asset(self) -> Asset:
        """Where it was seen."""
        ...

    @property
    def evidence(self) -> tuple[str, ...]:
        """Ids of the evidence."""
        ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a verdict is less than certain."""

    confidence: Confidence
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says about one asset; build it with `passed`, `failed` or `untested`."""

    state: State
    asset: Asset
    evidence: tuple[str, ...]
    detail: str
    severity: Severity | None = None
    """Set exactly when the state is `fail`."""
    location: str = ""
    observed: str = ""
    doubt: Doubt | None = None
    config: str | None = None
    """A configuration line for this very case; None takes the rule's."""
    cve: tuple[str, ...] = ()


Check: TypeAlias = Callable[[Facts, datetime], Iterable[Verdict]]
"""A rule's judgement; pure, total, and given the time."""

Reproduce: TypeAlias = Callable[[Asset], str]
"""Makes the command that shows a finding again."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the check list."""

    id: str
    title: str
    probe_class: ProbeClass
    check: Check
    needs: str
    """What has to be seen before this rule can speak; the reason of a bare `not_tested`."""
    impact: str
    """What the weakness allows, in a sentence for a manager."""
    remediation: str
    reproduce: Reproduce
    references: tuple[str, ...]
    config: str = ""
    """A configuration line that fixes the usual case."""
    cwe: int | None = None
    effort: Effort = Effort.LOW
    would_change: str = ""
    """What would change the severity or make the finding void."""


def passed(source: Observed, detail: str, *, asset: Asset | None = None) -> Verdict:
    """The rule looked and found nothing wrong.

    Args:
        source: The fact that was judged.
        detail: What was seen, one sentence.
        asset: Where, if not where the fact was seen.

    Returns:
        A verdict with state `pass`.
    """
    return Verdict(State.PASS, asset or source.asset, source.evidence, detail)


def failed(  # noqa: PLR0913 - a failure says where, how bad, why, and how sure
    source: Observed,
    severity: Severity,
    location: str,
    detail: str,
    *,
    observed: str = "",
    asset: Asset | None = None,
    doubt: Doubt | None = None,
    config: str | None = None,
    cve: tuple[str, ...] = (),
) -> Verdict:
    """The rule found something wrong.

    Args:
        source: The fact that proves it.
        severity: How bad it is.
        location: What it is about inside the asset, the same text in every run.
        detail: What is wrong, one or two sentences.
        observed: The exact text that proves it.
        asset: Where, if not where the fact was seen.
        doubt: Why the verdict is less than certain, if it is.
        config: A configuration line for this very case.
        cve: Identifiers of known vulnerabilities.

    Returns:
        A verdict with state `fail`.
    """
    return Verdict(
        state=State.FAIL,
        asset=asset or source.asset,
        evidence=source.evidence,
        detail=detail,
        severity=severity,
        location=location,
        observed=observed,
        doubt=doubt,
        config=config,
        cve=cve,
    )


def untested(source: Observed, reason: str, *, asset: Asset | None = None) -> Verdict:
    """The rule could not tell.

    Args:
        source: The fact that is not enough.
        reason: What is missing, one sentence.
        asset: Where, if not where the fact was seen.

    Returns:
        A verdict with state `not_tested`.
    """
    return Verdict(State.NOT_TESTED, asset or source.asset, source.evidence, reason)
