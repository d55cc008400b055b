from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.audit import (
    GENESIS,
    AuditLog,
    AuditRecord,
    Head,
    MemoryLog,
    parse_line,
    verify_lines,
)
from handfast.errors import AuditError

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEY = b"0123456789abcdef"


def written(count: int = 5, *, key: bytes | None = None) -> tuple[list[bytes], Head]:
    store = MemoryLog()
    log = AuditLog(store, clock=lambda: NOON, key=key)
    for number in range(count):
        log.record("call", {"tool": f"tool {number}", "名": "值"})
    return [record.line for record in store.records], store.records[-1].head


def test_records_are_numbered_chained_and_timed_in_utc() -> None:
    store = MemoryLog()
    east = timezone(timedelta(hours=8))
    log = AuditLog(store, clock=lambda: NOON.astimezone(east))
    first = log.record("verdict", {"a": 1})
    second = log.record("call", {"b": 2})
    assert (first.seq, first.prev) == (1, GENESIS)
    assert (second.seq, second.prev) == (2, first.digest)
    assert first.time == "2026-11-30T12:00:00.000000+00:00"
    assert parse_line(second.line) == second


def test_lines_are_canonical_ascii() -> None:
    lines, _ = written(1)
    assert lines[0].isascii()
    fields = json.loads(lines[0])
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    assert lines[0] == text.encode() + b"\n"


def test_secrets_never_reach_a_line() -> None:
    store = MemoryLog()
    AuditLog(store).record("call", {"password": "hunter2", "url": "https://u:hunter2@example.org/"})
    assert b"hunter2" not in store.records[0].line


def test_a_whole_log_is_good() -> None:
    lines, head = written()
    found = verify_lines(lines, head=head)
    assert found.ok
    assert (found.records, found.first_problem, found.head) == (5, None, head)
    assert verify_lines([]).ok
    assert verify_lines([], head=Head()).ok


def test_the_current_time_is_used_when_no_clock_is_handed_in() -> None:
    record = AuditLog(MemoryLog()).record("call", {})
    assert abs(datetime.fromisoformat(record.time) - datetime.now(UTC)) < timedelta(minutes=1)


@given(st.data())
def test_any_change_of_a_single_byte_is_found(data: st.DataObject) -> None:
    lines, head = written(3)
    whole = bytearray(b"".join(lines))
    position = data.draw(st.integers(0, len(whole) - 1))
    whole[position] ^= data.draw(st.integers(1, 255))
    changed = bytes(whole).splitlines(keepends=True)
    assert not verify_lines(changed, head=head).ok


@given(st.data())
def test_a_byte_more_or_less_is_found(data: st.DataObject) -> None:
    lines, head = written(3)
    whole = b"".join(lines)
    position = data.draw(st.integers(0, len(whole) - 1))
    added = data.draw(st.binary(min_size=1, max_size=3))
    for changed in (
        whole[:position] + added + whole[position:],
        whole[:position] + whole[position + 1 :],
        whole + added,
    ):
        assert not verify_lines(_split(changed), head=head).ok


def _split(text: bytes) -> list[bytes]:
    parts = text.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


@given(st.permutations(range(5)))
def test_any_other_order_is_found(order: list[int]) -> None:
    lines, head = written()
    assert verify_lines([lines[i] for i in order], head=head).ok is (order == sorted(order))


@given(st.sets(st.integers(0, 4), max_size=4))
def test_any_missing_record_is_found(kept: set[int]) -> None:
    lines, head = written()
    assert not verify_lines([lines[i] for i in sorted(kept)], head=head).ok


def test_a_cut_end_is_found_by_the_head_alone() -> None:
    lines, head = written()
    assert verify_lines(lines[:3]).ok
    found = verify_lines(lines[:3], head=head)
    assert found.first_problem == "the log ends after 3 records, 5 were written"


def test_an_inserted_or_repeated_record_is_found() -> None:
    lines, head = written()
    other, _ = written(7)
    assert not verify_lines([*lines[:2], lines[1], *lines[2:]], head=head).ok
    assert not verify_lines([*lines, lines[-1]], head=head).ok
    assert verify_lines(other[:5], head=head).ok


