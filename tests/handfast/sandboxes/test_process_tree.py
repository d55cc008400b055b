from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from handfast.sandboxes.process_tree import MARK_VARIABLE, ProcessTree
from running_processes import is_alive

FORK_AWAY = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
time.sleep(600)
"""


START_WITHOUT_MARK = """
import subprocess, time
child = subprocess.Popen(["/bin/sleep", "600"], env={}, start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def mark() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def leader(mark: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(  # noqa: S603 - a program of this test
        [sys.executable, "-c", FORK_AWAY],
        env={MARK_VARIABLE: mark, "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    yield process
    ProcessTree(process.pid, mark).kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def daemon(process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def test_a_daemon_that_moved_away_is_found(leader: subprocess.Popen[bytes], mark: str) -> None:
    away = daemon(leader)
    assert os.getsid(away) != leader.pid
    alive = ProcessTree(leader.pid, mark).alive()
    assert leader.pid in alive
    assert away in alive
    assert os.getpid() not in alive


def test_everything_is_killed(leader: subprocess.Popen[bytes], mark: str) -> None:
    away = daemon(leader)
    assert ProcessTree(leader.pid, mark).kill()
    leader.wait(10)
    assert not is_alive(away)
    assert ProcessTree(leader.pid, mark).alive() == []


def test_children_belong_even_without_mark_and_session(
    leader: subprocess.Popen[bytes], mark: str
) -> None:
    away = daemon(leader)
    # Without the mark only the session and its children are found, not the daemon.
    tree = ProcessTree(leader.pid, mark + "other")
    assert tree.alive() == [leader.pid]
    assert is_alive(away)


def test_a_signal_reaches_the_whole_tree(leader: subprocess.Popen[bytes], mark: str) -> None:
    away = daemon(leader)
    ProcessTree(leader.pid, mark).signal(signal.SIGTERM)
    leader.wait(10)
    for _ in range(1_000):
        if not is_alive(away):
            break
    assert leader.returncode == -signal.SIGTERM


def test_without_a_list_of_processes_the_group_is_reached(
    leader: subprocess.Popen[bytes], mark: str, tmp_path: Path
) -> None:
    daemon(leader)
    tree = ProcessTree(leader.pid, mark, proc=tmp_path)
    assert tree.alive() == [-leader.pid]
    tree.signal(signal.SIGKILL)
    leader.wait(10)
    assert tree.alive() == []


def test_what_cannot_be_killed_is_told(tmp_path: Path) -> None:
    # A list that never changes stands for a process that no signal ends.
    for name in ("self", "4194305"):
        tmp_path.joinpath(name).mkdir()
        tmp_path.joinpath(name, "stat").write_bytes(b"4194305 (a b) c) S 1 4194305 4194305 0")
    tree = ProcessTree(4_194_305, "mark", proc=tmp_path)
    assert tree.alive() == [4_194_305]
    assert not tree.kill()


def test_a_tree_that_is_gone_is_no_error(mark: str) -> None:
    process = subprocess.Popen(["/bin/true"], start_new_session=True)
    process.wait()
    tree = ProcessTree(process.pid, mark)
    assert tree.alive() == []
    assert tree.kill()
    tree.signal(signal.SIGTERM)


def test_grandchildren_in_a_session_of_their_own_belong_by_their_parent(mark: str) -> None:
    process = subprocess.Popen(  # noqa: S603 - a program of this test
        [sys.executable, "-c", START_WITHOUT_MARK], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        child = daemon(process)
        assert child in ProcessTree(process.pid, mark).alive()
    finally:
        assert ProcessTree(process.pid, mark).kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    assert not is_alive(child)
