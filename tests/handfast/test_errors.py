from __future__ import annotations

import inspect

import pytest

from handfast import errors


def test_everything_raised_on_purpose_has_one_root() -> None:
    for name, kind in vars(errors).items():
        if inspect.isclass(kind) and issubclass(kind, BaseException) and name != "DriverError":
            assert issubclass(kind, errors.HandfastError), name
    assert errors.AgentsException is errors.HandfastError
    assert not issubclass(errors.DriverError, errors.HandfastError)


def test_the_drawing_names_every_class() -> None:
    drawing = errors.__doc__ or ""
    for name, kind in vars(errors).items():
        if inspect.isclass(kind) and kind.__module__ == errors.__name__:
            assert name in drawing or name.endswith("TripwireTriggered"), name


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.ModelRefusalError("no"), "Model refused to respond: no"),
        (errors.ModelTimeoutError(1.5), "Model call timed out after 1.5 seconds."),
        (errors.ToolTimeoutError("t", 0.01), "Tool 't' timed out after 0.01 seconds."),
        (errors.EgressDenied("private", url="http://x/"), "http://x/: private"),
        (errors.EgressDenied("private"), "private"),
    ],
)
def test_messages_say_what_happened(error: errors.HandfastError, text: str) -> None:
    assert str(error) == error.message == text


def test_a_providers_error_keeps_what_a_retry_needs() -> None:
    error = errors.RateLimitError("slow", status=429, request_id="r", code="c", retry_after=3.0)
    assert (error.status, error.request_id, error.code, error.retry_after) == (429, "r", "c", 3.0)
