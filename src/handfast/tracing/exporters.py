"""Where traces can go without any service: a file, one JSON object a line, or the console."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from handfast.tracing.processor_interface import TracingExporter
from handfast.tracing.spans import Span
from handfast.tracing.traces import Trace


class FileSpanExporter(TracingExporter):
    """Adds traces and spans to a file, one JSON object a line.

    Each batch is one write at the file's end, so several processes can share a file. It is made
    readable by its owner only: traces may hold what users said.

    Args:
        path: The file; it and its folder are made when the first batch comes.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def export(self, items: Sequence[Trace | Span]) -> None:
        """Write a batch.

        Raises:
            OSError: The file cannot be written.
        """
        lines = [line for item in items if (line := line_of(item)) is not None]
        if not lines:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
            file.write("".join(f"{line}\n" for line in lines).encode())


class ConsoleSpanExporter(TracingExporter):
    """Prints traces and spans, one JSON object a line.

    Args:
        stream: Where to; None is the standard output.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def export(self, items: Sequence[Trace | Span]) -> None:
        """Print a batch."""
        stream = sys.stdout if self._stream is None else self._stream
        for item in items:
            line = line_of(item)
            if line is not None:
                stream.write(f"{line}\n")
        stream.flush()


def line_of(item: Trace | Span) -> str | None:
    """A trace or span as one line of JSON; None where nothing was recorded.

    What JSON cannot say is told by its `repr`; data that refers to itself is left out, so that one
    odd span costs no other.
    """
    exported = item.export()
    if exported is None:
        return None
    try:
        return json.dumps(exported, default=repr)
    except (TypeError, ValueError, RecursionError):
        bare = {key: value for key, value in exported.items() if isinstance(value, str | None)}
        return json.dumps({**bare, "unreadable": True})
