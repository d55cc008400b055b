from __future__ import annotations

import asyncio
import os
import shlex
import sys
import uuid
from pathlib import Path

import pytest

from handfast.errors import CommandRefused, ToolError
from handfast.sandboxes.process import (
    CLEAN_ENVIRONMENT,
    ProcessLimits,
    ProcessResult,
    find_program,
    run_process,
)
from running_processes import is_alive, is_written, number_in, running_with, zombies_of

SH = "/bin/sh"


def shell(script: str) -> tuple[str, ...]:
    """A shell as an ordinary program under test: the runner itself never uses one."""
    return (SH, "-c", script)


async def test_a_program_runs_to_its_end() -> None:
    found = await run_process(shell("echo out; echo err >&2; exit 3"), seconds=20)
    assert (found.exit_code, found.stdout, found.stderr) == (3, b"out\n", b"err\n")
    assert (found.stopped, found.timed_out, found.summary) == ("", False, "exit code 3")
    assert found.text == "out\n"


async def test_arguments_reach_the_program_as_they_are() -> None:
    odd = ["a b", "$(id)", "`id`", ";", "*", "'", '"', "\\", "-n", "", "中文"]
    script = "import sys; sys.stdout.buffer.write('|'.join(sys.argv[1:]).encode())"
    found = await run_process([sys.executable, "-c", script, *odd], seconds=20)
    assert found.text == "|".join(odd)


async def test_the_environment_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://evil.example")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
    found = await run_process(["/usr/bin/env"], seconds=20)
    names = {line.partition("=")[0] for line in found.text.splitlines()}
    assert names - {"PWD", "SHLVL", "_"} == {*CLEAN_ENVIRONMENT, "HANDFAST_COMMAND"}


async def test_an_environment_can_be_handed_in() -> None:
    found = await run_process(["/usr/bin/env"], seconds=20, environment={"A": "1"})
    assert "A=1" in found.text
    assert "HOME" not in found.text


async def test_a_program_that_waits_for_input_gets_none_and_ends() -> None:
    for argv in (("/bin/cat",), (sys.executable, "-i", "-q")):
        found = await run_process(argv, seconds=20)
        assert not found.timed_out
        assert found.exit_code == 0


async def test_nothing_of_the_tree_is_alive_after_the_limit() -> None:
    sleeper = "import time; print(1, flush=True); time.sleep(600)"
    worker = f"{shlex.quote(sys.executable)} -c '{sleeper}'"
    script = f"{worker} & echo $!; setsid {worker} & echo $!; wait"
    found = await run_process(shell(script), seconds=1)
    assert found.stopped == "timeout"
    assert found.timed_out
    assert found.exit_code is None
    assert "timeout: stopped after" in found.summary
    pids = [int(line) for line in found.text.split() if line != "1"]
    assert len(pids) == 2
    assert not any(is_alive(pid) for pid in pids)


async def test_what_was_said_before_the_limit_is_kept() -> None:
    found = await run_process(shell("echo early; sleep 600"), seconds=0.5)
    assert found.stdout == b"early\n"


async def test_a_program_that_ignores_the_request_to_end_is_killed() -> None:
    limits = ProcessLimits(grace_seconds=0.2)
    script = "trap '' TERM INT HUP; while :; do sleep 1; done"
    found = await run_process(shell(script), seconds=0.3, limits=limits)
    assert found.stopped == "timeout"
    assert found.seconds < 20


async def test_a_program_may_clean_up_when_it_is_asked_to_end() -> None:
    script = "trap 'echo bye; exit 5' TERM; echo hi; sleep 600 & wait"
    found = await run_process(shell(script), seconds=0.5)
    assert found.stdout == b"hi\nbye\n"
    assert found.exit_code == 5


async def test_a_silent_program_is_ended_by_the_idle_limit() -> None:
    limits = ProcessLimits(idle_seconds=0.5)
    script = "echo 1; sleep 0.2; echo 2; sleep 600"
    found = await run_process(shell(script), seconds=60, limits=limits)
    assert (found.stopped, found.stdout) == ("idle", b"1\n2\n")


async def test_what_a_program_leaves_running_is_killed_when_it_ends() -> None:
    found = await run_process(shell("sleep 600 & echo $!"), seconds=60)
    assert found.exit_code == 0
    assert found.seconds < 20
    assert not is_alive(int(found.text))


