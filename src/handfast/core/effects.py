"""What the loop may ask of the world. An effect is an order; its id names it once in a run.

Ids read `turn.kind.n`: they are the step names and idempotency keys of a durable engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from handfast.core.items import Call, HandoffResult, Item, Result
from handfast.core.log import Log
from handfast.core.state import Failure, RunState


@dataclass(frozen=True, slots=True)
class CheckInput:
    """Run the first agent's input checks; `blocking` tells which of them."""

    id: str
    agent: str
    input: Log[Item]
    blocking: bool


@dataclass(frozen=True, slots=True)
class CallModel:
    """Ask the agent's model."""

    id: str
    agent: str
    input: Log[Item]
    seen: Log[Item]
    tools_used: bool
    """True when this agent called a tool before: a forced tool choice is then lifted."""
    tools_off: bool = False
    """True when the answer must do without tools and handoffs."""


@dataclass(frozen=True, slots=True)
class Authorize:
    """Ask the boundary about one call."""

    id: str
    agent: str
    call: Call


@dataclass(frozen=True, slots=True)
class AskApproval:
    """Ask a person about one call. A driver that can reach nobody leaves it open."""

    id: str
    agent: str
    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class CallTool:
    """Run one freed call."""

    id: str
    agent: str
    call: Call


@dataclass(frozen=True, slots=True)
class RunAgent:
    """Run one freed call of an agent used as a tool, or go on with it."""

    id: str
    agent: str
    call: Call
    child: RunState | None


@dataclass(frozen=True, slots=True)
class ConcludeTools:
    """Ask the agent whether its tools' results are the output."""

    id: str
    agent: str
    results: tuple[tuple[Call, Result], ...]


@dataclass(frozen=True, slots=True)
class InvokeHandoff:
    """Run the handoff's own code; it names the receiver."""

    id: str
    agent: str
    call: Call


@dataclass(frozen=True, slots=True)
class FilterHandoff:
    """Decide what the receiver sees."""

    id: str
    call: Call
    result: HandoffResult
    input: Log[Item]
    earlier: tuple[Item, ...]
    """What this run had produced before the turn, as a model sees it."""
    fresh: tuple[Item, ...]
    """What this turn produced, the handoff's call and answer included."""


@dataclass(frozen=True, slots=True)
class CheckOutput:
    """Validate a candidate output and run the output checks of the agent that gave it."""

    id: str
    agent: str
    text: str
    value: object
    from_tool: bool
    fresh: tuple[Item, ...]
    """The items of the answer that holds it."""


@dataclass(frozen=True, slots=True)
class Recover:
    """Ask the user's code for an output in place of a failure."""

    id: str
    agent: str
    failure: Failure


Effect: TypeAlias = (
    CheckInput
    | CallModel
    | Authorize
    | AskApproval
    | CallTool
    | RunAgent
    | ConcludeTools
    | InvokeHandoff
    | FilterHandoff
    | CheckOutput
    | Recover
)
