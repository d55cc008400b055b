"""What was decided and done, one line each, chained so that a change shows.

Each record holds the hash of the one before it; its own hash covers everything in its line. A line
is canonical JSON in ASCII, so every byte of it counts. A log is kept by a store, which is handed
in: `MemoryLog` here, `FileLog` in `audit_file`.

Found by verification: any change of a byte, a removed, inserted, repeated or reordered record. A
cut of the last records is found by the head (count and last hash) that the store keeps beside the
log. Not found without a key: a writer who may change both the log and its head can compute a whole
new chain. With a `key` (HMAC-SHA-256, RFC 2104) kept elsewhere that takes the key as well. Not
found at all: log and head put back together to an earlier state; send the head elsewhere for that.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, cast

from handfast.boundary.redaction import redact
from handfast.errors import AuditError

GENESIS = "0" * 64
"""What the first record has for the hash of the one before it."""

MAX_LINE = 4_000_000
"""Bytes of one line; redaction keeps records far below."""

_FIELDS = frozenset({"seq", "time", "kind", "data", "prev", "hash"})


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log ends."""

    count: int = 0
    """How many records it has."""
    digest: str = GENESIS
    """The hash of the last one."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One record."""

    seq: int
    """Its number, from 1."""
    time: str
    """When it was written, ISO 8601 in UTC."""
    kind: str
    """What it tells of: verdict, egress, approval, call, handoff, repair."""
    data: Mapping[str, object]
    """The facts, redacted."""
    prev: str
    """The hash of the record before it."""
    digest: str
    """The hash of this one."""

    @property
    def line(self) -> bytes:
        """The record as it stands in a log, with its line break."""
        return _canonical({**self._body(), "hash": self.digest}) + b"\n"

    @property
    def head(self) -> Head:
        """Where a log ends that has this record last."""
        return Head(self.seq, self.digest)

    def _body(self) -> dict[str, object]:
        return {
            "seq": self.seq,
            "time": self.time,
            "kind": self.kind,
            "data": self.data,
            "prev": self.prev,
        }

    def sealed(self, key: bytes | None) -> str:
        """The hash that this record should have."""
        body = _canonical(self._body())
        if key is None:
            return hashlib.sha256(body).hexdigest()
        return hmac.new(key, body, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of a whole log found."""

    ok: bool
    records: int
    """How many good records stand before the first problem."""
    first_problem: str | None = None
    """The first problem in words, with its line; None when there is none."""
    head: Head = Head()
    """Where the good part ends."""


class AuditSink(Protocol):
    """Where decisions are written down: an `AuditLog`, or whatever takes its place."""

    def record(self, kind: str, data: Mapping[str, object]) -> object:
        """Writes one record; raises when it cannot be written, which stops the action."""
        ...


class AuditStore(Protocol):
    """Keeps the lines of one log, in order, for all its writers."""

    def append(self, seal: Callable[[Head], AuditRecord]) -> AuditRecord:
        """Adds one record while no other writer can.

        Args:
            seal: Makes the record from where the log ends at that moment.

        Raises:
            AuditError: The log cannot be written, or was changed by somebody else.
        """
        ...


class MemoryLog:
    """Keeps a log in memory, for tests and short runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: list[AuditRecord] = []

    @property
    def records(self) -> Sequence[AuditRecord]:
        """What was written."""
        return tuple(self._records)

    def append(self, seal: Callable[[Head], AuditRecord]) -> AuditRecord:
        """Adds one record."""
        with self._lock:
            record = seal(self._records[-1].head if self._records else Head())
            self._records.append(record)
            return record


def _now() -> datetime:
    return datetime.now(UTC)


class AuditLog:
    """Writes records to a store.

    Args:
        store: Where they go.
        clock: Gives the time.
        key: Secret of at least 16 bytes that seals each record; None for a plain chain.

    Raises:
        AuditError: The key is too short.
    """

    def __init__(
        self,
        store: AuditStore,
        *,
        clock: Callable[[], datetime] = _now,
        key: bytes | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._key = checked_key(key)

    def record(self, kind: str, data: Mapping[str, object]) -> AuditRecord:
        """Writes one record, after secrets were taken out.

        Args:
            kind: What it tells of, in a word.
            data: The facts; what JSON cannot hold becomes the name of its type.

        Returns:
            The record as written.

        Raises:
            AuditError: It could not be written; what it tells of must then not happen.
        """
        facts = cast("Mapping[str, object]", redact(dict(data)))
        time = self._clock().astimezone(UTC).isoformat(timespec="microseconds")

        def seal(head: Head) -> AuditRecord:
            return sealed_record(head, time=time, kind=kind, data=facts, key=self._key)

        return self._store.append(seal)


def checked_key(key: bytes | None) -> bytes | None:
    """Checks that a sealing key is long enough.

    Raises:
        AuditError: It is not.
    """
    if key is not None and len(key) < _MIN_KEY:
        raise AuditError(f"the audit key has {len(key)} bytes; it needs at least {_MIN_KEY}")
    return key


_MIN_KEY = 16


def sealed_record(
    head: Head, *, time: str, kind: str, data: Mapping[str, object], key: bytes | None
) -> AuditRecord:
    """Makes the record that follows a head."""
    draft = AuditRecord(head.count + 1, time, kind, data, head.digest, "")
    return AuditRecord(head.count + 1, time, kind, data, head.digest, draft.sealed(key))


def parse_line(line: bytes) -> AuditRecord:
    """Reads one line of a log, with its line break.

    Raises:
        AuditError: It is no record, or is not written byte for byte as a record is.
    """
    if not line.endswith(b"\n"):
        raise AuditError("ends before its line break: half a record")
    try:
        record = _record(json.loads(line))
        same = record.line == line
    except (ValueError, RecursionError) as error:
        raise AuditError("is not JSON as it is written here") from error
    if not same:
        raise AuditError("is not spelled as it was written")
    return record


def _record(fields: object) -> AuditRecord:
    if not isinstance(fields, dict) or fields.keys() != _FIELDS:
        raise AuditError("is not a record of an audit log")
    known = cast("dict[str, object]", fields)
    seq, data = known["seq"], known["data"]
    texts = [known[name] for name in ("time", "kind", "prev", "hash")]
    if isinstance(seq, bool) or not isinstance(seq, int) or not isinstance(data, dict):
        raise AuditError("has fields of the wrong type")
    if not all(isinstance(text, str) for text in texts):
        raise AuditError("has fields of the wrong type")
    time, kind, prev, digest = cast("list[str]", texts)
    return AuditRecord(seq, time, kind, cast("dict[str, object]", data), prev, digest)


def verify_lines(
    lines: Iterable[bytes], *, key: bytes | None = None, head: Head | None = None
) -> Verification:
    """Checks a whole log.

    Args:
        lines: Its lines, each with its line break.
        key: The key that sealed it, None for a plain chain.
        head: Where it should end, as its store or somebody else kept it; None to leave that open.
            A log may have one record more: its writer was stopped before it could note it.

    Returns:
        What was found; never raises for what stands in the log.
    """
    end = Head()
    known_at_head = Head() if head is None or head.count == 0 else None
    for number, line in enumerate(lines, start=1):
        found = _next_head(line, end, key)
        if isinstance(found, str):
            problem = f"line {number}: {found}"
            return Verification(ok=False, records=end.count, first_problem=problem, head=end)
        end = found
        if head is not None and end.count == head.count:
            known_at_head = end
    return _against_head(end, head, known_at_head)


def _next_head(line: bytes, end: Head, key: bytes | None) -> Head | str:
    try:
        record = parse_line(line)
    except AuditError as error:
        return str(error)
    if record.sealed(key) != record.digest:
        return "was changed, or sealed with another key"
    if record.seq != end.count + 1:
        return f"has number {record.seq} where {end.count + 1} belongs"
    if record.prev != end.digest:
        return "does not follow the record before it"
    return record.head


def _against_head(end: Head, head: Head | None, known_at_head: Head | None) -> Verification:
    problem = None
    if head is not None:
        if end.count < head.count:
            problem = f"the log ends after {end.count} records, {head.count} were written"
        elif known_at_head is not None and known_at_head.digest != head.digest:
            problem = f"record {head.count} is not the one that was written"
        elif end.count > head.count + 1:
            problem = f"the log has {end.count} records, only {head.count} were noted"
    return Verification(ok=problem is None, records=end.count, first_problem=problem, head=end)


def _canonical(value: object) -> bytes:
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return text.encode("ascii")
