from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Handfast
from handfast import AuditLog, FileLog


@pytest.fixture(name="log")
def _log(tmp_path: Path) -> Path:
    path = tmp_path / "audit.jsonl"
    with FileLog(path, durable=False) as file:
        for number in range(5):
            AuditLog(file).record("egress", {"asked": f"http://example.org/{number}"})
    return path


def test_a_whole_log_is_said_to_be_whole(handfast: Handfast, log: Path) -> None:
    ended = handfast("audit", "verify", log)
    assert (ended.code, ended.out, ended.err) == (0, f"{log}: whole, 5 records\n", "")


def test_every_changed_byte_is_found(handfast: Handfast, log: Path) -> None:
    whole = log.read_bytes()
    for position in range(0, len(whole), 97):
        log.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        ended = handfast("audit", "verify", log)
        assert ended.code == 1
        assert len(ended.out.splitlines()) == 1


def test_a_cut_log_is_found(handfast: Handfast, log: Path) -> None:
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))
    ended = handfast("audit", "verify", log)
    assert ended.code == 1
    assert "ends after 3 records, 5 were written" in ended.out


def test_a_log_that_is_not_there_is_one_clear_line(handfast: Handfast, tmp_path: Path) -> None:
    ended = handfast("audit", "verify", tmp_path / "none.jsonl")
    assert ended.code == 2
    assert "there is no such audit log" in ended.complaint
    assert ended.out == ""


def test_a_hostile_log_cannot_write_to_the_terminal(handfast: Handfast, tmp_path: Path) -> None:
    path = tmp_path / "\x1b[2Jx.jsonl"
    path.write_bytes(b"\x1b[31mno record\n")
    ended = handfast("audit", "verify", path)
    assert ended.code == 1
    assert "\x1b" not in ended.out


def test_an_action_is_needed(handfast: Handfast) -> None:
    ended = handfast("audit")
    assert ended.code == 2
    assert "ACTION" in ended.complaint
