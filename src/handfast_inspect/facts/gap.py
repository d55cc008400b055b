"""What could not be seen, and why: the reason behind every `not_tested`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handfast_inspect.facts.asset import Asset


@dataclass(frozen=True, slots=True)
class GapFact:
    """A probe could not, or was not allowed to, look at something."""

    asset: Asset
    evidence: tuple[str, ...]
    covers: tuple[str, ...]
    """Rule ids that stay untested, or prefixes of them that end in a dot (`tls.`)."""
    reason: str
    """One clause for the report: "port 25 is not in scope", "no answer within 10 s"."""
    kind: Literal["not_tested", "error"] = "not_tested"
    """`error` when the probe tried and failed, `not_tested` when it never tried."""
