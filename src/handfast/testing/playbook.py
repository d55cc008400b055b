"""`Playbook`: a run as a list of effects expected and outcomes given; no event loop at all.

    book = Playbook.start("triage", [question])
    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (answer,), Offer()))
    book.asks(CheckOutput)

The effects that an outcome newly asks for are what the next `asks` must name, all of them and in
order. That makes each line of a test the consequence of the line above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from handfast.core.effects import Effect
from handfast.core.items import Item
from handfast.core.loop import Step, advance, open_effects, start
from handfast.core.outcomes import Outcome
from handfast.core.state import Rules, RunState
from handfast.core.usage import Limits

E = TypeVar("E", bound=Effect)

_NO_LIMITS = Limits()
_NO_RULES = Rules()


class Playbook:
    """Steps the loop by hand.

    Attributes:
        state: The run as it stands.
        asked: Effects that the last outcome asked for and no `asks` has named yet.
    """

    def __init__(self, step: Step) -> None:
        self.state, self.asked = step

    @classmethod
    def start(
        cls,
        agent: str,
        conversation: Sequence[Item] = (),
        *,
        limits: Limits = _NO_LIMITS,
        rules: Rules = _NO_RULES,
        checks_before: bool = False,
        checks_beside: bool = False,
    ) -> Playbook:
        """Begin a run; the arguments are those of the loop's `start`."""
        return cls(
            start(
                agent,
                conversation,
                limits=limits,
                rules=rules,
                checks_before=checks_before,
                checks_beside=checks_beside,
            ),
        )

    @classmethod
    def resume(cls, state: RunState) -> Playbook:
        """Go on from a stored state, with every open effect still to be named."""
        return cls((state, open_effects(state)))

    def asks(self, *kinds: type[E]) -> tuple[E, ...]:
        """Expect exactly effects of these kinds, in order, and return them.

        Raises:
            AssertionError: The loop asked for something else.
        """
        found = tuple(effect for effect in self.asked if isinstance(effect, kinds))
        got = [type(effect).__name__ for effect in self.asked]
        wanted = [kind.__name__ for kind in kinds]
        if got != wanted:
            raise AssertionError(f"The loop asked for {got}, not for {wanted}.")
        self.asked = ()
        return found

    def give(self, outcome: Outcome) -> Playbook:
        """Feed one outcome.

        Raises:
            AssertionError: Effects that were asked for have not been named yet.
            DriverError: Nothing asked for this outcome.
        """
        if self.asked:
            raise AssertionError(f"Name these effects first: {self.asked!r}")
        self.state, self.asked = advance(self.state, outcome)
        return self