async def test_output_beyond_the_cap_is_counted_and_thrown_away() -> None:
    limits = ProcessLimits(stdout_bytes=1_000, stderr_bytes=10)
    script = "head -c 500000 /dev/zero; head -c 300 /dev/zero >&2; echo end >&2"
    found = await run_process(shell(script), seconds=60, limits=limits)
    assert (len(found.stdout), found.stdout_cut) == (1_000, 499_000)
    assert (len(found.stderr), found.stderr_cut) == (10, 294)
    assert found.summary == "exit code 0; 499294 bytes of output were cut"


async def test_everything_a_program_says_is_read_to_the_end() -> None:
    limits = ProcessLimits(stdout_bytes=10_000_000)
    found = await run_process(shell("head -c 5000000 /dev/zero"), seconds=60, limits=limits)
    assert len(found.stdout) == 5_000_000
    assert found.stdout_cut == 0


async def test_a_flood_ends_the_program() -> None:
    limits = ProcessLimits(flood_bytes=1_000_000)
    found = await run_process(shell("cat /dev/zero"), seconds=60, limits=limits)
    assert found.stopped == "flood"
    assert found.seconds < 30
    assert not found.timed_out


async def test_a_program_that_a_signal_ends_has_no_exit_code() -> None:
    found = await run_process(shell("kill -9 $$"), seconds=20)
    assert found.exit_code is None
    assert found.summary == "ended by a signal"


async def started(note: Path) -> int:
    """Waits until a program has written its process id."""
    async with asyncio.timeout(30):
        while not is_written(note):  # noqa: ASYNC110 - another process cannot set an event
            await asyncio.sleep(0)
    return number_in(note)


async def test_a_cancelled_run_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = f"echo $$ > {note}.new; mv {note}.new {note}; sleep 600"
    task = asyncio.create_task(run_process(shell(script), seconds=600))
    pid = await started(note)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_alive(pid)


async def test_a_run_that_is_cancelled_again_and_again_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    note = tmp_path / "pid"
    script = f"echo $$ > {note}.new; mv {note}.new {note}; sleep 600"
    task = asyncio.create_task(run_process(shell(script), seconds=600))
    pid = await started(note)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    assert task.cancelled()
    assert not is_alive(pid)


@pytest.mark.parametrize("moments", [0, 1, 2, 3, 5, 10, 50])
async def test_a_run_that_is_cancelled_while_it_starts_leaves_nothing_behind(moments: int) -> None:
    unique = f"600.{uuid.uuid4().int % 10**12}"
    script = f"sleep {unique} & sleep {unique}"
    task = asyncio.create_task(run_process(shell(script), seconds=600))
    for _ in range(moments):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running_with(unique) == []


async def test_no_zombie_is_left() -> None:
    for _ in range(3):
        await run_process(shell("sleep 0.01 & exit 0"), seconds=20)
    assert zombies_of(os.getpid()) == []


@pytest.mark.parametrize("argv", [("/no/such/program",), ("/etc/passwd",), ("/bin/echo", "a\0b")])
async def test_what_cannot_be_started_is_a_tool_error(argv: tuple[str, ...]) -> None:
    with pytest.raises(ToolError, match="cannot be started"):
        await run_process(argv, seconds=20)


async def test_an_empty_vector_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match="nothing"):
        await run_process((), seconds=20)


async def test_a_directory_that_is_missing_is_a_tool_error() -> None:
    with pytest.raises(ToolError):
        await run_process(("/bin/true",), seconds=20, directory="/no/such/directory")


async def test_files_of_a_program_are_private(tmp_path: Path) -> None:
    await run_process(("/usr/bin/touch", "x"), seconds=20, directory=str(tmp_path))
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o600


def test_programs_are_found_in_the_system_alone() -> None:
    assert find_program("sh").endswith("/sh")
    with pytest.raises(ToolError, match="no-such-program is not installed"):
        find_program("no-such-program")


@pytest.mark.parametrize(
    "name", ["", "/bin/sh", "./sh", "../sh", "sh ", "SH", "sh\n", "-sh", "s h"]
)
def test_a_path_is_no_program_name(name: str) -> None:
    with pytest.raises(CommandRefused, match="is no bare program name"):
        find_program(name)


def test_output_that_is_no_text_is_shown() -> None:
    assert ProcessResult(0, b"\xffa", b"").text == "\ufffda"
