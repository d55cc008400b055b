"""The boundary that a team of agents works under: its own tools, tight budgets, few repeats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from handfast import (
    ArgumentsAreObject,
    AuditSink,
    Boundary,
    Budget,
    CallRequest,
    GrantedTools,
    Grants,
    Repeat,
    RunView,
    Scope,
    Verdict,
    WithinBudget,
)

TEAM_TURNS: Final = 80
"""Model calls of the whole team."""

TEAM_CALLS: Final = 200
"""Tool calls and handoffs of the whole team."""

TEAM_TOKENS: Final = 1_000_000
"""Input and output tokens of the whole team."""

SAME_TOOL_CALLS: Final = 3
"""How often a tool may be called with the same arguments."""

SAME_HANDOFFS: Final = 8
"""How often one agent may be handed over to: each specialist hands back to the coordinator."""


@dataclass(frozen=True, slots=True)
class FewRepeats:
    """Denies a call that was made too often, and a handoff much later than a tool."""

    name: str = "repeat"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Counts the same calls before this one."""
        limit = SAME_HANDOFFS if call.kind == "handoff" else SAME_TOOL_CALLS
        return Repeat(limit).check(call, view)


def team_boundary(tools: Iterable[str], scope: Scope, audit: AuditSink | None) -> Boundary:
    """The boundary of one inspection.

    Args:
        tools: The names of the team's tools; nothing else may be called.
        scope: What may be reached; the network door checks it again.
        audit: Where each verdict is written.
    """
    budget = Budget(
        turns=TEAM_TURNS,
        calls=TEAM_CALLS,
        tokens=TEAM_TOKENS,
        money=10.0,
        seconds=scope.budget.seconds,
        bytes=scope.budget.bytes,
    )
    grants = Grants(tools=frozenset(tools), scope=scope, budget=budget)
    policies = (GrantedTools(), ArgumentsAreObject(), FewRepeats(), WithinBudget())
    return Boundary(policies=policies, grants=grants, audit=audit)
