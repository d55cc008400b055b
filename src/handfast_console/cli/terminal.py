"""What a person sees while an inspection goes on: lines that stay, and one line that changes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from handfast_inspect.progress import (
    AgentSpeaks,
    Degraded,
    FindingSeen,
    ProbeEnded,
    ProbeStarted,
    Progress,
    Warned,
)
from handfast_inspect.report.summary import show_asset
from handfast_inspect.report.visible import visible

_LONG: Final = 1.0
"""Seconds after which the end of a probe is worth a line."""

_CLEAR: Final = "\r\x1b[2K"
_COLOURS: Final = {
    "critical": "\x1b[1;35m",
    "high": "\x1b[31m",
    "medium": "\x1b[33m",
    "low": "\x1b[36m",
    "info": "\x1b[2m",
}
_PLAIN: Final = "\x1b[0m"


def one_line(text: str) -> str:
    """Text as one line that a terminal cannot be fooled by."""
    return visible(" ".join(text.split()), one_line=True)


def put(text: str, encoding: str | None = None) -> None:
    """Write to standard output; a reader that has gone (`| head`) is no error.

    Args:
        text: What to write; characters that the encoding lacks are written as escapes.
        encoding: None takes the terminal's.
    """
    try:
        sys.stdout.flush()
        chosen = encoding or sys.stdout.encoding
        sys.stdout.buffer.write(text.encode(chosen, "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        silence_output()


def silence_output() -> None:
    """Send what is still to be written to standard output nowhere, at exit too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class Terminal:
    """Tells a person how an inspection goes, and is quiet when nobody watches.

    Args:
        stream: Where to write; standard error, so that output can be piped.
        environment: `NO_COLOR` (no-color.org) takes the colours away; `TERM=dumb` leaves only
            what must be known.
    """

    def __init__(
        self, stream: TextIO | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        variables = environment or {}
        self._stream = sys.stderr if stream is None else stream
        self._watched = self._stream.isatty() and variables.get("TERM") != "dumb"
        self._colours = not variables.get("NO_COLOR")
        self._running: dict[str, str] = {}

    def tell(self, step: Progress) -> None:
        """Show one step."""
        match step:
            case ProbeStarted(probe, title):
                self._running[probe] = title
            case ProbeEnded(probe, seconds, gaps):
                self._running.pop(probe, None)
                for gap in gaps:
                    self._say("not seen", f"{probe}: {gap}")
                if seconds > _LONG:
                    self._say("done", f"{probe} ({seconds:.1f} s)")
            case FindingSeen(finding):
                where = show_asset(finding.asset)
                words = f"{finding.title} ({finding.rule_id}) at {where}"
                self._say(finding.severity.value, words)
            case AgentSpeaks(agent):
                self._say("agent", agent)
            case Degraded(reason):
                self.warn(f"{reason}; going on without the model")
            case Warned(text):
                self.warn(text)
        self._status()

    def warn(self, text: str) -> None:
        """Say something that a person must know even where nobody watches."""
        self.close()
        self._write(f"handfast: {one_line(text)}\n")

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._watched:
            self._write(_CLEAR)

    def _say(self, label: str, text: str) -> None:
        if not self._watched:
            return
        colour = _COLOURS.get(label, "") if self._colours else ""
        end = _PLAIN if colour else ""
        line = _cut(one_line(text), 2 * _width() - 16)
        self._write(f"{_CLEAR}  {colour}{label:<10}{end} {line}\n")

    def _status(self) -> None:
        if not self._watched or not self._running:
            return
        # A line that wraps could not be taken back.
        room = _width() - 8
        line = _cut(one_line(f"looking at {', '.join(sorted(self._running.values()))}"), room)
        self._write(f"{_CLEAR}  ... {line}")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            # Nobody can be told any more; the inspection goes on for the report.
            self._watched = False


def _width() -> int:
    return max(shutil.get_terminal_size().columns, 40)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
