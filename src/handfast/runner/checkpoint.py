"""`Checkpoint`: where a run goes on from after it waited, failed or was stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from handfast.agents.json_types import is_array, is_object
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

    def start(self, effect: str) -> None:
        """Note that a call begins; what is noted of earlier turns is no longer needed."""
        turn = effect.partition(".")[0]
        if self.started and not next(iter(self.started)).startswith(f"{turn}."):
            self.started.clear()
            self.ended.clear()
        self.started.add(effect)

    def end(self, effect: str, result: Result, spend: Spend) -> None:
        """Note what came of a call."""
        self.ended[effect] = (result, spend)

    def pause(self, effect: str) -> None:
        """Note that a call goes on later, with what it has done so far in its own state."""
        self.started.discard(effect)

    def is_unknown(self, effect: str) -> bool:
        """True when a call began and nobody knows what came of it."""
        return effect in self.started and effect not in self.ended

    def copy(self) -> Ledger:
        """What is noted so far."""
        return Ledger(set(self.started), dict(self.ended))

    def to_data(self) -> dict[str, object]:
        """As JSON data, for a stored run."""
        return {
            "started": sorted(self.started),
            "ended": {name: _ended_data(*ended) for name, ended in self.ended.items()},
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
        if not is_array(started) or not is_object(ended):
            raise UserError("The stored run does not say which calls were started.")
        return cls({str(each) for each in started}, {k: _ended(v) for k, v in ended.items()})


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
