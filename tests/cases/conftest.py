"""Whole and streamed runs behave alike: tests that take `streamed` prove it for both."""

from __future__ import annotations

import pytest


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