def test_one_record_after_the_head_was_written_by_a_stopped_writer() -> None:
    lines, _ = written()
    head = parse_line(lines[3]).head
    assert verify_lines(lines, head=head).ok
    found = verify_lines(lines, head=parse_line(lines[2]).head)
    assert found.first_problem == "the log has 5 records, only 3 were noted"
    assert not verify_lines(lines, head=Head()).ok
    assert verify_lines(lines[:1], head=Head()).ok


def test_another_log_of_the_same_length_does_not_fit_the_head() -> None:
    lines, _ = written()
    forged = Head(5, "f" * 64)
    assert (
        verify_lines(lines, head=forged).first_problem == "record 5 is not the one that was written"
    )


def test_with_a_key_nobody_else_can_write_a_chain() -> None:
    lines, head = written(key=KEY)
    assert verify_lines(lines, key=KEY, head=head).ok
    assert not verify_lines(lines, head=head).ok
    assert not verify_lines(lines, key=b"another key, long enough", head=head).ok
    plain, _ = written()
    found = verify_lines(plain, key=KEY)
    assert found.first_problem == "line 1: was changed, or sealed with another key"


def test_a_key_must_be_long_enough() -> None:
    with pytest.raises(AuditError, match="needs at least 16"):
        AuditLog(MemoryLog(), key=b"short")


def resealed(record: AuditRecord, **changes: object) -> bytes:
    fields = {
        "seq": record.seq,
        "time": record.time,
        "kind": record.kind,
        "data": record.data,
        "prev": record.prev,
        **changes,
    }
    draft = AuditRecord(**fields, digest="")  # type: ignore[arg-type]  # made wrong on purpose
    return AuditRecord(**fields, digest=draft.sealed(None)).line  # type: ignore[arg-type]  # the same


def test_a_forged_record_that_does_not_follow_is_found() -> None:
    lines, _ = written(3)
    second = parse_line(lines[1])
    skipped = verify_lines([lines[0], resealed(second, seq=3)])
    assert skipped.first_problem == "line 2: has number 3 where 2 belongs"
    loose = verify_lines([lines[0], resealed(second, prev="a" * 64)])
    assert loose.first_problem == "line 2: does not follow the record before it"
    assert loose.records == 1


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"not json\n",
        b"\xff\xfe\n",
        b'{"a":1}\n',
        b'{"data":{},"hash":"x","kind":"k","prev":"p","seq":"1","time":"t"}\n',
        b'{"data":{},"hash":"x","kind":"k","prev":"p","seq":true,"time":"t"}\n',
        b'{"data":[],"hash":"x","kind":"k","prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{},"hash":"x","kind":7,"prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{},"hash":"x", "kind":"k","prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{"a":NaN},"hash":"x","kind":"k","prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{"a":1e999},"hash":"x","kind":"k","prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{},"hash":"\\u00e9\\ud800","kind":"k","prev":"p","seq":1,"time":"t"}\n',
        b'{"data":{},"hash":"x","kind":"k","prev":"p","seq":' + b"9" * 5_000 + b',"time":"t"}\n',
        b"[" * 100_000 + b"\n",
        b'{"data":{},"hash":"x","kind":"k","prev":"p","seq":1,"time":"t"}',
    ],
)
def test_what_is_no_record_is_a_problem_and_no_crash(line: bytes) -> None:
    found = verify_lines([line])
    assert not found.ok
    assert str(found.first_problem).startswith("line 1: ")


@given(st.lists(st.binary(max_size=30), max_size=5))
def test_verification_never_raises(lines: list[bytes]) -> None:
    assert verify_lines(lines).ok is (not lines)


def test_threads_write_one_chain() -> None:
    store = MemoryLog()
    log = AuditLog(store)
    threads = [
        threading.Thread(target=lambda: [log.record("call", {}) for _ in range(20)])
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify_lines(
        [record.line for record in store.records], head=Head(100, store.records[-1].digest)
    ).ok
