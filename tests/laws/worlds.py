"""Hypothesis worlds: what a model says and what the world answers, drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st

from handfast.core.effects import (
    AskApproval,
    Authorize,
    CallModel,
    CallTool,
    CheckInput,
    CheckOutput,
    ConcludeTools,
    Effect,
    FilterHandoff,
    InvokeHandoff,
    Recover,
    RunAgent,
)
from handfast.core.items import Call, CallKind, HandoffResult, Item, Message, Reasoning, Result
from handfast.core.loop import Step, advance, open_effects, start
from handfast.core.outcomes import (
    AgentPaused,
    Allowed,
    ApprovalNeeded,
    Approved,
    Denied,
    Failed,
    HandoffDeclined,
    HandoffFiltered,
    HandoffInvoked,
    InputPassed,
    InputTripped,
    ModelAnswered,
    NotRecovered,
    Outcome,
    OutputAccepted,
    OutputDeclined,
    OutputTripped,
    Recovered,
    Rejected,
    ToolReturned,
    ToolsConcluded,
)
from handfast.core.state import Failure, Offer, Rules, RunState, Verdict
from handfast.core.usage import Limits, Spend

Fate = str
"""What happens to a call: safe, denied, approved, rejected, broken."""

FAILURE = Failure("tool", "Boom", "boom")


@dataclass(frozen=True)
class Turn:
    """One answer of the model."""

    calls: tuple[tuple[CallKind, Fate], ...]
    text: str
    reasoning: bool
    filtered: bool


@dataclass(frozen=True)
class World:
    """Everything that will happen, decided beforehand."""

    turns: tuple[Turn, ...]
    checks_before: bool
    checks_beside: bool
    trips: bool
    judges_tools: bool
    max_turns: int
    last_answer: bool
    handoffs: Literal["first", "all", "error"]
    recovers: bool


FATES = st.sampled_from(["safe"] * 6 + ["denied", "approved", "rejected", "paused"])
KINDS: st.SearchStrategy[CallKind] = st.sampled_from(
    ["function", "function", "function", "agent", "handoff", "unknown"],
)
TURNS = st.builds(
    Turn,
    calls=st.lists(st.tuples(KINDS, FATES), max_size=4).map(tuple),
    text=st.sampled_from(["", "hi", "你好"]),
    reasoning=st.booleans(),
    filtered=st.booleans(),
)
WORLDS = st.builds(
    World,
    turns=st.lists(TURNS, max_size=8).map(tuple),
    checks_before=st.booleans(),
    checks_beside=st.booleans(),
    trips=st.sampled_from([False] * 9 + [True]),
    judges_tools=st.booleans(),
    max_turns=st.integers(0, 10),
    last_answer=st.booleans(),
    handoffs=st.sampled_from(["first", "first", "all", "error"]),
    recovers=st.booleans(),
)


def begin(world: World) -> Step:
    return start(
        "agent",
        [Message("user", "hello", {"role": "user"})],
        limits=Limits(max_turns=world.max_turns),
        rules=Rules(
            world.handoffs,
            last_answer=world.last_answer,
            recovers=frozenset({"MaxTurnsExceeded"}),
        ),
        checks_before=world.checks_before,
        checks_beside=world.checks_beside,
    )


def fate_of(world: World, call: Call) -> Fate:
    turn, _, n = call.call_id.partition("-")
    return world.turns[int(turn)].calls[int(n)][1]


def result_of(call: Call, value: str) -> Result:
    return Result(call.call_id, {"output": value}, call.agent, value)


def perform(  # noqa: C901, PLR0912 - one flat case for each kind of effect
    world: World,
    effect: Effect,
    *,
    person: bool = True,
) -> Outcome | None:
    """The world's answer, the same whenever it is asked; None when no person is there."""
    match effect:
        case CheckInput(id_):
            verdicts = (Verdict("check", tripped=world.trips),)
            if world.trips:
                return InputTripped(id_, verdicts, FAILURE)
            return InputPassed(id_, verdicts)
        case CallModel(id_):
            return answer(world, effect)
        case Authorize(id_, _, call):
            fate = fate_of(world, call)
            if fate == "denied":
                return Denied(id_, result_of(call, "denied"))
            if fate in {"approved", "rejected"}:
                return ApprovalNeeded(id_, "because")
            return Allowed(id_)
        case AskApproval(id_, _, call):
            if not person:
                return None
            if fate_of(world, call) == "approved":
                return Approved(id_)
            return Rejected(id_, result_of(call, "rejected"))
        case CallTool(id_, _, call):
            return ToolReturned(id_, result_of(call, f"did {call.call_id}"))
        case RunAgent(id_, _, call, child):
            if fate_of(world, call) == "paused" and child is None:
                return AgentPaused(id_, start("child", [])[0])
            return ToolReturned(id_, result_of(call, "child done"), Spend(requests=1))
        case ConcludeTools(id_, _, results):
            return ToolsConcluded(id_, final=len(results) % 2 == 0, value=results[0][1].value)
        case InvokeHandoff(id_, agent, call):
            if fate_of(world, call) == "approved":
                return HandoffDeclined(id_, result_of(call, "bad JSON"))
            target = agent + "'"
            filtered = world.turns[int(call.call_id.partition("-")[0])].filtered
            return HandoffInvoked(id_, HandoffResult(call.call_id, {}, agent, target), filtered)
        case FilterHandoff(id_, _, _, conversation, earlier, fresh):
            return HandoffFiltered(id_, conversation[:], earlier[1:], fresh)
        case CheckOutput(id_, _, text, value):
            if text == "":
                return OutputDeclined(id_) if value is None else OutputAccepted(id_, value)
            if text == "hi" or (text == "" and value is not None):
                return OutputAccepted(id_, text or value)
            return OutputTripped(id_, (), FAILURE)
        case Recover(id_):
            return Recovered(id_, "recovered") if world.recovers else NotRecovered(id_)


