"""A program that a tool runs ends in time, with everything that it started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cases.case_model import agent, outputs, play, scripted, shown, steps_of
from handfast import function_tool
from handfast.sandboxes.process import ProcessLimits, run_process
from running_processes import running_with

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

WORKER = "import subprocess, sys; subprocess.run(['sleep', sys.argv[1]])"

WRAPPERS = {
    "waits": 'echo begun; "$0" -c "$1" "$2"',
    "in the background": 'echo begun; "$0" -c "$1" "$2" & wait',
    "detached": 'echo begun; setsid "$0" -c "$1" "$2" & sleep "$2"',
    "deaf": 'trap \'\' TERM INT HUP; echo begun; "$0" -c "$1" "$2"; sleep "$2"',
    "gone": 'echo begun; (setsid "$0" -c "$1" "$2" >/dev/null 2>&1 &) ; sleep "$2"',
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
async def test_after_its_limit_no_process_of_a_tree_is_alive(
    *,
    wrapper: str,
    streamed: bool,
    tmp_path: Path,
) -> None:
    number = str(900_000 + abs(hash(str(tmp_path))) % 90_000)  # tells these processes from others
    argv = ["/bin/sh", "-c", WRAPPERS[wrapper], sys.executable, WORKER, number]
    limits = ProcessLimits(grace_seconds=0.2)

    @function_tool
    async def sh(cmd: str) -> str:  # noqa: ARG001 - the model's word for it
        """Run a command."""
        done = await run_process(argv, seconds=0.5, limits=limits)
        return f"{done.text}{done.summary}"

    model = scripted(steps_of("process-1"))
    result = await play(agent("A", model, tools=[sh]), streamed=streamed)
    assert result.final_output == "timed out"
    told = outputs(shown(model))["c1"]
    assert told.startswith("begun\n")
    assert "timeout" in told
    assert running_with(number) == []


READERS = {
    "cat": ["/bin/cat"],
    "python": [sys.executable, "-i"],
    "read": ["/bin/sh", "-c", "read answer; echo got $answer"],
}


@pytest.mark.parametrize("program", READERS)
async def test_a_program_that_waits_for_a_keyboard_finds_none(
    *,
    program: str,
    streamed: bool,
) -> None:
    @function_tool
    async def sh(cmd: str) -> str:  # noqa: ARG001 - the model's word for it
        """Run a command."""
        done = await run_process(READERS[program], seconds=20.0)
        assert not done.timed_out
        return done.summary

    model = scripted(steps_of("process-3"))
    await play(agent("A", model, tools=[sh]), streamed=streamed)
    assert outputs(shown(model))["c1"].startswith("exit code")


@pytest.mark.parametrize("limit", ["idle", "total"])
async def test_a_program_that_waits_all_the_same_is_ended(*, limit: str, streamed: bool) -> None:
    limits = ProcessLimits(idle_seconds=0.3 if limit == "idle" else None, grace_seconds=0.2)

    @function_tool
    async def sh(cmd: str) -> str:  # noqa: ARG001 - the model's word for it
        """Run a command."""
        seconds = 20.0 if limit == "idle" else 0.5
        done = await run_process(["/bin/sleep", "1000"], seconds=seconds, limits=limits)
        return done.summary

    model = scripted(steps_of("process-3"))
    result = await play(agent("A", model, tools=[sh]), streamed=streamed)
    assert result.final_output == "that waited for input"
    assert ("idle" if limit == "idle" else "timeout") in outputs(shown(model))["c1"]
