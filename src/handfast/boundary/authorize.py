"""`Boundary`: the one door that every call of every run goes through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from handfast.boundary.policy import (
    CallBudget,
    CallRequest,
    GrantedTools,
    Policy,
    Repeats,
    RunView,
    Verdict,
    strictest,
)

DEFAULT_CALLS: Final = 1_000
"""Calls a run may make unless its owner says otherwise."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Policies, of which the strictest verdict wins."""

    policies: tuple[Policy, ...] = ()

    def authorize(self, call: CallRequest, view: RunView) -> Verdict:
        """The verdict on a call, with its reason."""
        return strictest(policy.check(call, view) for policy in self.policies)

    @classmethod
    def default(cls) -> Boundary:
        """For plain programs: every tool that an agent offers may be called, finitely often."""
        return cls((CallBudget(DEFAULT_CALLS),))

    @classmethod
    def strict(
        cls,
        tools: Iterable[str],
        *,
        calls: int = DEFAULT_CALLS,
        repeats: int = 2,
    ) -> Boundary:
        """For programs that act on the world: what is not granted is refused.

        Args:
            tools: The names of every tool and handoff that the run may call.
            calls: Calls the run may make.
            repeats: How often the same call with the same arguments may be made.
        """
        return cls((GrantedTools(frozenset(tools)), Repeats(repeats), CallBudget(calls)))
