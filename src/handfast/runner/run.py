"""`Run`: what one run carries beside its state."""

from __future__ import annotations

import time
from asyncio import Semaphore
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from handfast.agents.agent import AnyAgent
from handfast.agents.catalog import Catalog
from handfast.agents.context import RunContextWrapper
from handfast.agents.guardrail import InputGuardrailResult, OutputGuardrailResult
from handfast.agents.hooks import RunHooks
from handfast.agents.items import RunItem, run_item_of
from handfast.agents.model import Model
from handfast.agents.tool_guardrail import ToolInputGuardrailResult, ToolOutputGuardrailResult
from handfast.core.events import AgentChanged, ItemAdded, events_between
from handfast.core.items import HandoffResult, Item
from handfast.core.loop import Step, advance
from handfast.core.outcomes import Outcome
from handfast.core.state import Recovering, RunState, Stopped
from handfast.runner.checkpoint import Checkpoint, Ledger
from handfast.runner.config import RunConfig
from handfast.runner.keeping import Keeper, Kept
from handfast.runner.known_calls import KnownCalls
from handfast.runner.server_conversation import ServerConversation
from handfast.runner.shared_agents import Holding
from handfast.runner.spans import RunSpans
from handfast.runner.stream_events import AgentUpdatedStreamEvent, StreamEvent, item_event
from handfast.runner.toolbox import Toolboxes
from handfast.runner.transcript import Transcript
from handfast.tracing.trace_state import TraceState

Emit: TypeAlias = Callable[[StreamEvent], None]
"""Is told each event of the run; must return at once."""


Driver: TypeAlias = Callable[["Run", Step], Awaitable[RunState]]
"""Performs effects from a step on, until the run is over or waits for a person."""


class Run:
    """The live side of a run: agents, user code, memory of what was rendered, the latest state.

    Args:
        first: The agent that the run began with.
        context: Handed to user code.
        config: The run's settings.
        driver: Drives the runs of agents that are used as tools.
        hooks: The run's hooks.
        emit: Where events go; None when nobody watches.
    """

    introduced: AnyAgent | None = None
    """The agent whose start the hooks have been told of."""
    turn_read: Callable[[], Awaitable[None]] | None = None
    """Waits until a reader is done with the events of a turn; None where nobody reads."""
    stops_at_turn_end: bool = False
    """True once a reader asked for the run to stop after the turn that it is in."""
    server: ServerConversation | None = None
    """What the provider keeps of the conversation; None where it keeps nothing."""
    keeper: Keeper | None = None
    """Keeps the run's session in step; None without a session."""
    spans: RunSpans | None = None
    """The spans that are open now; None while nobody records them."""
    trace: TraceState | None = None
    """The trace that the run belongs to; None where nobody records it."""
    cache_key: str | None = None
    """What tells a provider that requests begin alike; made with the first, kept when resumed."""
    going: bool = False
    """True while the run is driven, or is about to be."""
    silent_answers: int = 0
    """How many answers in a row had neither words nor calls."""
    output_repairs: int = 0
    """How often a model was given its final output back to repair."""
    handoff_repairs: int = 0
    """How often a model was given the JSON of a handoff back to repair."""

    def __init__(
        self,
        first: AnyAgent,
        context: RunContextWrapper[Any],
        config: RunConfig,
        driver: Driver,
        *,
        hooks: RunHooks[Any, Any] | None = None,
        emit: Emit | None = None,
    ) -> None:
        self.catalog = Catalog(first)
        self.context = context
        self.config = config
        self.driver = driver
        self.hooks = hooks
        self.emit = emit
        self.holding = Holding()
        """The agents that the run uses, which another may be using too."""
        self.toolboxes = Toolboxes(config.tool_name_collision_policy, self.holding.check)
        self.transcript = Transcript(
            omit_reasoning_ids=config.reasoning_item_id_policy == "omit",
        )
        limit = config.tool_execution and config.tool_execution.max_function_tool_concurrency
        self.tool_slots = Semaphore(limit) if limit else None
        """What a tool call waits for; None where all of a turn's calls start at once."""
        self.models: dict[str | None, Model] = {}
        self.input_results: list[InputGuardrailResult] = []
        self.output_results: list[OutputGuardrailResult] = []
        self.tool_input_results: list[ToolInputGuardrailResult] = []
        self.tool_output_results: list[ToolOutputGuardrailResult] = []
        self.error_handlers: Mapping[Any, Any] = {}
        """By kind of failure, the user's code that may give an output in place of it."""
        self.asked: Counter[str] = Counter()
        """How often each call was asked for, by its key, where a policy wants to know."""
        self.started = time.monotonic()
        self.ledger = Ledger()
        """Which calls of the current turn were started, and what came of them."""
        self.kept = Kept()
        """What a session held of the run before it went on without one."""
        self._state: RunState | None = None
        self._resumable: RunState | None = None
        self.known_calls = KnownCalls()
        """The calls so far, to tell those of the next answer apart."""

    @property
    def first(self) -> AnyAgent:
        """The agent that the run began with."""
        return self.catalog.first

    @property
    def state(self) -> RunState:
        """The run as it stands."""
        if self._state is None:
            raise RuntimeError("The run has not begun.")
        return self._state

    def begin(self, step: Step) -> Step:
        """Take the first state, new or stored."""
        self._state = self._resumable = step[0]
        self.known_calls = KnownCalls()
        self.known_calls.take_up(step[0].input, step[0].items)
        return step

    def move(self, outcome: Outcome) -> Step:
        """Advance the state, and tell of it whoever watches."""
        before = self.state
        step = advance(before, outcome)
        self._state = step[0]
        if not isinstance(step[0].phase, Recovering | Stopped):
            self._resumable = step[0]
        if self.emit is not None:
            self._tell(self.emit, before, step[0])
        return step

    def take_up(self, checkpoint: Checkpoint) -> None:
        """Go on from what is known of a run that stopped there."""
        self.kept, self.cache_key = checkpoint.kept, checkpoint.cache_key
        self.ledger = checkpoint.ledger.copy()

    def checkpoint(self) -> Checkpoint:
        """Where the run goes on from: after a failure, from before it."""
        kept = self.kept if self.keeper is None else self.keeper.kept
        state = self._resumable or self.state
        return Checkpoint(state, kept, self.server, self.trace, self.ledger, self.cache_key)

    def public_item(self, item: Item) -> RunItem:
        """The item as users see it."""
        target = self.catalog.view(item.target) if isinstance(item, HandoffResult) else None
        return run_item_of(item, self.catalog.view(item.agent), target)

    def release(self) -> None:
        """Keep no agent, tool or hook alive: the run goes no further."""
        self.catalog.release()
        self.toolboxes.clear()
        self.models.clear()
        self.introduced = self.hooks = None
        self.error_handlers = {}
        for result in self.output_results:
            result.release_agent()

    def _tell(self, emit: Emit, before: RunState, after: RunState) -> None:
        for event in events_between(before, after):
            match event:
                case ItemAdded(item):
                    emit(item_event(self.public_item(item)))
                case AgentChanged(agent):
                    emit(AgentUpdatedStreamEvent(self.catalog[agent]))
                case _:
                    pass
