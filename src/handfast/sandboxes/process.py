"""Runs a program to its end and never longer: no shell, no input, no way to outlive its deadline.

Its output is read to the end on both streams at once and kept up to a cap; what is beyond is
counted and thrown away, so a program that talks too much neither blocks nor fills the memory. When
it is done, late or cancelled, everything that it started is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import shutil
import signal
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from handfast.errors import CommandRefused, ToolError
from handfast.sandboxes.process_tree import MARK_VARIABLE, ProcessTree

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where programs are looked for; the caller's own PATH is not used."""

CLEAN_ENVIRONMENT: Mapping[str, str] = {
    "PATH": SYSTEM_PATH,
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
}
"""The whole environment of a command: no proxies, no keys, no start-up files."""

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9_.+-]{0,63}", re.ASCII)
_CHUNK = 65_536
_TICK = 0.05
_DRAIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """How much a program may say, and how long it may be silent or refuse to die."""

    stdout_bytes: int = 1_000_000
    """Bytes of standard output that are kept."""
    stderr_bytes: int = 200_000
    """Bytes of standard error that are kept."""
    flood_bytes: int = 200_000_000
    """Bytes of both together after which the program is killed."""
    idle_seconds: float | None = None
    """Seconds without output after which the program is killed; None for no such limit."""
    grace_seconds: float = 2.0
    """Seconds between the request to end and the kill."""


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a program ended, and what it said."""

    exit_code: int | None
    """Its exit code; None when a signal ended it."""
    stdout: bytes
    stderr: bytes
    stdout_cut: int = 0
    """Bytes of standard output that were thrown away."""
    stderr_cut: int = 0
    """Bytes of standard error that were thrown away."""
    seconds: float = 0.0
    """Wall time."""
    stopped: str = ""
    """Why we ended it: timeout, idle or flood; empty when it ended by itself."""

    @property
    def timed_out(self) -> bool:
        """Whether it was ended for its time or its silence."""
        return self.stopped in {"timeout", "idle"}

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are no UTF-8 are replaced."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def summary(self) -> str:
        """How it ended, in one line for a model or a person."""
        if self.stopped:
            ended = f"{self.stopped}: stopped after {self.seconds:.1f} seconds"
        elif self.exit_code is None:
            ended = "ended by a signal"
        else:
            ended = f"exit code {self.exit_code}"
        cut = self.stdout_cut + self.stderr_cut
        return f"{ended}; {cut} bytes of output were cut" if cut else ended


def find_program(name: str) -> str:
    """Finds a program in the system's own directories.

    Args:
        name: Its bare name.

    Returns:
        Its absolute path.

    Raises:
        CommandRefused: The name is a path, or no name at all.
        ToolError: It is not installed.
    """
    if not _NAME.fullmatch(name):
        raise CommandRefused(f"{name!r} is no bare program name")
    found = shutil.which(name, path=SYSTEM_PATH)
    if found is None:
        raise ToolError(f"{name} is not installed in {SYSTEM_PATH}; install it or do without it")
    return found


async def run_process(
    argv: Sequence[str],
    *,
    seconds: float,
    limits: ProcessLimits | None = None,
    environment: Mapping[str, str] | None = None,
    directory: str = "/",
) -> ProcessResult:
    """Runs an argument vector to its end.

    Args:
        argv: The program's absolute path and its arguments; no shell reads them.
        seconds: Wall time after which it is killed with everything that it started.
        limits: How much it may say; `ProcessLimits()` when None.
        environment: Its whole environment; `CLEAN_ENVIRONMENT` when None.
        directory: Its working directory.

    Returns:
        How it ended and what it said, also when it was stopped.

    Raises:
        ToolError: It cannot be started.
    """
    bounds = limits or ProcessLimits()
    started = time.monotonic()
    clean = dict(CLEAN_ENVIRONMENT if environment is None else environment)
    async with _started(argv, clean, directory) as (process, tree):
        watch = _Watch(process, tree, bounds)
        stopped = await watch.to_the_end(seconds)
        code = process.returncode
    return ProcessResult(
        exit_code=code if code is not None and code >= 0 else None,
        stdout=bytes(watch.stdout.kept),
        stderr=bytes(watch.stderr.kept),
        stdout_cut=watch.stdout.cut,
        stderr_cut=watch.stderr.cut,
        seconds=time.monotonic() - started,
        stopped=stopped,
    )


@asynccontextmanager
async def _started(
    argv: Sequence[str], environment: dict[str, str], directory: str
) -> AsyncGenerator[tuple[asyncio.subprocess.Process, ProcessTree]]:
    mark = secrets.token_hex(16)
    if not argv:
        raise ToolError("nothing cannot be started; give a program")
    starting = asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**environment, MARK_VARIABLE: mark},
        cwd=directory,
        start_new_session=True,
        umask=0o077,
    )
    try:
        process, cancelled = await _to_the_end(starting)
    except (OSError, ValueError) as error:
        raise ToolError(f"{argv[0]} cannot be started: {error}") from error
    tree = ProcessTree(process.pid, mark)
    try:
        if cancelled:
            raise asyncio.CancelledError
        yield process, tree
    finally:
        _, cancelled = await _to_the_end(_end(process, tree))
        if cancelled:
            raise asyncio.CancelledError


async def _to_the_end(work: Coroutine[object, object, T]) -> tuple[T, bool]:
    """Awaits something even while cancelled, so that no process is started and then forgotten.

    Returns:
        Its result, and whether a cancellation came meanwhile.
    """
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    return task.result(), cancelled


async def _end(process: asyncio.subprocess.Process, tree: ProcessTree) -> None:
    await asyncio.to_thread(tree.kill)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            await process.wait()


@dataclass(slots=True)
class _Kept:
    """What is kept of one stream."""

    cap: int
    kept: bytearray = field(default_factory=bytearray)
    cut: int = 0

    def add(self, chunk: bytes) -> None:
        room = max(self.cap - len(self.kept), 0)
        self.kept += chunk[:room]
        self.cut += len(chunk) - min(room, len(chunk))


class _Watch:
    """Reads both streams of one process and notices when it has to be stopped."""

    def __init__(
        self, process: asyncio.subprocess.Process, tree: ProcessTree, limits: ProcessLimits
    ) -> None:
        self._process = process
        self._tree = tree
        self._limits = limits
        self._total = 0
        self._heard = time.monotonic()
        self.stdout = _Kept(limits.stdout_bytes)
        self.stderr = _Kept(limits.stderr_bytes)

    async def to_the_end(self, seconds: float) -> str:
        """Waits until the process and its streams are done, and stops it where it must be.

        Returns:
            Why it was stopped; empty when it ended by itself.
        """
        stopped = ""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None) as bound, asyncio.TaskGroup() as group:
                group.create_task(self._read(self._process.stdout, self.stdout))
                group.create_task(self._read(self._process.stderr, self.stderr))
                stopped = await self._wait(time.monotonic() + seconds)
                if stopped:
                    await self._ask_to_end()
                # What it left running would keep the streams open for ever.
                await asyncio.to_thread(self._tree.kill)
                bound.reschedule(asyncio.get_running_loop().time() + _DRAIN_SECONDS)
        return stopped

    async def _wait(self, deadline: float) -> str:
        while self._process.returncode is None:
            now = time.monotonic()
            idle = self._limits.idle_seconds
            silent = float("inf") if idle is None else self._heard + idle
            if self._total > self._limits.flood_bytes:
                return "flood"
            if now >= min(deadline, silent):
                return "timeout" if now >= deadline else "idle"
            await self._ended(min(deadline, silent, now + _TICK) - now)
        return ""

    async def _ended(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()

    async def _ask_to_end(self) -> None:
        await asyncio.to_thread(self._tree.signal, signal.SIGTERM)
        await self._ended(self._limits.grace_seconds)

    async def _read(self, stream: asyncio.StreamReader | None, kept: _Kept) -> None:
        while stream is not None and (chunk := await stream.read(_CHUNK)):
            self._heard = time.monotonic()
            self._total += len(chunk)
            kept.add(chunk)
