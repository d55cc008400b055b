"""A trace provider of the test's own, and somebody who is told of everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handfast.tracing import DefaultTraceProvider, get_trace_provider, set_trace_provider
from tracing_recorder import Recorder


@pytest.fixture
def provider() -> Iterator[DefaultTraceProvider]:
    """The process's trace provider, with no processor, for this test only."""
    before = get_trace_provider()
    mine = DefaultTraceProvider()
    set_trace_provider(mine)
    yield mine
    set_trace_provider(before)


@pytest.fixture
def recorder(provider: DefaultTraceProvider) -> Recorder:
    """Told of every trace and span of this test."""
    told = Recorder()
    provider.register_processor(told)
    return told
