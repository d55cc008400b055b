from __future__ import annotations

import json
import multiprocessing
import os
import resource
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handfast.boundary.audit import MAX_LINE, AuditLog, AuditRecord, Head, parse_line, sealed_record
from handfast.boundary.audit_file import FileLog, head_path, verify_file
from handfast.errors import AuditError

KEY = b"0123456789abcdef"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.audit"


def write(path: Path, count: int = 3, *, key: bytes | None = None) -> None:
    with FileLog(path, durable=False, key=key) as store:
        log = AuditLog(store, key=key)
        for number in range(count):
            log.record("call", {"number": number, "text": "x" * 50})


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_a_log_is_written_verified_and_continued(path: Path) -> None:
    write(path)
    write(path, 2)
    found = verify_file(path)
    assert found.ok
    assert found.records == 5
    assert parse_line(lines(path)[-1]).seq == 5


def test_a_durable_log_is_written_the_same(path: Path) -> None:
    store = FileLog(path)
    AuditLog(store).record("call", {})
    store.close()
    assert verify_file(str(path)).records == 1


def test_a_log_is_readable_by_its_owner_alone(path: Path) -> None:
    write(path, 1)
    assert path.stat().st_mode & 0o777 == 0o600
    assert head_path(path).stat().st_mode & 0o777 == 0o600


def test_an_empty_log_is_good(path: Path) -> None:
    FileLog(path).close()
    assert verify_file(path).ok


def test_two_open_logs_share_one_chain(path: Path) -> None:
    with FileLog(path) as one, FileLog(path) as other:
        for _ in range(3):
            AuditLog(one).record("call", {})
            AuditLog(other).record("call", {})
    assert verify_file(path).records == 6


def test_threads_share_one_chain(path: Path) -> None:
    with FileLog(path, durable=False) as one, FileLog(path, durable=False) as other:
        threads = [
            threading.Thread(target=_twenty, args=(AuditLog(store),)) for store in (one, other, one)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert verify_file(path).records == 60


def _twenty(log: AuditLog) -> None:
    for _ in range(20):
        log.record("call", {"process": os.getpid()})


def _child(path: str) -> None:
    with FileLog(path, durable=False) as store:
        _twenty(AuditLog(store))


def test_processes_share_one_chain(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_child, args=(str(path),)) for _ in range(2)]
    for child in children:
        child.start()
    _child(str(path))
    for child in children:
        child.join(30)
        assert child.exitcode == 0
    assert verify_file(path).records == 60


def test_a_forked_child_takes_a_lock_of_its_own(path: Path) -> None:
    with FileLog(path, durable=False) as store:
        log = AuditLog(store)
        log.record("call", {"process": "parent"})
        child = os.fork()
        if child == 0:
            log.record("call", {"process": "child"})
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        log.record("call", {"process": "parent"})
    assert verify_file(path).records == 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(position=st.integers(0, 10_000), flip=st.integers(1, 255))
def test_any_change_of_a_single_byte_is_found(path: Path, position: int, flip: int) -> None:
    path.unlink(missing_ok=True)
    head_path(path).unlink(missing_ok=True)
    write(path, 2)
    whole = bytearray(path.read_bytes())
    whole[position % len(whole)] ^= flip
    path.write_bytes(whole)
    assert not verify_file(path).ok


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_cut_log_is_found_and_not_continued(path: Path, kept: int) -> None:
    write(path)
    path.write_bytes(b"".join(lines(path)[:kept]))
    assert not verify_file(path).ok
    with pytest.raises(AuditError, match="was cut or changed"):
        write(path)


def test_a_half_written_line_is_cut_with_a_record_that_says_so(path: Path) -> None:
    write(path)
    with path.open("ab") as stream:
        stream.write(b'{"data":{"half')
    assert "half a record" in str(verify_file(path).first_problem)
    write(path, 1)
    found = verify_file(path)
    assert found.ok
    assert found.records == 5
    repair = parse_line(lines(path)[3])
    assert repair.kind == "repair"
    assert repair.data["cut_bytes"] == 14


def test_a_half_written_first_line_is_repaired_too(path: Path) -> None:
    path.write_bytes(b'{"data"')
    write(path, 1)
    assert verify_file(path).records == 2
    assert parse_line(lines(path)[0]).kind == "repair"


