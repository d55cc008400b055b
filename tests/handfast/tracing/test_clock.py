from __future__ import annotations

import re
from datetime import UTC, datetime

from handfast.tracing import gen_group_id, gen_span_id, gen_trace_id
from handfast.tracing.clock import time_iso


def test_ids_say_what_they_name_and_never_repeat() -> None:
    assert re.fullmatch(r"trace_[0-9a-f]{32}", gen_trace_id())
    assert re.fullmatch(r"span_[0-9a-f]{24}", gen_span_id())
    assert re.fullmatch(r"group_[0-9a-f]{24}", gen_group_id())
    assert len({gen_span_id() for _ in range(100)}) == 100


def test_times_are_utc() -> None:
    assert datetime.fromisoformat(time_iso()).tzinfo == UTC
