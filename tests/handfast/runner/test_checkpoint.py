from __future__ import annotations

import json

import pytest

from handfast import UserError
from handfast.core.items import Result
from handfast.core.log import Log
from handfast.core.state import Asking, RunState
from handfast.core.usage import NOTHING_SPENT, Spend
from handfast.runner.checkpoint import Checkpoint, Ledger

STATE = RunState("a", Asking(), Log())
ANSWER = Result(
    "c1", {"type": "function_call_output", "call_id": "c1", "output": "yes"}, "a", "yes"
)


def test_a_call_that_began_and_did_not_end_is_unknown() -> None:
    ledger = Ledger()
    assert not ledger.is_unknown("1.tool.0")
    ledger.start("1.tool.0")
    assert ledger.is_unknown("1.tool.0")
    ledger.end("1.tool.0", ANSWER, NOTHING_SPENT)
    assert not ledger.is_unknown("1.tool.0")


def test_a_call_that_an_agent_answers_goes_on_from_where_that_is() -> None:
    ledger, deep = Ledger(), Ledger()
    deep.start("1.tool.0")
    now = Checkpoint(STATE, cache_key="k", ledger=deep)
    ledger.start("1.agent.0")
    ledger.enter("1.agent.0", lambda: now)
    assert not ledger.is_unknown("1.agent.0")
    stored = Ledger.of(json.loads(json.dumps(ledger.to_data())))
    assert stored.inside_of("1.agent.0") == now
    copied = ledger.copy().inside_of("1.agent.0")
    deep.end("1.tool.0", ANSWER, NOTHING_SPENT)
    assert copied is not None
    assert copied.ledger.is_unknown("1.tool.0")
    ledger.end("1.agent.0", ANSWER, NOTHING_SPENT)
    assert ledger.inside_of("1.agent.0") is None


def test_agents_of_earlier_turns_are_forgotten() -> None:
    ledger = Ledger()
    ledger.enter("1.agent.0", lambda: Checkpoint(STATE))
    ledger.start("2.tool.0")
    assert ledger.inside == {}


def test_a_paused_call_has_its_own_state() -> None:
    ledger = Ledger()
    ledger.start("1.agent.0")
    ledger.pause("1.agent.0")
    assert not ledger.is_unknown("1.agent.0")


def test_only_the_current_turn_is_remembered() -> None:
    ledger = Ledger()
    for turn in range(1, 100):
        ledger.start(f"{turn}.tool.0")
        ledger.end(f"{turn}.tool.0", ANSWER, NOTHING_SPENT)
    assert ledger.started == {"99.tool.0"}
    assert list(ledger.ended) == ["99.tool.0"]


def test_a_copy_is_its_own() -> None:
    ledger = Ledger()
    ledger.start("1.tool.0")
    copied = ledger.copy()
    copied.end("1.tool.0", ANSWER, NOTHING_SPENT)
    assert ledger.is_unknown("1.tool.0")


def test_what_is_noted_survives_storage() -> None:
    ledger = Ledger()
    ledger.start("2.tool.0")
    ledger.start("2.tool.1")
    ledger.end("2.tool.1", ANSWER, Spend(1, 2, 3, 5))
    assert Ledger.of(json.loads(json.dumps(ledger.to_data()))) == ledger
    assert Ledger.of(None) == Ledger()


@pytest.mark.parametrize(
    "data",
    [3, {"started": 1, "ended": {}}, {"started": [], "ended": {"1.tool.0": {"call_id": 3}}}],
)
def test_what_is_no_ledger_is_refused(data: object) -> None:
    with pytest.raises(UserError, match="stored run"):
        Ledger.of(data)
