"""`Checkpoint`: where a run goes on from after it waited, failed or was stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from handfast.agents.json_types import is_array, is_object
from handfast.core.codec import decode_state, encode_state
from handfast.core.items import Result
from handfast.core.state import RunState
from handfast.core.usage import Spend
from handfast.errors import UserError
from handfast.runner.keeping import Kept
from handfast.runner.opaque import decode_opaque, encode_opaque
from handfast.runner.server_conversation import ServerConversation
from handfast.tracing.trace_state import TraceState


@dataclass(slots=True)
class Ledger:
    """Which calls of the current turn were started, and what came of those that ended.

    A result enters the run's state only when nothing failed beside it. What is in here says so
    earlier, so that a run which failed can be resumed and runs no call twice.
    """

    started: set[str] = field(default_factory=set[str])
    """Effects that began."""
    ended: dict[str, tuple[Result, Spend]] = field(
        default_factory=dict[str, tuple[Result, Spend]],
    )
    """What came of effects."""
    inside: dict[str, Callable[[], Checkpoint]] = field(
        default_factory=dict[str, "Callable[[], Checkpoint]"],
    )
    """Where the runs of agents used as tools are now, by the effect that they answer."""

    def start(self, effect: str) -> None:
        """Note that a call begins; what is noted of earlier turns is no longer needed."""
        turn = effect.partition(".")[0]
        if self.started and not next(iter(self.started)).startswith(f"{turn}."):
            self.started.clear()
            self.ended.clear()
        for stale in [each for each in self.inside if not each.startswith(f"{turn}.")]:
            del self.inside[stale]
        self.started.add(effect)

    def enter(self, effect: str, run: Callable[[], Checkpoint]) -> None:
        """Note that an agent runs for a call: from where that gets to, the call can go on."""
        self.inside[effect] = run

    def inside_of(self, effect: str) -> Checkpoint | None:
        """Where the agent's run is that answers a call; None where none has begun."""
        run = self.inside.get(effect)
        return None if run is None else run()

    def end(self, effect: str, result: Result, spend: Spend) -> None:
        """Note what came of a call."""
        self.ended[effect] = (result, spend)
        self.inside.pop(effect, None)

    def pause(self, effect: str) -> None:
        """Note that a call goes on later, with what it has done so far in its own state."""
        self.started.discard(effect)

    def is_unknown(self, effect: str) -> bool:
        """True when a call began and nobody knows what came of it."""
        known = effect in self.ended or effect in self.inside
        return effect in self.started and not known

    def copy(self) -> Ledger:
        """What is noted so far, with the runs inside where they are now."""
        inside = {effect: _still(run().copy()) for effect, run in self.inside.items()}
        return Ledger(set(self.started), dict(self.ended), inside)

    def to_data(self) -> dict[str, object]:
        """As JSON data, for a stored run."""
        return {
            "started": sorted(self.started),
            "ended": {name: _ended_data(*ended) for name, ended in self.ended.items()},
            "inside": {effect: run().to_data() for effect, run in self.inside.items()},
        }

    @classmethod
    def of(cls, data: object) -> Ledger:
        """Read from a stored run; nothing was noted where there is none.

        Raises:
            UserError: The data is not what a stored run holds.
        """
        if data is None:
            return cls()
        started = data.get("started") if is_object(data) else None
        ended = data.get("ended") if is_object(data) else None
        inside = data.get("inside", {}) if is_object(data) else None
        if not is_array(started) or not is_object(ended) or not is_object(inside):
            raise UserError("The stored run does not say which calls were started.")
        return cls(
            {str(each) for each in started},
            {name: _ended(each) for name, each in ended.items()},
            {name: _still(Checkpoint.of(each)) for name, each in inside.items()},
        )


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything of a run that is not the program's own."""

    core: RunState
    """The run as the core knows it."""
    kept: Kept = field(default_factory=Kept)
    """What a session holds of it."""
    server: ServerConversation | None = None
    """What the provider keeps of its conversation."""
    trace: TraceState | None = None
    """The trace that it belongs to."""
    ledger: Ledger = field(default_factory=Ledger)
    """Which calls of the current turn were started."""
    cache_key: str | None = None
    """What tells a provider that the run's requests begin alike."""

    def copy(self) -> Checkpoint:
        """The same, which no run moves on."""
        server = None if self.server is None else replace(self.server)
        return replace(self, server=server, ledger=self.ledger.copy())

    def to_data(self) -> dict[str, object]:
        """As JSON data, all but the trace."""
        return {
            **encode_state(self.core, encode_opaque),
            "session": self.kept.to_data(),
            "server": None if self.server is None else self.server.to_data(),
            "ledger": self.ledger.to_data(),
            "prompt_cache_key": self.cache_key,
        }

    @classmethod
    def of(cls, data: object, trace: TraceState | None = None) -> Checkpoint:
        """Read from a stored run.

        Args:
            data: What `to_data` wrote.
            trace: The trace that the run belongs to.

        Raises:
            UserError: The data is not what a stored run holds.
        """
        record: dict[str, object] = dict(data) if is_object(data) else {}
        return cls(
            decode_state(record, decode_opaque),
            Kept.of(record.get("session")),
            ServerConversation.of(record.get("server")),
            trace,
            Ledger.of(record.get("ledger")),
            _cache_key(record.get("prompt_cache_key")),
        )


def _cache_key(stored: object) -> str | None:
    if stored is None or isinstance(stored, str):
        return stored
    raise UserError("The stored run's prompt_cache_key is no text.")


def _still(checkpoint: Checkpoint) -> Callable[[], Checkpoint]:
    """A run that stays where it is."""
    return lambda: checkpoint


def _ended_data(result: Result, spend: Spend) -> dict[str, object]:
    return {
        "call_id": result.call_id,
        "raw": encode_opaque(result.raw),
        "agent": result.agent,
        "value": encode_opaque(result.value),
        "failed": result.failed,
        "origin": encode_opaque(result.origin),
        "custom_data": encode_opaque(result.custom_data),
        "spend": [
            spend.requests,
            spend.input_tokens,
            spend.output_tokens,
            spend.total_tokens,
            spend.cached_tokens,
            spend.reasoning_tokens,
        ],
    }


def _ended(data: object) -> tuple[Result, Spend]:
    record: Mapping[str, object] = data if is_object(data) else {}
    call_id, agent, spend = record.get("call_id"), record.get("agent"), record.get("spend")
    if not isinstance(call_id, str) or not isinstance(agent, str) or not is_array(spend):
        raise UserError("The stored run does not say what came of a call.")
    result = Result(
        call_id,
        decode_opaque(record.get("raw")),
        agent,
        decode_opaque(record.get("value")),
        bool(record.get("failed")),
        decode_opaque(record.get("custom_data")),
        decode_opaque(record.get("origin")),
    )
    return result, Spend(*cast("list[int]", list(spend)))
