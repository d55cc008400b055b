from __future__ import annotations

from dataclasses import fields
from typing import get_args

from handfast.core.outcomes import Cancelled, Outcome


def test_every_outcome_but_a_cancellation_names_the_effect_that_it_answers() -> None:
    for kind in get_args(Outcome):
        names = {field.name for field in fields(kind)}
        assert ("effect" in names) is (kind is not Cancelled)
