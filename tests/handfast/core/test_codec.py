from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.core.codec import decode_state, encode_state
from handfast.core.loop import start
from handfast.core.schema_versions import CURRENT_SCHEMA_VERSION
from handfast.core.state import RunState
from handfast.errors import UserError
from laws.worlds import WORLDS, World, begin, run_to_the_end


def plain(value: object) -> object:
    return value


@given(WORLDS)
def test_every_state_of_a_run_comes_back_as_it_was(world: World) -> None:
    _, trace = run_to_the_end(world)
    for state in [begin(world)[0], *trace.states]:
        stored = json.loads(json.dumps(encode_state(state, plain)))
        back = decode_state(stored, plain)
        assert back == state
        assert (back.seen is back.items) == (state.seen is state.items)


def test_what_the_core_does_not_read_goes_through_the_callers_hands() -> None:
    state, _ = start("a", [])
    stored = encode_state(state, lambda value: ["wrapped", value])
    assert json.dumps(stored)
    assert decode_state(stored, plain).agent == "a"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["_", "items", "run", "phase", "agent"]), inner)
        ),
        max_leaves=10,
    ),
)
def test_garbage_is_refused_with_an_error_of_ours(data: object) -> None:
    with pytest.raises(UserError):
        decode_state({"$schemaVersion": CURRENT_SCHEMA_VERSION, "run": data}, plain)
    with pytest.raises(UserError):
        decode_state(data, plain)


@given(WORLDS, st.data())
def test_a_stored_run_with_one_value_spoilt_is_refused_or_still_a_run(
    world: World,
    data: st.DataObject,
) -> None:
    state, _ = run_to_the_end(world)
    stored: Any = json.loads(json.dumps(encode_state(state, plain)))
    key = data.draw(st.sampled_from(sorted(stored["run"])))
    stored["run"][key] = data.draw(st.sampled_from([None, 7, "x", [], {}, {"_": "Gremlin"}]))
    with contextlib.suppress(UserError):
        assert isinstance(decode_state(stored, plain), RunState)
