"""Policies: pure functions from a call and a view of the run to a verdict with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from handfast.core.items import CallKind


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call that wants to run."""

    agent: str
    """Who calls."""
    tool: str
    """What is called."""
    call_id: str
    arguments: str
    """JSON text as the model wrote it: hostile until a schema has accepted it."""
    kind: CallKind = "function"


@dataclass(frozen=True, slots=True)
class RunView:
    """What a policy may know of the run."""

    turn: int = 0
    calls_made: int = 0
    """Calls asked for so far, this one included."""
    tokens: int = 0
    same_calls: int = 0
    """How often this run has made the same call, tool and arguments alike, before."""


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may run."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A person must decide."""

    reason: str


@dataclass(frozen=True, slots=True)
class Deny:
    """The call must not run."""

    reason: str


Verdict: TypeAlias = Allow | Ask | Deny

ALLOWED: Final = Allow()


class Policy(Protocol):
    """One rule."""

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """The rule's verdict on a call; pure, and fast: it runs before every call."""
        ...


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that wins: the first denial, else the first question, else permission."""
    winner: Verdict = ALLOWED
    for verdict in verdicts:
        if isinstance(verdict, Deny):
            return verdict
        if isinstance(verdict, Ask) and isinstance(winner, Allow):
            winner = verdict
    return winner


@dataclass(frozen=True, slots=True)
class GrantedTools:
    """Only the tools that were granted may be called; the empty set grants nothing."""

    names: frozenset[str]

    def check(self, call: CallRequest, view: RunView) -> Verdict:  # noqa: ARG002 - the protocol
        """Deny what was not granted."""
        if call.tool in self.names:
            return ALLOWED
        return Deny(f"{call.tool} was not granted to this run.")


@dataclass(frozen=True, slots=True)
class Repeats:
    """The same call with the same arguments may be made so often."""

    most: int = 2

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Deny one repetition too many, and tell the model what to do instead."""
        if view.same_calls < self.most:
            return ALLOWED
        return Deny(
            f"{call.tool} was called with these very arguments {view.same_calls} times already; "
            "use the answer that is there, change the arguments, or give the conclusion.",
        )


@dataclass(frozen=True, slots=True)
class CallBudget:
    """A run may make so many calls."""

    most: int

    def check(self, call: CallRequest, view: RunView) -> Verdict:  # noqa: ARG002 - the protocol
        """Deny every call beyond the budget."""
        if view.calls_made <= self.most:
            return ALLOWED
        return Deny(f"The run's budget of {self.most} calls is used up.")
