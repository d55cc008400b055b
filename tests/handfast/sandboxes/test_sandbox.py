from __future__ import annotations

from pathlib import Path

import pytest

from handfast.boundary.commands import Command
from handfast.errors import ToolError
from handfast.sandboxes.bubblewrap import bubblewrap_problem
from handfast.sandboxes.process import ProcessLimits
from handfast.sandboxes.sandbox import PlainSandbox, SandboxWarning, choose_sandbox


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handfast.sandboxes.bubblewrap.SYSTEM_PATH", "/nonexistent")


async def test_off_is_plain() -> None:
    assert not (await choose_sandbox("off")).isolated


async def test_preferred_is_isolated_where_that_works() -> None:
    if await bubblewrap_problem() is not None:
        pytest.skip("bubblewrap does not work here")
    assert (await choose_sandbox()).isolated
    assert (await choose_sandbox("required")).isolated


@pytest.mark.usefixtures("without_bubblewrap")
async def test_preferred_warns_where_it_does_not() -> None:
    with pytest.warns(SandboxWarning, match="without a sandbox: bubblewrap is not installed"):
        assert not (await choose_sandbox()).isolated


@pytest.mark.usefixtures("without_bubblewrap")
async def test_required_fails_where_it_does_not() -> None:
    with pytest.raises(ToolError, match="no sandbox: bubblewrap is not installed"):
        await choose_sandbox("required")


async def test_a_command_runs_as_it_is_with_its_limits() -> None:
    command = Command("seq", ("1", "1000"), seconds=20)
    found = await PlainSandbox(ProcessLimits(stdout_bytes=4)).run(command)
    assert found.stdout == b"1\n2\n"
    assert found.exit_code == 0


async def test_a_program_that_is_missing_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match="is not installed"):
        await PlainSandbox().run(Command("no-such-program", (), seconds=1))


async def test_a_command_ends_at_its_own_deadline(tmp_path: Path) -> None:
    del tmp_path
    found = await PlainSandbox().run(Command("sleep", ("600",), seconds=0.3))
    assert found.timed_out
