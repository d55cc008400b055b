from __future__ import annotations

import subprocess
import sys

import pytest

from command_line import COMMAND, Handfast, environment, run_apart
from handfast.version import __version__
from inspected_laboratory import LaboratoryFiles


def test_the_version_is_said(handfast: Handfast) -> None:
    ended = handfast("--version")
    assert (ended.code, ended.out) == (0, f"handfast {__version__}\n")


@pytest.mark.parametrize(
    "words", [["--help"], ["inspect", "--help"], ["lab", "-h"], ["scope", "test", "-h"]]
)
def test_help_is_given(handfast: Handfast, words: list[str]) -> None:
    ended = handfast(*words)
    assert ended.code == 0
    assert ended.out.startswith("usage: handfast")


def test_the_commands_and_their_exit_codes_are_in_the_help(handfast: Handfast) -> None:
    overview = handfast("--help").out
    assert all(command in overview for command in ("inspect", "lab", "scope", "audit"))
    assert "Exit code" in handfast("inspect", "--help").out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "COMMAND"),
        (["inspekt"], "'inspekt'"),
        (["inspect"], "TARGET, --scope"),
        (["inspect", "x", "--scope", "s", "--frobnicate"], "--frobnicate"),
        (["inspect", "x", "--scope", "s", "--http-port", "0"], "'0' is no port"),
        (["inspect", "x", "--scope", "s", "--https-port", "٨٠"], "is no port"),
        (["inspect", "x", "--scope", "s", "--https-port", "65536"], "from 1 to 65535"),
        (["inspect", "x", "--scope", "s", "--fail-on", "bad"], "'bad'"),
        (["inspect", "x", "--scope", "s", "--lang", "de"], "'de'"),
        (["\x1b[2J"], "\\x1b"),
    ],
)
def test_wrong_words_are_one_line_that_names_the_help(
    handfast: Handfast, words: list[str], complaint: str
) -> None:
    ended = handfast(*words)
    assert ended.code == 2
    assert complaint in ended.complaint
    assert "--help)" in ended.complaint
    assert "\x1b" not in ended.err
    assert ended.out == ""


def test_it_can_be_run_as_a_module() -> None:
    ended = run_apart("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"handfast {__version__}\n", "")


def test_whoever_stops_reading_is_no_error(lab: LaboratoryFiles) -> None:
    words = ["scope", "test", *["http://bad.lab.example:8080/"] * 3000, "--scope", str(lab.scope)]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"http://bad.lab.example")
        process.stdout.close()
        said = process.stderr.read()
        process.wait(30)
    assert said == b""
    assert process.returncode == 0


def test_help_needs_no_client_of_a_model() -> None:
    program = (
        "import sys\nfrom handfast_console.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'openai', 'mcp', 'sqlalchemy'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
        env=environment(),
    )
    assert done.stderr == "[]\n"


def test_a_fault_of_our_own_is_told_from_findings() -> None:
    program = (
        "import sys\nfrom handfast_console.cli import audit_command, main\n"
        "def fail(path):\n    raise RuntimeError('\\x1b[2J no idea')\n"
        "audit_command.verify_file = fail\n"
        "sys.exit(main.main(['audit', 'verify', sys.executable]))"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
        env=environment(),
    )
    assert done.returncode == 2
    assert "RuntimeError: \\x1b[2J no idea" in done.stderr
    assert "\x1b" not in done.stderr
    assert done.stderr.endswith("a fault of handfast; please report it with these lines\n")
