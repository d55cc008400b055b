from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from handfast_inspect.progress import Degraded, ProbeEnded, ProbeStarted, Progress


def test_a_step_is_a_value() -> None:
    assert ProbeStarted("dns.caa", "CAA") == ProbeStarted("dns.caa", "CAA")
    step = ProbeEnded("dns.caa", 0.5, ())
    with pytest.raises(FrozenInstanceError):
        step.seconds = 1.0  # type: ignore[misc] # that is the point


def test_every_kind_of_step_is_told_apart_by_its_type() -> None:
    kinds = get_args(Progress)
    assert len(set(kinds)) == len(kinds)
    assert Degraded in kinds
