"""`RunState`: a whole run at one moment, as frozen data.

The phase says what the run waits for, and holds the calls of the turn. A call's way is a type at
each step: `Unauthorized`, then `Running` or `Unapproved` or `Held`, at last `Settled`. Nothing but
the boundary's outcome takes a call out of `Unauthorized`, and nothing but a person's takes it out
of `Unapproved`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from handfast.core.items import Call, CallKind, HandoffResult, Item, Result
from handfast.core.log import Log
from handfast.core.usage import NOTHING_SPENT, Limits, Spend

Fault: TypeAlias = Literal["user", "model", "tool", "boundary", "limit", "guardrail", "cancelled"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run ended without an output."""

    fault: Fault
    name: str
    """The error's class name, which survives storage."""
    message: str
    error: object = None
    """The exception itself, where the run is still in the process that saw it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one guardrail said."""

    name: str
    tripped: bool
    raw: object = None
    """The guardrail's own result."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a model was offered when it answered: enough to tell its calls apart."""

    kinds: Mapping[str, CallKind] = field(default_factory=dict[str, CallKind])
    """By the name that the model sees."""
    judges_tools: bool = False
    """True when the agent wants a say, after its tools ran, on whether their results are final."""
    withholds: bool = False
    """True when such a result is for nobody to see before output checks have let it through."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One response of a model, kept for results and storage."""

    agent: str
    spend: Spend
    response_id: str | None = None
    raw: object = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run was told to do where more than one thing makes sense."""

    handoffs: Literal["first", "error", "all"] = "first"
    """Several handoffs in one answer: the first runs; the run fails; or all run and come back."""
    last_answer: bool = False
    """True asks once more, without tools, when the turns are used up."""
    recovers: frozenset[str] = frozenset()
    """Names of failures that the user's code may turn into an output."""


# ---- a call's way -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unauthorized:
    """The boundary has not answered yet."""

    call: Call


@dataclass(frozen=True, slots=True)
class Unapproved:
    """The boundary wants a person to decide."""

    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class Running:
    """Freed: it runs, or will as soon as a driver performs it."""

    call: Call
    child: RunState | None = None
    """The state of an agent used as a tool, where it had begun before."""


@dataclass(frozen=True, slots=True)
class Paused:
    """An agent used as a tool waits for a person inside its own run."""

    call: Call
    child: RunState


@dataclass(frozen=True, slots=True)
class Held:
    """A freed handoff: it waits until every other call of the turn has its answer."""

    call: Call


@dataclass(frozen=True, slots=True)
class Settled:
    """Answered; the answer enters the transcript with the last of the turn."""

    call: Call
    result: Result


Slot: TypeAlias = Unauthorized | Unapproved | Running | Paused | Held | Settled


# ---- phases -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checking:
    """Input checks that must pass before the model is called."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The model is being called; checks that may run beside it may still be open."""

    check_open: bool = False
    last: bool = False
    """True when the turns are used up and this answer must do without tools."""
    items: tuple[Item, ...] | None = None
    """The answer, when it came before the checks had passed."""
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class Acting:
    """The calls of one answer, in call order."""

    slots: tuple[Slot, ...]
    offer: Offer

    @property
    def withholds(self) -> bool:
        """True when results are for nobody to see before output checks."""
        return self.offer.withholds


@dataclass(frozen=True, slots=True)
class Concluding:
    """All tools have answered; the agent is asked whether that is the output."""

    results: tuple[tuple[Call, Result], ...]
    withholds: bool = False
    """True when they are for nobody to see before output checks."""


@dataclass(frozen=True, slots=True)
class HandingOver:
    """The handoff's own code runs."""

    call: Call


@dataclass(frozen=True, slots=True)
class Filtering:
    """The receiver is known; what it will see is being decided."""

    call: Call
    result: HandoffResult


@dataclass(frozen=True, slots=True)
class Judging:
    """A candidate output is being checked."""

    text: str
    value: object = None
    from_tool: bool = False
    """True when `value` is the output as it stands: a tool's result, or one for a failure."""
    recovered: bool = False
    """True when it stands in place of a failure."""


@dataclass(frozen=True, slots=True)
class Recovering:
    """The run failed, and the user's code is asked for an output all the same."""

    failure: Failure
    stays: int = 0
    """What stays of the turn where the failure stands, see `Stopped`."""
    goes_on: bool = False
    """True where the model goes on unless the user's code gives an output."""


@dataclass(frozen=True, slots=True)
class Done:
    """The run has its output."""

    value: object


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ended without an output; everything it found is in the state."""

    failure: Failure
    stays: int = 0
    """How many items of the turn that it ended in, from the turn's first on, belong in sessions."""


Phase: TypeAlias = (
    Checking
    | Asking
    | Acting
    | Concluding
    | HandingOver
    | Filtering
    | Judging
    | Recovering
    | Done
    | Stopped
)


def _no_items() -> Log[Item]:
    return Log()


def _no_answers() -> Log[Answer]:
    return Log()


@dataclass(frozen=True)
class RunState:
    """A run at one moment. Everything a driver needs to go on is in here.

    Without slots, for `evolve`.
    """

    agent: str
    """The agent whose turn it is."""
    phase: Phase
    input: Log[Item]
    """The conversation before this run, as a model sees it; a handoff filter may rewrite it."""
    limits: Limits = Limits()
    rules: Rules = Rules()
    turn: int = 0
    """Model calls begun."""
    items: Log[Item] = field(default_factory=_no_items)
    """Everything this run produced, for results and sessions."""
    seen: Log[Item] = field(default_factory=_no_items)
    """The produced items that the next model call sees; the same log as `items` unless filtered."""
    items_mark: int = 0
    """Where this turn begins in `items`."""
    seen_mark: int = 0
    """Where this turn begins in `seen`."""
    answers: Log[Answer] = field(default_factory=_no_answers)
    spend: Spend = NOTHING_SPENT
    calls: int = 0
    """Calls asked for so far."""
    checks_beside: bool = False
    """True when input checks run beside the first model call."""
    used_tools: frozenset[str] = frozenset()
    """Agents that have called a tool, for the reset of a forced tool choice."""
    late: tuple[Item, ...] = ()
    """Input that came while the run waited: the next model call sees it, its answer records it."""
    input_verdicts: tuple[Verdict, ...] = ()
    output_verdicts: tuple[Verdict, ...] = ()


def is_over(state: RunState) -> bool:
    """True when nothing can move the run any more."""
    return isinstance(state.phase, Done | Stopped)


def waits_for_person(state: RunState) -> bool:
    """True when only a person's decision, here or in an agent used as a tool, can move the run."""
    phase = state.phase
    if not isinstance(phase, Acting):
        return False
    return all(isinstance(slot, Unapproved | Paused | Held | Settled) for slot in phase.slots)
