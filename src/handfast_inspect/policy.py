"""The boundary that a team of agents works under: its own tools, tight budgets, no repeats."""

from __future__ import annotations

from collections.abc import Iterable

from handfast import AuditSink, Boundary, Budget, Grants, Scope

TEAM_TURNS = 60
"""Model calls of the whole team."""

TEAM_CALLS = 200
"""Tool calls and handoffs of the whole team."""

TEAM_TOKENS = 1_000_000
"""Input and output tokens of the whole team."""


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
    return Boundary.strict(grants=grants, audit=audit)
