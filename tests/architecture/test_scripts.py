"""The scripts are short, plain POSIX shell, and find their checkout from anywhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from architecture.figures import ROOT

SCRIPTS = sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file())
SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
LONGEST_SCRIPT = 120


def named(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_parses_in_every_shell(script: Path, shell: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own script
        [shell, "-n", str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
def test_a_script_can_be_run_and_says_what_it_does(script: Path) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    assert script.stat().st_mode & 0o111
    assert lines[0] == "#!/bin/sh"
    assert lines[1].startswith("# ")
    assert len(lines) <= LONGEST_SCRIPT


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
def test_a_script_stops_at_the_first_error_and_starts_in_its_checkout(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert "\nset -eu\n" in text
    assert '''cd -- "$(dirname -- "$0")/.."''' in text
