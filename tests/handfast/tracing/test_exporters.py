from __future__ import annotations

import io
import json
import stat
from pathlib import Path

import pytest

from handfast.tracing import ConsoleSpanExporter, CustomSpanData, FileSpanExporter
from handfast.tracing.exporters import line_of
from handfast.tracing.spans import NoOpSpan, RecordedSpan
from handfast.tracing.traces import RecordedTrace
from tracing_recorder import Recorder


def span_with(data: dict[str, object]) -> RecordedSpan:
    return RecordedSpan(
        trace_id="trace_1",
        span_id="span_1",
        parent_id=None,
        processor=Recorder(),
        span_data=CustomSpanData("s", data),
    )


def test_a_file_gets_a_line_for_each_and_is_its_owners_only(tmp_path: Path) -> None:
    path = tmp_path / "below" / "traces.jsonl"
    exporter = FileSpanExporter(path)
    exporter.export([NoOpSpan(CustomSpanData("nothing"))])
    assert not path.exists()
    exporter.export([RecordedTrace(name="wörk"), span_with({})])
    exporter.export([span_with({"bytes": b"x", "half": "\ud83d"})])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["object"] for line in lines] == ["trace", "trace.span", "trace.span"]
    assert lines[0]["workflow_name"] == "wörk"
    assert lines[2]["span_data"]["data"] == {"bytes": "b'x'", "half": "\ud83d"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_data_that_refers_to_itself_costs_only_itself() -> None:
    ring: dict[str, object] = {}
    ring["ring"] = ring
    line = line_of(span_with(ring))
    assert line is not None
    assert json.loads(line) == {
        "object": "trace.span",
        "id": "span_1",
        "trace_id": "trace_1",
        "parent_id": None,
        "started_at": None,
        "ended_at": None,
        "error": None,
        "unreadable": True,
    }


def test_the_console_gets_the_same_lines(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    items = [span_with({"k": 1}), NoOpSpan(CustomSpanData("nothing"))]
    ConsoleSpanExporter(stream).export(items)
    ConsoleSpanExporter().export(items)
    assert stream.getvalue() == capsys.readouterr().out == f"{line_of(items[0])}\n"
