from __future__ import annotations

import pytest

from handfast import errors
from handfast.core.state import Failure
from handfast.runner.failures import error_of, failure_of


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (errors.ModelBehaviorError("x"), "model"),
        (errors.RateLimitError("x", status=429), "model"),
        (errors.ToolTimeoutError("t", 1), "tool"),
        (errors.EgressDenied("x"), "boundary"),
        (errors.MaxTurnsExceeded("x"), "limit"),
        (errors.GuardrailTripwireTriggered("x"), "guardrail"),
        (errors.UserError("x"), "user"),
        (ZeroDivisionError("x"), "user"),
    ],
)
def test_a_failure_says_whose_fault_it_was_and_gives_the_very_exception_back(
    error: Exception,
    fault: str,
) -> None:
    failure = failure_of(error)
    assert failure.fault == fault
    assert failure.name == type(error).__name__
    assert error_of(failure) is error


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("MaxTurnsExceeded", errors.MaxTurnsExceeded),
        ("RateLimitError", errors.RateLimitError),
        ("ZeroDivisionError", errors.HandfastError),
        ("os", errors.HandfastError),
    ],
)
def test_a_stored_failure_is_raised_as_its_class_where_that_is_ours(
    name: str,
    kind: type[Exception],
) -> None:
    error = error_of(Failure("limit", name, "what happened"))
    assert type(error) is kind
    assert "what happened" in str(error)


def test_a_cancelled_run_says_so() -> None:
    assert "stopped by hand" in str(error_of(Failure("cancelled", "Cancelled", "stopped by hand")))


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def test_an_error_that_cannot_be_told_is_a_failure_without_words() -> None:
    error = Unspeakable()
    failure = failure_of(error)
    assert (failure.name, failure.message) == ("Unspeakable", "")
    assert error_of(failure) is error
