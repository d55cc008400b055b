"""One file, many writers: nobody is turned away and nothing is lost."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from cases.case_model import agent, scripted
from handfast import Runner, SQLiteSession

PROGRAM = """
import asyncio, sys
from handfast import Agent, Runner, SQLiteSession
from handfast.testing.messages import assistant_message
from handfast.testing.scripted_model import ScriptedModel

async def one(path, name):
    model = ScriptedModel([[assistant_message("ok")]])
    await Runner.run(Agent(name="A", model=model), "go", session=SQLiteSession(name, path))

async def main(path, process):
    await asyncio.gather(*(one(path, f"{process}-{n}") for n in range(5)))

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


async def test_twenty_runs_in_four_processes_and_a_reader(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    writers = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            PROGRAM,
            str(path),
            str(n),
            stderr=asyncio.subprocess.PIPE,
        )
        for n in range(4)
    ]
    reader = SQLiteSession("0-0", path)
    ended = asyncio.gather(*(each.communicate() for each in writers))
    while not ended.done():
        assert len(await reader.get_items()) <= 2
        await asyncio.sleep(0.01)
    errors = [error.decode() for _, error in await ended]
    assert [each.returncode for each in writers] == [0, 0, 0, 0], errors
    for process in range(4):
        for n in range(5):
            assert len(await SQLiteSession(f"{process}-{n}", path).get_items()) == 2


async def test_ten_sessions_begin_one_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    sessions = [SQLiteSession(f"s{n}", path) for n in range(10)]

    async def run(session: SQLiteSession) -> None:
        model = scripted([{"by": "A", "text": "ok"}])
        await Runner.run(agent("A", model), "go", session=session)

    await asyncio.gather(*(run(each) for each in sessions))
    assert [len(await each.get_items()) for each in sessions] == [2] * 10


async def test_a_write_inside_the_callback_of_another_goes_through(tmp_path: Path) -> None:
    path = tmp_path / "nested.db"
    outer, inner = SQLiteSession("outer", path), SQLiteSession("inner", path)

    async def note(history: list[object], fresh: list[object]) -> list[object]:
        await inner.add_items([{"role": "user", "content": "noted"}])
        return [*history, *fresh]

    model = scripted([{"by": "A", "text": "ok"}])
    await Runner.run(
        agent("A", model),
        "go",
        session=outer,
        run_config={"session_input_callback": note},
    )
    assert len(await inner.get_items()) == 1
    assert len(await outer.get_items()) == 2