def answer(world: World, effect: CallModel) -> ModelAnswered:
    turn = int(effect.id.partition(".")[0]) - 1
    if turn >= len(world.turns):
        return ModelAnswered(effect.id, (Message("assistant", "hi", {}, effect.agent),), Offer())
    said = world.turns[turn]
    items: list[Item] = []
    if said.reasoning:
        items.append(Reasoning({"n": turn}, effect.agent))
    if said.text or not said.calls:
        items.append(Message("assistant", said.text, {}, effect.agent))
    for n, (kind, _) in enumerate(said.calls):
        items.append(Call(f"{turn}-{n}", kind, "{}", {"n": n}, effect.agent, kind))
    offer = Offer({"function": "function"}, world.judges_tools)
    return ModelAnswered(effect.id, tuple(items), offer, Spend(requests=1, total_tokens=7))


@dataclass
class Trace:
    """What a driver did."""

    performed: list[Effect] = field(default_factory=list[Effect])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    states: list[RunState] = field(default_factory=list[RunState])
    """The state after each outcome."""
    first: RunState | None = None
    """The state before the first."""


Pick = Callable[[Sequence[Effect]], int]


def run(step: Step, world: World, pick: Pick, trace: Trace, *, person: bool = True) -> RunState:
    """Perform open effects one at a time, in the order that `pick` chooses."""
    state, effects = step
    waiting = list(effects)
    while waiting:
        effect = waiting.pop(pick(waiting))
        outcome = perform(world, effect, person=person)
        if outcome is None:
            continue
        trace.performed.append(effect)
        trace.outcomes.append(outcome)
        state, new = advance(state, outcome)
        trace.states.append(state)
        asked = {e.id for e in open_effects(state)}
        waiting = [e for e in (*waiting, *new) if e.id in asked]
    return state


def first(_: Sequence[Effect]) -> int:
    return 0


def run_to_the_end(world: World, pick: Pick = first) -> tuple[RunState, Trace]:
    """Run, going on from the stored state whenever only a person could move the run."""
    trace = Trace()
    step = begin(world)
    trace.first = step[0]
    state = run(step, world, pick, trace)
    for _ in range(8):
        effects = open_effects(state)
        if not effects:
            break
        state = run((state, effects), world, pick, trace)
    return state, trace


FAILED = Failed("", FAILURE)
