"""The command line as a user runs it: in this process, or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from handfast_console.cli.main import main

COMMAND = [sys.executable, "-m", "handfast_console.cli.main"]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that an error is."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("handfast: ")
        return lines[0]


Handfast: TypeAlias = Callable[..., Ended]
"""Runs the command line with some words."""


def run_here(capsys: pytest.CaptureFixture[str], *words: object) -> Ended:
    """Run the command line in this process."""
    capsys.readouterr()
    try:
        code: object = main([str(word) for word in words], {})
    except SystemExit as ended:
        code = ended.code
    said = capsys.readouterr()
    return Ended(code if isinstance(code, int) else 0, said.out, said.err)


def run_apart(*words: object, **variables: str) -> Ended:
    """Run the command line in a process of its own, with some variables set."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and module
        [*COMMAND, *map(str, words)],
        capture_output=True,
        check=False,
        timeout=50,
        env=environment(**variables),
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def environment(**more: str) -> dict[str, str]:
    """This process's variables without keys of models, and with the source to import."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path), **more}


def names_in(folder: Path) -> set[str]:
    """What lies in a folder; nothing where there is none."""
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()
