"""What a guardrail forbids has not begun when it says so."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cases.case_model import agent, item_events, play, read_into, scripted, steps_of
from handfast import (
    GuardrailFunctionOutput,
    InputGuardrail,
    InputGuardrailTripwireTriggered,
    Runner,
    StreamEvent,
    function_tool,
)


class Gate:
    """An input guardrail that says its word after some turns of the event loop."""

    def __init__(self, *, trips: bool, blocking: bool, pauses: int) -> None:
        self.asked = 0
        self.over = False
        self.trips, self.pauses = trips, pauses
        self.guardrail = InputGuardrail[Any](self.check, "gate", not blocking)

    async def check(self, *_: object) -> GuardrailFunctionOutput:
        self.asked += 1
        for _turn in range(self.pauses):
            await asyncio.sleep(0)
        self.over = True
        return GuardrailFunctionOutput("checked", self.trips)


@pytest.mark.parametrize("pauses", [0, 1, 50])
@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize("trips", [True, False])
async def test_no_tool_starts_before_the_input_has_passed(
    trips: bool,  # noqa: FBT001 - a parameter of pytest
    blocking: bool,  # noqa: FBT001 - a parameter of pytest
    pauses: int,
    *,
    streamed: bool,
) -> None:
    gate = Gate(trips=trips, blocking=blocking, pauses=pauses)
    written: list[bool] = []

    @function_tool
    def write() -> str:
        written.append(gate.over)
        return "ok"

    model = scripted(steps_of("guardrail-1"))
    a = agent("A", model, tools=[write], input_guardrails=[gate.guardrail])
    if not trips:
        assert (await play(a, streamed=streamed)).final_output == "done"
        assert written == [True]
        return
    with pytest.raises(InputGuardrailTripwireTriggered):
        await play(a, streamed=streamed)
    assert written == []
    assert len(model.calls) <= (0 if blocking else 1)


@pytest.mark.parametrize("blocking", [True, False])
async def test_a_trip_comes_once_and_a_blocking_one_before_any_delta(
    blocking: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    gate = Gate(trips=True, blocking=blocking, pauses=20)
    model = scripted(steps_of("guardrail-3"))
    a = agent("A", model, input_guardrails=[gate.guardrail])
    result = Runner.run_streamed(a, "go")
    events: list[StreamEvent] = []
    with pytest.raises(InputGuardrailTripwireTriggered):
        await read_into(events, result)
    assert gate.asked == 1
    assert item_events(events) == []
    if blocking:
        assert [event.type for event in events] == ["agent_updated_stream_event"]
        assert model.calls == ()
    assert isinstance(result.run_loop_exception, InputGuardrailTripwireTriggered)
