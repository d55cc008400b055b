"""Every process that a command started, also those that moved away from it.

A process belongs to the tree when it is in the session of the first one, when it carries the mark
that the first one got in its environment, or when its parent belongs. So a daemon that forks twice
and starts its own session is found as long as it keeps its environment. Without /proc only the
process group can be reached.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MARK_VARIABLE = "HANDFAST_COMMAND"
"""The environment variable that marks the processes of one command."""

_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class ProcessTree:
    """The processes of one command."""

    leader: int
    """The first one; it leads a session and a group of its own."""
    mark: str
    """The value of `MARK_VARIABLE`, unique to the command."""
    proc: Path = Path("/proc")
    """Where the system lists its processes; without such a list only the group is reached."""

    def alive(self) -> list[int]:
        """Finds the living processes, as ids for `os.kill`.

        Dead ones that nobody reaped are not counted. Without /proc the whole group is one id.
        """
        if not self.proc.joinpath("self", "stat").exists():
            return [-self.leader] if _group_exists(self.leader) else []
        parents: dict[int, int] = {}
        members: set[int] = set()
        for pid, parent, session in _processes(self.proc):
            parents[pid] = parent
            if session == self.leader or self._is_marked(pid):
                members.add(pid)
        grown = True
        while grown:
            children = {pid for pid, parent in parents.items() if parent in members} - members
            members |= children
            grown = bool(children)
        members.discard(os.getpid())
        return sorted(members)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to each living process."""
        _send(self.alive(), number)

    def kill(self) -> bool:
        """Kills all of them, again and again until none is left to be found.

        Returns:
            Whether none is left.
        """
        killed: set[int] = set()
        for pause in range(_ROUNDS):
            alive = self.alive()
            # A child whose parent died first belongs no more, but may still be dying.
            if not alive and not any(self._is_running(pid) for pid in killed):
                return True
            killed.update(alive)
            # Stopped first, so that none can fork while the others are killed.
            _send(alive, signal.SIGSTOP)
            _send(alive, signal.SIGKILL)
            # The kernel needs a moment to bury them.
            time.sleep(pause * 0.005)
        return not self.alive()

    def _is_running(self, pid: int) -> bool:
        return any(found == pid for found, _, _ in _processes(self.proc, only=pid))

    def _is_marked(self, pid: int) -> bool:
        try:
            environment = self.proc.joinpath(str(pid), "environ").read_bytes()
        except OSError:
            return False
        return f"{MARK_VARIABLE}={self.mark}".encode() in environment.split(b"\0")


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _group_exists(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except PermissionError:
        return True
    except ProcessLookupError:
        return False
    return True


def _processes(proc: Path, *, only: int | None = None) -> Iterator[tuple[int, int, int]]:
    for entry in proc.iterdir() if only is None else [proc / str(only)]:
        if not entry.name.isdigit():
            continue
        try:
            status = entry.joinpath("stat").read_bytes()
        except OSError:
            continue
        # The name in parentheses may hold anything; the fields begin after the last parenthesis.
        fields = status.rpartition(b")")[2].split()
        if fields and fields[0] not in {b"Z", b"X"}:
            yield int(entry.name), int(fields[1]), int(fields[3])
