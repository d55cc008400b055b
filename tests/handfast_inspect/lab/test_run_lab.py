from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from handfast import UserError
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.run_lab import DEMO_TARGET, READY_FILE, describe_trespasses, run_lab
from handfast_inspect.lab.site import OUTSIDE
from laboratory_client import LaboratoryClient

PROGRAM = """
import asyncio, sys
from pathlib import Path
from handfast_inspect.lab.run_lab import run_lab
asyncio.run(run_lab(Path(sys.argv[1]), say=lambda line: print(line, flush=True), host=None))
"""


def read(path: Path) -> dict[str, object] | None:
    return json.loads(path.read_text()) if path.exists() else None


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def wait_for(path: Path) -> dict[str, object]:
    """Waits for the ready file; the loop's own clock paces the looks."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(30):
        while (content := read(path)) is None:
            tick = asyncio.Event()
            loop.call_later(0.01, tick.set)
            await tick.wait()
    return content


async def test_it_serves_for_its_duration_and_tidies_up(tmp_path: Path) -> None:
    said: list[str] = []
    async with asyncio.timeout(30):
        await run_lab(tmp_path, say=said.append, host=None, duration=0.1)
    text = "\n".join(said)
    assert f"handfast inspect {DEMO_TARGET}" in text
    assert "files.secret (critical)" in text
    assert said[-1] == "The laboratory is closed."
    assert names_in(tmp_path) == {"scope.toml", "ca.pem"}


async def test_the_ready_file_tells_where_everything_is(tmp_path: Path) -> None:
    running = asyncio.create_task(run_lab(tmp_path, say=lambda _: None, host=None))
    content = await wait_for(tmp_path / READY_FILE)
    assert content["pid"] == os.getpid()
    assert content["scope"] == str(tmp_path / "scope.toml")
    address, _, port = str(content["resolver"]).rpartition(":")
    _, writer = await asyncio.open_connection(address, int(port))
    writer.transport.abort()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert READY_FILE not in names_in(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-W", "error", "-X", "dev", "-c", PROGRAM, str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        content = await wait_for(tmp_path / READY_FILE)
        assert content["pid"] == process.pid
        process.send_signal(number)
        async with asyncio.timeout(30):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    assert out.decode().splitlines()[-1] == "The laboratory is closed."
    assert "Traceback" not in err.decode()
    assert READY_FILE not in names_in(tmp_path)


async def test_the_ready_file_may_stand_elsewhere(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    running = run_lab(tmp_path / "lab", say=lambda _: None, host=None, ready_file=ready)
    task = asyncio.create_task(running)
    await wait_for(ready)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert names_in(tmp_path / "lab") == {"scope.toml", "ca.pem"}


async def test_whoever_left_the_scope_is_named(
    client: LaboratoryClient, laboratory: Laboratory
) -> None:
    assert list(describe_trespasses(laboratory)) == []
    await client.get(OUTSIDE)
    assert list(describe_trespasses(laboratory)) == [
        "out of scope: outside.example http connect",
        "out of scope: outside.example http GET /",
    ]


async def test_a_ready_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        await run_lab(
            tmp_path, say=lambda _: None, host=None, ready_file=tmp_path / "none" / "ready"
        )


@pytest.mark.parametrize("duration", [0, -1])
async def test_a_duration_that_is_not_positive_is_refused(tmp_path: Path, duration: float) -> None:
    with pytest.raises(UserError, match="positive"):
        await run_lab(tmp_path, say=lambda _: None, duration=duration)


async def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        await run_lab(tmp_path / "file", say=lambda _: None, host=None)
