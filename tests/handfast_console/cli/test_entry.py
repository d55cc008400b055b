from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from architecture.figures import ROOT
from command_line import Ended, environment
from handfast_console.cli.entry import NEEDED

PROGRAM = """
import sys
sys.modules[sys.argv.pop(1)] = None
from handfast_console.cli.entry import main
sys.exit(main())
"""


def without(module: str) -> Ended:
    """`handfast --version` where a module is not installed."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and a constant program
        [sys.executable, "-c", PROGRAM, module, "--version"],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
        env=environment(),
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("module", sorted(NEEDED))
def test_what_is_not_installed_is_one_line_that_says_how_to(module: str) -> None:
    ended = without(module)
    assert ended.code == 2
    assert ended.complaint.startswith(f"handfast: {module}")
    assert ended.complaint.endswith("pip install 'handfast[inspect]'")


def test_a_module_that_nobody_needs_is_not_missed() -> None:
    assert without("openai").code == 0


def test_a_fault_of_our_own_is_not_hidden() -> None:
    ended = without("handfast_inspect.order")
    assert ended.code == 1
    assert "ModuleNotFoundError" in ended.err


def test_the_installed_program_begins_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"handfast": "handfast_console.cli.entry:main"}
    extra = " ".join(project["optional-dependencies"]["inspect"])
    assert all(name in extra for name in NEEDED)
