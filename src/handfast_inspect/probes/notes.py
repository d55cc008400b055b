"""Where a probe writes down what it sees, while it sees it.

Whatever ends a probe, what it wrote before is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Literal, cast, get_args, get_type_hints

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.evidence import Evidence, take_evidence
from handfast_inspect.facts.gap import GapFact


def utc_now() -> datetime:
    """The time, aware and in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What one run of a probe brought."""

    probe: str
    """The probe's id."""
    facts: Facts
    """Everything seen; `facts.gaps` says what could not be seen, and why."""
    evidence: tuple[Evidence, ...]
    """The bytes that prove it, each once."""
    seconds: float = 0.0


class Notes:
    """Collects facts, evidence and gaps of one run of one probe.

    Args:
        probe: The probe's id.
        now: Gives the time, in UTC.
    """

    def __init__(self, probe: str, now: Callable[[], datetime] = utc_now) -> None:
        self.probe = probe
        self._now = now
        self._facts: dict[str, dict[object, None]] = {}
        self._evidence: dict[str, Evidence] = {}

    def prove(
        self,
        asset: Asset,
        summary: str,
        content: bytes,
        *,
        shown: bytes | None = None,
        reproduce: str = "",
    ) -> tuple[str, ...]:
        """Keeps evidence.

        Args:
            asset: What it is about.
            summary: One line for the report.
            content: Every byte received.
            shown: What to keep in place of the content, where that holds secrets.
            reproduce: A shell line that shows the same again.

        Returns:
            Its id, as facts want it.
        """
        evidence = take_evidence(
            self.probe, asset, summary, content, self._now(), shown=shown, reproduce=reproduce
        )
        self._evidence.setdefault(evidence.id, evidence)
        return (evidence.id,)

    def fact(self, fact: object) -> None:
        """Keeps a fact, equal ones once.

        Args:
            fact: An instance of one of the types that `Facts` holds.
        """
        self._facts.setdefault(_field_of(type(fact)), {})[fact] = None

    def gap(
        self,
        asset: Asset,
        covers: tuple[str, ...],
        reason: str,
        kind: Literal["not_tested", "error"] = "not_tested",
    ) -> None:
        """Says what could not be seen.

        Args:
            asset: Where.
            covers: Rule ids, or prefixes that end in a dot.
            reason: One clause for the report.
            kind: `error` when the probe tried and failed.
        """
        self.fact(GapFact(asset, (), covers, reason[:300], kind))

    def result(self, seconds: float = 0.0) -> ProbeResult:
        """Everything collected so far."""
        facts = Facts(
            **{name: tuple(seen) for name, seen in self._facts.items()}  # type: ignore[arg-type] # _field_of found each list by its element type
        )
        return ProbeResult(self.probe, facts, tuple(self._evidence.values()), seconds)


@cache
def _fields() -> dict[type, str]:
    hints = cast("dict[str, object]", get_type_hints(Facts))
    return {get_args(kind)[0]: name for name, kind in hints.items()}


def _field_of(kind: type) -> str:
    return _fields()[kind]
