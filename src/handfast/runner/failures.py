"""Between exceptions and the core's `Failure`: whose fault it was, and raising it again."""

from __future__ import annotations

from typing import Final

from handfast import errors
from handfast.core.state import Failure, Fault

_FAULTS: Final[tuple[tuple[type[BaseException], Fault], ...]] = (
    (errors.ModelError, "model"),
    (errors.ToolError, "tool"),
    (errors.GuardrailTripwireTriggered, "guardrail"),
    (errors.BoundaryError, "boundary"),
    (errors.LimitExceeded, "limit"),
)


def failure_of(error: BaseException) -> Failure:
    """The failure that an exception means; one that is not ours came from the user's code."""
    faults: list[Fault] = [fault for kind, fault in _FAULTS if isinstance(error, kind)]
    return Failure(faults[0] if faults else "user", type(error).__name__, _words(error), error)


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - the edge to foreign code: an error that cannot be told is one
        return ""


def error_of(failure: Failure) -> BaseException:
    """The exception of a failure: the very one that was raised, or one of the same class.

    A failure that was stored has lost its exception; its class is found again by name.
    """
    if isinstance(failure.error, BaseException):
        return failure.error
    if failure.fault == "cancelled":
        return errors.HandfastError(failure.message)
    kind = getattr(errors, failure.name, None)
    if isinstance(kind, type) and issubclass(kind, errors.HandfastError):
        error = kind.__new__(kind)
        error.args = (failure.message,)
        return error
    return errors.HandfastError(f"{failure.name}: {failure.message}")
