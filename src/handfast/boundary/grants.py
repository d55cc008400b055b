"""What a run, and each agent in it, was given: tools, hosts, programs and budgets.

Grants only ever shrink on the way down: a handoff or an agent used as a tool gets `narrow` of what
its parent holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from handfast.boundary.scope import Scope
from handfast.errors import UserError


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far."""

    turns: int = 0
    """Answers of a model."""
    calls: int = 0
    """Calls that were asked for, refused ones included."""
    tokens: int = 0
    """Input and output tokens."""
    money: float = 0.0
    """US dollars, where prices are known."""
    seconds: float = 0.0
    """Wall time, waits for a person excluded."""
    bytes: int = 0
    """Bytes received from tools and targets."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a run may use; each limit is finite."""

    turns: int = 1_000
    """Answers of a model."""
    calls: int = 10_000
    """Calls of tools, agents and handoffs."""
    tokens: int = 20_000_000
    """Input and output tokens."""
    money: float = 100.0
    """US dollars, where prices are known."""
    seconds: float = 86_400.0
    """Wall time, waits for a person excluded."""
    bytes: int = 10_000_000_000
    """Bytes received from tools and targets."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            value: float = getattr(self, limit.name)
            if not 0 <= value < float("inf"):
                raise UserError(
                    f"Budget.{limit.name} must be a finite number from 0 on, not {value!r}"
                )

    def narrowed(self, other: Budget) -> Budget:
        """The smaller of two budgets, limit by limit."""
        return Budget(
            turns=min(self.turns, other.turns),
            calls=min(self.calls, other.calls),
            tokens=min(self.tokens, other.tokens),
            money=min(self.money, other.money),
            seconds=min(self.seconds, other.seconds),
            bytes=min(self.bytes, other.bytes),
        )

    def exhausted(self, spent: Spent) -> str | None:
        """Says which limit is used up, None when all have something left.

        A limit of 0 allows nothing at all.
        """
        for name, limit, used in (
            ("turns", self.turns, spent.turns),
            ("calls", self.calls, spent.calls),
            ("tokens", self.tokens, spent.tokens),
            ("money", self.money, spent.money),
            ("seconds", self.seconds, spent.seconds),
            ("bytes", self.bytes, spent.bytes),
        ):
            if used >= limit:
                return f"the budget of {limit:g} {name} is used up"
        return None


@dataclass(frozen=True, slots=True)
class Grants:
    """What an agent may use."""

    tools: frozenset[str] | None = None
    """Names of the tools that it may call; None for all that it was built with."""
    scope: Scope | None = None
    """The hosts that it may reach; None for the public internet."""
    programs: frozenset[str] = frozenset()
    """Programs that it may run; none by default."""
    budget: Budget = field(default_factory=Budget)
    """What it may use up."""

    def narrow(
        self,
        *,
        tools: Iterable[str] | None = None,
        scope: Scope | None = None,
        programs: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> Grants:
        """Makes grants that allow the same or less.

        Args:
            tools: The tools that remain, of those held.
            scope: A scope that lies in the one held; make it with `Scope.narrow`.
            programs: The programs that remain, of those held.
            budget: Upper limits for the budget.

        Raises:
            UserError: The scope has something that the one held does not have.
        """
        if scope is not None and self.scope is not None and not self.scope.contains(scope):
            raise UserError("the narrower scope has something new; make it with Scope.narrow")
        kept = self.tools
        if tools is not None:
            kept = frozenset(tools) if kept is None else kept & frozenset(tools)
        return replace(
            self,
            tools=kept,
            scope=scope or self.scope,
            programs=self.programs if programs is None else self.programs & frozenset(programs),
            budget=self.budget if budget is None else self.budget.narrowed(budget),
        )
