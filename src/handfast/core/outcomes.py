"""What came back from the world: facts, each naming the effect it answers. The only way in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from handfast.core.items import HandoffResult, Item, Result
from handfast.core.state import Failure, Offer, RunState, Verdict
from handfast.core.usage import NOTHING_SPENT, Spend


@dataclass(frozen=True, slots=True)
class InputPassed:
    """Every check of the effect let the input through."""

    effect: str
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class InputTripped:
    """A check stopped the run."""

    effect: str
    verdicts: tuple[Verdict, ...]
    failure: Failure


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """A whole response."""

    effect: str
    items: tuple[Item, ...]
    """In the order of the response. Call ids are not empty and not used before in the run."""
    offer: Offer
    spend: Spend = NOTHING_SPENT
    response_id: str | None = None
    raw: object = None
    repeated: bool = False
    """True when calls were left out that the run has already; without others there is no output."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The boundary frees the call."""

    effect: str


@dataclass(frozen=True, slots=True)
class Denied:
    """The boundary refuses the call; the model gets the result as its answer."""

    effect: str
    result: Result


@dataclass(frozen=True, slots=True)
class ApprovalNeeded:
    """The boundary sends the call to a person."""

    effect: str
    reason: str


@dataclass(frozen=True, slots=True)
class Approved:
    """A person frees the call."""

    effect: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A person refuses the call; the model gets the result as its answer."""

    effect: str
    result: Result


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """The call has its answer, good or bad."""

    effect: str
    result: Result
    spend: Spend = NOTHING_SPENT
    """What models spent inside the tool, where it was an agent."""


@dataclass(frozen=True, slots=True)
class AgentPaused:
    """An agent used as a tool waits for a person."""

    effect: str
    child: RunState


@dataclass(frozen=True, slots=True)
class ToolsConcluded:
    """The agent's word on its tools' results."""

    effect: str
    final: bool
    value: object = None


@dataclass(frozen=True, slots=True)
class HandoffInvoked:
    """The handoff happened; `filtered` says that the receiver's view is still to be decided."""

    effect: str
    result: HandoffResult
    filtered: bool


@dataclass(frozen=True, slots=True)
class HandoffDeclined:
    """The handoff did not happen; the model gets the result as its answer."""

    effect: str
    result: Result


@dataclass(frozen=True, slots=True)
class HandoffFiltered:
    """What the receiver sees, and what the record keeps of this turn."""

    effect: str
    input: tuple[Item, ...]
    earlier: tuple[Item, ...]
    fresh: tuple[Item, ...]
    visible: tuple[Item, ...] | None = None
    """Shown to the model in place of `fresh`, where given; the record keeps `fresh`."""


@dataclass(frozen=True, slots=True)
class OutputAccepted:
    """The candidate is the output."""

    effect: str
    value: object
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputDeclined:
    """The candidate is no output: the model goes on, told why where there is a note."""

    effect: str
    note: tuple[Item, ...] = ()
    failure: Failure | None = None
    """In place of which the user's code may give an output before the model goes on."""


@dataclass(frozen=True, slots=True)
class OutputTripped:
    """An output check stopped the run."""

    effect: str
    verdicts: tuple[Verdict, ...]
    failure: Failure


@dataclass(frozen=True, slots=True)
class OutputUnchecked:
    """The candidate can be read, but a check of it failed: nobody said no to it, and nobody yes."""

    effect: str
    failure: Failure


@dataclass(frozen=True, slots=True)
class Recovered:
    """The user's code gave an output in place of a failure."""

    effect: str
    value: object
    items: tuple[Item, ...] = ()
    """What enters the record with it."""


@dataclass(frozen=True, slots=True)
class NotRecovered:
    """The user's code lets the failure stand."""

    effect: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The effect could not be performed, and the run cannot go on."""

    effect: str
    failure: Failure
    result: Result | None = None
    """The answer that the call has all the same, where it failed after that."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Somebody stopped the run from outside. The only outcome that answers no effect."""

    reason: str = "The run was cancelled."


Outcome: TypeAlias = (
    InputPassed
    | InputTripped
    | ModelAnswered
    | Allowed
    | Denied
    | ApprovalNeeded
    | Approved
    | Rejected
    | ToolReturned
    | AgentPaused
    | ToolsConcluded
    | HandoffInvoked
    | HandoffDeclined
    | HandoffFiltered
    | OutputAccepted
    | OutputDeclined
    | OutputTripped
    | OutputUnchecked
    | Recovered
    | NotRecovered
    | Failed
    | Cancelled
)
