"""The one door: every call of a run passes `Boundary.authorize` before anything is done."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from handfast.boundary.audit import AuditSink
from handfast.boundary.grants import Budget, Grants
from handfast.boundary.policy import (
    ArgumentsAreObject,
    CallRequest,
    GrantedTools,
    Policy,
    Repeat,
    RunView,
    Verdict,
    WithinBudget,
    strictest,
)

STRICT_BUDGET = Budget(
    turns=50, calls=200, tokens=2_000_000, money=10.0, seconds=3_600.0, bytes=100_000_000
)
"""The budget of `Boundary.strict`."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The rules of a run, and what it was granted."""

    policies: tuple[Policy, ...] = ()
    """Asked in this order; the strictest verdict wins."""
    grants: Grants = field(default_factory=Grants)
    """What the run's first agent holds."""
    audit: AuditSink | None = None
    """Where each verdict is written; None to write none."""

    @classmethod
    def default(cls, *, audit: AuditSink | None = None) -> Boundary:
        """Rules under which plain programs work: everything is allowed within wide budgets."""
        return cls(policies=(WithinBudget(),), audit=audit)

    @classmethod
    def strict(cls, *, grants: Grants | None = None, audit: AuditSink | None = None) -> Boundary:
        """Rules for runs that read what strangers wrote.

        Args:
            grants: What the run holds; all tools within `STRICT_BUDGET` when None.
            audit: Where each verdict is written.
        """
        return cls(
            policies=(GrantedTools(), ArgumentsAreObject(), Repeat(), WithinBudget()),
            grants=grants or Grants(budget=STRICT_BUDGET),
            audit=audit,
        )

    def with_policies(self, *policies: Policy) -> Boundary:
        """Makes a copy with further rules, which can only take away."""
        return replace(self, policies=(*self.policies, *policies))

    def authorize(self, request: CallRequest, view: RunView) -> Verdict:
        """Judges a call and writes the verdict down.

        Args:
            request: The call.
            view: What the policies may know of the run; its grants are those of the agent.

        Returns:
            The strictest verdict of all policies.
        """
        verdict = strictest(policy.check(request, view) for policy in self.policies)
        if self.audit is not None:
            self.audit.record(
                "verdict",
                {
                    "verdict": type(verdict).__name__.lower(),
                    "reason": verdict.reason,
                    "policy": verdict.policy,
                    "agent": request.agent,
                    "tool": request.tool,
                    "kind": request.kind,
                    "call_id": request.call_id,
                    "arguments": request.arguments_text,
                    "turn": view.turn,
                },
            )
        return verdict
