from __future__ import annotations

from hypothesis import given

from handfast.core.loop import open_effects
from handfast.core.state import is_over, waits_for_person
from laws.worlds import WORLDS, Trace, World, begin, first, run


@given(WORLDS)
def test_a_run_is_over_or_waits_or_has_something_to_do(world: World) -> None:
    trace = Trace()
    run(begin(world), world, first, trace, person=False)
    for state in trace.states:
        if is_over(state):
            assert open_effects(state) == ()
            assert not waits_for_person(state)
        else:
            assert open_effects(state)
