"""An audit log in a file, for any number of processes at once.

Beside `run.audit` stands `run.audit.head`: how many records there are and the hash of the last one.
A writer holds a lock on the log while it looks where the log ends, adds its line, makes it durable
and then notes the new head, in this order. So after a crash the log is at most one record ahead of
its head, and may end in half a line; the next writer cuts that half and says so in a record of
kind `repair`. Anything else that does not fit means that somebody was at the files, and writing
stops.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from io import FileIO, RawIOBase
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from handfast.boundary.audit import (
    MAX_LINE,
    AuditRecord,
    Head,
    Verification,
    checked_key,
    parse_line,
    sealed_record,
    verify_lines,
)
from handfast.errors import AuditError

_CHUNK = 65_536
_HEAD_SIZE = 128


class FileLog:
    """Keeps a log in a file; several of them, in several processes, may share it.

    Args:
        path: The log; made with its head when there is none, readable by its owner alone.
        durable: Whether each record is on the disk before `append` returns (fsync); without it a
            record survives the process, but perhaps not a power cut.
        key: The key that seals repair records, the same as the `AuditLog`'s.

    Raises:
        AuditError: The file cannot be opened.
    """

    def __init__(self, path: Path | str, *, durable: bool = True, key: bytes | None = None) -> None:
        self._path = Path(path)
        self._durable = durable
        self._key = checked_key(key)
        self._lock = threading.Lock()
        self._open_files()

    def _close_files(self) -> None:
        self._log.close()
        self._head.close()

    def _open_files(self) -> None:
        self._known: tuple[int, Head] | None = None
        self._pid = os.getpid()
        try:
            self._log = _open(self._path)
            try:
                self._head = _open(head_path(self._path))
            except OSError:
                self._log.close()
                raise
        except OSError as error:
            raise AuditError(f"{self._path}: cannot be opened: {error.strerror}") from error

    def append(self, seal: Callable[[Head], AuditRecord]) -> AuditRecord:
        """Adds one record; see `AuditStore`."""
        with self._lock:
            if self._pid != os.getpid():  # pragma: no cover - runs in a forked child
                # A forked child shares its parent's lock as long as it uses the parent's files.
                self._close_files()
                self._open_files()
            try:
                with _locked(self._log, fcntl.LOCK_EX):
                    return self._append(seal)
            except OSError as error:
                raise AuditError(f"{self._path}: cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Closes the files; the log can be opened again."""
        with self._lock:
            self._close_files()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _append(self, seal: Callable[[Head], AuditRecord]) -> AuditRecord:
        size = self._log.seek(0, os.SEEK_END)
        if self._known is None or self._known[0] != size:
            self._known = self._find_end(size)
        record = seal(self._known[1])
        self._write(record)
        return record

    def _write(self, record: AuditRecord) -> None:
        line = record.line
        if len(line) > MAX_LINE:
            raise AuditError(f"{self._path}: a record of {len(line)} bytes is too long")
        self._known = None
        self._log.seek(0, os.SEEK_END)
        _write_all(self._log, line)
        if self._durable:
            os.fsync(self._log.fileno())
        _write_head(self._head, record.head)
        if self._durable:
            os.fsync(self._head.fileno())
        self._known = (self._log.tell(), record.head)

    def _find_end(self, size: int) -> tuple[int, Head]:
        noted = _read_head(self._head, self._path)
        line, whole = _last_line(self._log, size)
        last = Head()
        if line:
            try:
                last = parse_line(line).head
            except AuditError as error:
                raise AuditError(f"{self._path}: the last record {error}") from error
        if noted is None and last.count > 1:
            raise AuditError(
                f"{self._path}: the head file is missing; verify the log, then move it"
            )
        expected = noted or Head()
        if last.count not in {expected.count, expected.count + 1} or (
            last.count == expected.count and last != expected
        ):
            raise AuditError(
                f"{self._path}: ends with record {last.count}, its head says {expected.count}: "
                "the log was cut or changed; keep both files and start a new log"
            )
        if whole == size:
            return size, last
        return self._repair(whole, size, last)

    def _repair(self, whole: int, size: int, last: Head) -> tuple[int, Head]:
        self._log.seek(whole)
        torn = self._log.read(size - whole)
        self._log.truncate(whole)
        facts = {"cut_bytes": len(torn), "cut_sha256": hashlib.sha256(torn).hexdigest()}
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        record = sealed_record(last, time=now, kind="repair", data=facts, key=self._key)
        self._write(record)
        return self._log.tell(), record.head


def head_path(path: Path) -> Path:
    """The file that says where a log ends."""
    return path.with_name(path.name + ".head")


def verify_file(path: Path | str, *, key: bytes | None = None) -> Verification:
    """Checks a log and its head.

    Args:
        path: The log.
        key: The key that sealed it, None for a plain chain.

    Raises:
        AuditError: A file cannot be read.
    """
    log = Path(path)
    try:
        with FileIO(log, "rb") as stream, _locked(stream, fcntl.LOCK_SH):
            head = _noted_head(log)
            found = verify_lines(_lines(stream), key=key, head=head)
    except OSError as error:
        raise AuditError(f"{path}: cannot be read: {error.strerror}") from error
    if found.ok and head is None and found.records > 1:
        return replace(found, ok=False, first_problem="the head is missing")
    return found


def _noted_head(log: Path) -> Head | None:
    path = head_path(log)
    if not path.exists():
        return None
    with FileIO(path, "rb") as stream:
        return _read_head(stream, log)


def _write_all(stream: RawIOBase, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[stream.write(view) or 0 :]


def _open(path: Path) -> RawIOBase:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    # Unbuffered: what could not be written must not be tried again behind our back.
    return FileIO(descriptor, "r+b")


@contextmanager
def _locked(stream: RawIOBase, kind: int) -> Generator[None]:
    fcntl.flock(stream.fileno(), kind)
    try:
        yield
    finally:
        fcntl.flock(stream.fileno(), fcntl.LOCK_UN)


def _lines(stream: RawIOBase) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE):
        yield line


def _write_head(stream: RawIOBase, head: Head) -> None:
    text = json.dumps({"count": head.count, "hash": head.digest}).encode("ascii")
    # One size always, so that a shorter head leaves nothing of a longer one behind.
    stream.seek(0)
    _write_all(stream, text.ljust(_HEAD_SIZE - 1) + b"\n")


def _read_head(stream: RawIOBase, path: Path) -> Head | None:
    stream.seek(0)
    text = stream.read(_HEAD_SIZE + 1)
    if not text:
        return None
    try:
        fields: object = json.loads(text)
    except ValueError:
        fields = None
    if isinstance(fields, dict):
        known = cast("dict[str, object]", fields)
        count, digest = known.get("count"), known.get("hash")
        if isinstance(count, int) and isinstance(digest, str):
            return Head(count, digest)
    raise AuditError(f"{head_path(path)}: is damaged; keep both files and start a new log")


def _last_line(stream: RawIOBase, size: int) -> tuple[bytes, int]:
    """Finds the last whole line, and where it ends."""
    tail, start = b"", size
    while start > 0 and tail.count(b"\n") < 2 and len(tail) <= 2 * MAX_LINE:  # noqa: PLR2004 - its own line break and that of the line before
        step = min(_CHUNK, start)
        start -= step
        stream.seek(start)
        tail = stream.read(step) + tail
    whole = tail.rfind(b"\n") + 1
    begin = tail.rfind(b"\n", 0, max(whole - 1, 0)) + 1
    return tail[begin:whole], start + whole
