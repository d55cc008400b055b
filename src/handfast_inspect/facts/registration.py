"""Registration facts, from RDAP (RFC 9083)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from handfast_inspect.facts.asset import Asset


@dataclass(frozen=True, slots=True)
class RegistrationFact:
    """What the registry says about a domain."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    expires: datetime | None
    statuses: tuple[str, ...] = ()
    """RDAP status values, lower case: `client transfer prohibited` …"""
    registrar: str = ""