def test_a_repair_is_sealed_with_the_key(path: Path) -> None:
    write(path, key=KEY)
    with path.open("ab") as stream:
        stream.write(b"x")
    write(path, 1, key=KEY)
    assert verify_file(path, key=KEY).ok
    assert not verify_file(path).ok


def test_a_record_that_the_head_does_not_know_yet_is_taken_over(path: Path) -> None:
    write(path)
    before = head_path(path).read_bytes()
    write(path, 1)
    head_path(path).write_bytes(before)
    assert verify_file(path).ok
    write(path, 1)
    assert verify_file(path).records == 5


def test_more_than_one_such_record_is_a_forgery(path: Path) -> None:
    write(path)
    before = head_path(path).read_bytes()
    write(path, 2)
    head_path(path).write_bytes(before)
    assert not verify_file(path).ok
    with pytest.raises(AuditError, match="was cut or changed"):
        write(path, 1)


def test_another_last_record_is_a_forgery(path: Path) -> None:
    write(path)
    whole = lines(path)
    last = parse_line(whole[-1])
    forged = sealed_record(Head(2, last.prev), time=last.time, kind="call", data={"n": 9}, key=None)
    path.write_bytes(b"".join([*whole[:-1], forged.line]))
    assert not verify_file(path).ok
    with pytest.raises(AuditError, match="was cut or changed"):
        write(path, 1)


def test_a_last_record_that_is_none_stops_the_writer(path: Path) -> None:
    write(path)
    with path.open("ab") as stream:
        stream.write(b"garbage\n")
    with pytest.raises(AuditError, match="the last record is not JSON"):
        write(path, 1)


def test_a_missing_head_is_a_problem(path: Path) -> None:
    write(path)
    head_path(path).unlink()
    assert verify_file(path).first_problem == "the head is missing"
    with pytest.raises(AuditError, match="the head file is missing"):
        write(path, 1)


@pytest.mark.parametrize("text", [b"x", b"[]", b'{"count": "1", "hash": "x"}', b'{"count": 1}'])
def test_a_damaged_head_is_a_problem(path: Path, text: bytes) -> None:
    write(path)
    head_path(path).write_bytes(text)
    with pytest.raises(AuditError, match="is damaged"):
        verify_file(path)
    with pytest.raises(AuditError, match="is damaged"):
        write(path, 1)


def test_the_head_never_keeps_a_rest_of_a_longer_one(path: Path) -> None:
    write(path, 12)
    assert json.loads(head_path(path).read_bytes())["count"] == 12
    assert len(head_path(path).read_bytes()) == 128


def test_long_records_are_found_again(path: Path) -> None:
    with FileLog(path, durable=False) as store:
        log = AuditLog(store)
        log.record("call", {"texts": ["x y " * 4_000] * 20})
        log.record("call", {})
    write(path, 1)
    assert verify_file(path).records == 3


def test_a_record_that_is_too_long_is_refused(path: Path) -> None:
    def seal(head: Head) -> AuditRecord:
        return sealed_record(head, time="t", kind="k", data={"x": "x" * MAX_LINE}, key=None)

    with FileLog(path, durable=False) as store:
        with pytest.raises(AuditError, match="is too long"):
            store.append(seal)
        AuditLog(store).record("call", {})
    assert verify_file(path).records == 1


def test_files_that_cannot_be_opened_are_reported(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="cannot be opened: No such file"):
        FileLog(tmp_path / "absent" / "run.audit")
    with pytest.raises(AuditError, match="cannot be read: No such file"):
        verify_file(tmp_path / "absent.audit")
    link = tmp_path / "link.audit"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AuditError, match="cannot be opened"):
        FileLog(link)
    head_path(tmp_path / "run.audit").mkdir()
    with pytest.raises(AuditError, match="cannot be opened: Is a directory"):
        FileLog(tmp_path / "run.audit")


@pytest.mark.parametrize("room", [0, 20, 400])
def test_a_full_disk_stops_the_call_and_is_repaired_later(path: Path, room: int) -> None:
    with FileLog(path) as store:
        log = AuditLog(store)
        log.record("call", {})
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, hard))
        try:
            with pytest.raises(AuditError, match="cannot be written"):
                log.record("call", {"text": "x y" * 1_000})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        log.record("call", {})
    found = verify_file(path)
    assert found.ok
    assert found.records == (2 if room == 0 else 3)
