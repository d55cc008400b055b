"""What a person sees while an inspection goes on: lines that stay, and one line that changes."""

from __future__ import annotations

import sys
from typing import Final, TextIO

from handfast_inspect.progress import (
    AgentSpeaks,
    Degraded,
    FindingSeen,
    ProbeEnded,
    ProbeStarted,
    Progress,
)
from handfast_inspect.report.visible import visible

_LINE_WIDTH: Final = 100
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
    return visible(" ".join(text.split()))


class Terminal:
    """Tells a person how an inspection goes, and is quiet when nobody watches.

    Args:
        stream: Where to write; standard error, so that output can be piped.
        watched: Whether a person sees it; by default, whether it is a terminal.
    """

    def __init__(self, stream: TextIO = sys.stderr, *, watched: bool | None = None) -> None:
        self._stream = stream
        self._watched = stream.isatty() if watched is None else watched
        self._running: dict[str, str] = {}
        self._agent = ""

    def tell(self, step: Progress) -> None:
        """Show one step."""
        match step:
            case ProbeStarted(probe, title):
                self._running[probe] = title
            case ProbeEnded(probe, seconds, gaps):
                self._running.pop(probe, None)
                for gap in gaps:
                    self._say(f"  not seen   {probe}: {gap}")
                if seconds > 1:
                    self._say(f"  done       {probe} ({seconds:.1f} s)")
            case FindingSeen(finding):
                where = finding.asset.url or finding.asset.host
                words = f"{finding.title} ({finding.rule_id}) at {where}"
                self._say(f"  {finding.severity.value:<10} {words}", finding.severity.value)
            case AgentSpeaks(agent):
                self._agent = agent
                self._say(f"  agent      {agent}")
            case Degraded(reason):
                self.warn(f"{reason}; going on without the model")
        self._status()

    def warn(self, text: str) -> None:
        """Say something that a person must know even where nobody watches."""
        self._erase()
        print(f"handfast: {one_line(text)}", file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._erase()

    def _say(self, text: str, colour: str = "") -> None:
        if not self._watched:
            return
        self._erase()
        line = one_line(text.strip())[: _LINE_WIDTH * 2]
        begin, end = (_COLOURS[colour], _PLAIN) if colour in _COLOURS else ("", "")
        print(f"  {begin}{line}{end}", file=self._stream, flush=True)

    def _status(self) -> None:
        if not self._watched or not self._running:
            return
        running = ", ".join(sorted(self._running.values()))
        line = one_line(f"looking at {running}")[:_LINE_WIDTH]
        self._stream.write(f"{_CLEAR}  ... {line}")
        self._stream.flush()

    def _erase(self) -> None:
        if self._watched:
            self._stream.write(_CLEAR)
            self._stream.flush()
