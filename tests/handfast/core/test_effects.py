from __future__ import annotations

from hypothesis import given

from handfast.core.effects import RunAgent
from laws.worlds import WORLDS, World, run_to_the_end


@given(WORLDS)
def test_an_id_names_one_effect_of_a_run(world: World) -> None:
    _, trace = run_to_the_end(world)
    ids = [e.id for e in trace.performed if not isinstance(e, RunAgent)]
    assert len(set(ids)) == len(ids)
    assert all(len(effect.id.split(".")) == 3 for effect in trace.performed)
