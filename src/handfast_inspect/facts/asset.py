"""What a fact, a finding or a check is about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asset:
    """One thing under inspection: a host, seen at an address, on a port, at a URL."""

    host: str
    """Lower-case A-label without the last dot, or an address literal. Zones count as hosts."""
    ip: str | None = None
    """The address that was really connected to, where one was."""
    port: int | None = None
    """The TCP port, where one was."""
    url: str | None = None
    """The absolute URL, for what was seen over HTTP."""
