"""What an inspection tells of itself while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from handfast_inspect.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class ProbeStarted:
    """A probe is looking."""

    probe: str
    title: str


@dataclass(frozen=True, slots=True)
class ProbeEnded:
    """A probe is done, whatever came of it."""

    probe: str
    seconds: float
    gaps: tuple[str, ...]
    """Why it could not see all; empty where it could."""


@dataclass(frozen=True, slots=True)
class FindingSeen:
    """The rules found something new."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class AgentSpeaks:
    """Another agent of the team has the word."""

    agent: str


@dataclass(frozen=True, slots=True)
class Degraded:
    """The team cannot go on; the workflow does."""

    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that the person who started it must know."""

    text: str


Progress: TypeAlias = ProbeStarted | ProbeEnded | FindingSeen | AgentSpeaks | Degraded | Warned

Tell: TypeAlias = Callable[[Progress], None]
"""Is told each step; must return at once."""
