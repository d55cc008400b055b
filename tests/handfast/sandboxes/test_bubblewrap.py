from __future__ import annotations

import shutil
import uuid
from pathlib import Path

import pytest

from handfast.boundary.commands import Command, build_command
from handfast.boundary.programs.host import Host
from handfast.errors import ToolError
from handfast.sandboxes.bubblewrap import BubblewrapSandbox, bubblewrap_argv, bubblewrap_problem
from handfast.sandboxes.process import SYSTEM_PATH, ProcessResult, run_process
from lab_scopes import lab
from running_processes import is_written, running_with

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap", path=SYSTEM_PATH) is None, reason="bubblewrap is not installed"
)


def make_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


async def skip_where_it_does_not_work() -> None:
    problem = await bubblewrap_problem()
    if problem is not None:
        pytest.skip(f"bubblewrap does not work here: {problem}")


async def inside(script: str, *, network: bool = False) -> ProcessResult:
    await skip_where_it_does_not_work()
    return await run_process(
        bubblewrap_argv("/bin/sh", ("-c", script), network=network), seconds=30
    )


@needs_bubblewrap
async def test_the_root_is_read_only_and_tmp_is_private(tmp_path: Path) -> None:
    found = await inside(f"touch /x /usr/x; touch /tmp/y && ls /tmp; ls {tmp_path}; ls /root /home")
    assert not is_written(Path("/x"))
    assert found.stderr.count(b"Read-only file system") == 2
    assert found.text.split() == ["y", "/home:", "/root:"]


@needs_bubblewrap
async def test_no_capability_is_left() -> None:
    found = await inside("grep -E 'Cap(Eff|Prm|Bnd)' /proc/self/status")
    assert found.text.split()[1::2] == ["0000000000000000"] * 3


@needs_bubblewrap
async def test_other_processes_are_not_seen() -> None:
    found = await inside("ls -d /proc/[0-9]* | wc -l; hostname")
    count, name = found.text.split()
    assert int(count) < 8
    assert name == "sandbox"


@needs_bubblewrap
async def test_without_need_there_is_no_network() -> None:
    found = await inside("cat /proc/net/dev | tail -n +3 | cut -d: -f1")
    assert found.text.split() == ["lo"]


@needs_bubblewrap
async def test_the_whole_sandbox_dies_at_the_deadline() -> None:
    await skip_where_it_does_not_work()
    unique = f"600.{uuid.uuid4().int % 10**12}"
    script = f"setsid sleep {unique} & sleep {unique}"
    found = await run_process(bubblewrap_argv("/bin/sh", ("-c", script), network=False), seconds=1)
    assert found.stopped == "timeout"
    assert running_with(unique) == []


@needs_bubblewrap
async def test_an_authorised_command_runs_inside() -> None:
    if shutil.which("host", path=SYSTEM_PATH) is None:
        pytest.skip("host is not installed")
    if await bubblewrap_problem() is not None:
        pytest.skip("bubblewrap does not work here")
    fields = Host("10.1.2.3", server="10.1.2.4", wait=1, retries=0)
    command = build_command(fields, lab())
    offline = Command(command.program, command.args, seconds=10, network=False)
    found = await BubblewrapSandbox().run(offline)
    assert found.exit_code == 1
    assert BubblewrapSandbox().isolated


@needs_bubblewrap
def test_the_network_is_kept_only_for_commands_that_need_it() -> None:
    assert "--unshare-net" in bubblewrap_argv("/bin/true", (), network=False)
    assert "--unshare-net" not in bubblewrap_argv("/bin/true", (), network=True)


@needs_bubblewrap
def test_arguments_come_after_the_end_of_the_options() -> None:
    argv = bubblewrap_argv("/bin/echo", ("--bind", "/", "/"), network=False)
    assert argv[-5:] == ("--", "/bin/echo", "--bind", "/", "/")


async def test_where_it_is_missing_the_problem_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handfast.sandboxes.bubblewrap.SYSTEM_PATH", "/nonexistent")
    assert await bubblewrap_problem() == "bubblewrap is not installed"
    with pytest.raises(ToolError):
        bubblewrap_argv("/bin/true", (), network=False)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo first >&2; echo 'no namespaces' >&2; exit 1", "no namespaces"),
        ("exit 1", "bubblewrap: exit code 1"),
    ],
)
async def test_where_it_does_not_work_its_own_words_are_told(
    script: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path / "bwrap", script)
    monkeypatch.setattr("handfast.sandboxes.bubblewrap.SYSTEM_PATH", str(tmp_path))
    assert await bubblewrap_problem() == problem
