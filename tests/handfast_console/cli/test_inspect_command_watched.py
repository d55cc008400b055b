"""An inspection on a terminal, and the ways to end it early, in a process of its own."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_line import COMMAND, environment, names_in
from handfast import verify_file
from handfast_inspect.report.json_report import read_json
from inspected_laboratory import LaboratoryFiles

SECONDS = 40


class Watched:
    """A process whose standard error is a terminal that a test reads."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process = process
        self._screen = screen
        self.seen = b""

    def read_until(self, words: bytes) -> None:
        """Reads until the words are on the screen."""
        while words not in self.seen:
            assert self._read(), f"{words!r} is not on the screen: {self.seen!r}"

    def end(self) -> int:
        """Reads to the end and returns the exit code."""
        while self._read():
            pass
        return self.process.wait(SECONDS)

    def _read(self) -> bytes:
        try:
            found = os.read(self._screen, 65_536)
        except OSError:  # the other end was closed
            found = b""
        self.seen += found
        return found


@contextmanager
def watching(*words: object, stdout: int = subprocess.DEVNULL) -> Generator[Watched]:
    """Runs the command line on a terminal of 100 columns."""
    screen, terminal = pty.openpty()
    try:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [*COMMAND, *map(str, words)],
            stdout=stdout,
            stderr=terminal,
            env=environment(TERM="xterm", COLUMNS="100", PYTHONUNBUFFERED="1"),
        )
        os.close(terminal)
        try:
            yield Watched(process, screen)
        finally:
            process.kill()
            process.wait(SECONDS)
    finally:
        os.close(screen)


def tarpit(lab: LaboratoryFiles, out: Path) -> list[object]:
    return ["inspect", "tarpit.lab.example", "--scope", lab.scope, "--out", out]


def test_a_terminal_shows_what_is_running_and_what_was_found(
    lab: LaboratoryFiles, tmp_path: Path
) -> None:
    scope = lab.scope_for("bad", probes=("passive",))
    with watching("inspect", "bad.lab.example", "--scope", scope, "--out", tmp_path) as watched:
        assert watched.end() == 1
    text = watched.seen.decode()
    assert "... looking at " in text
    assert "who may send mail" in text
    assert "\x1b[31mhigh      \x1b[0m SPF does not say who may send mail (dns.spf)" in text
    assert text.endswith("\r\x1b[2K")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_the_looking_and_writes_what_is_there(
    lab: LaboratoryFiles, tmp_path: Path, number: signal.Signals
) -> None:
    with watching(*tarpit(lab, tmp_path)) as watched:
        watched.read_until(b"(dns.private)")
        watched.process.send_signal(number)
        assert watched.end() == 2
    text = watched.seen.decode()
    assert f"ended early; the report in {tmp_path} holds what had been seen" in text
    assert "Traceback" not in text
    assert {"report.json", "report.html", "audit.jsonl"} <= names_in(tmp_path)
    assert not [name for name in names_in(tmp_path) if name.startswith(".report")]
    inspection = read_json((tmp_path / "report.json").read_text("utf-8"))
    assert inspection.mode_reason.startswith("interrupted by a person")
    assert inspection.findings
    assert inspection.coverage.not_tested > 0
    assert verify_file(tmp_path / "audit.jsonl").ok


def test_a_signal_before_anything_was_looked_at_leaves_nothing(
    lab: LaboratoryFiles, tmp_path: Path
) -> None:
    # Every name server is silent about this name for two seconds.
    words = ["inspect", "mute.lab.example", "--scope", lab.scope_for("mute"), "--out"]
    with watching(*words, tmp_path / "R") as run:
        while not catches_signals(run.process.pid):
            assert run.process.poll() is None
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 2
    assert run.seen.endswith(
        b"handfast: The inspection was ended before anything was looked at.\r\n"
    )
    assert names_in(tmp_path) == set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_kills(
    lab: LaboratoryFiles, tmp_path: Path, number: signal.Signals
) -> None:
    program = (
        "import asyncio, sys\n"
        "from handfast_console.cli import inspect_command as command\n"
        "async def stuck(order, tell, *, stop, audit):\n"
        "    await stop.wait()\n"
        "    print('stopping', file=sys.stderr, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "command.inspect = stuck\n"
        "from handfast_console.cli.main import main\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = list(map(str, tarpit(lab, tmp_path)))
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and a constant program
        [COMMAND[0], "-c", program, *words],
        stderr=subprocess.PIPE,
        env=environment(),
    )
    with process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        while not catches_signals(process.pid):
            assert process.poll() is None
        process.send_signal(number)
        assert process.stderr.readline() == b"stopping\n"
        process.send_signal(number)
        said = process.stderr.read()
    if number is signal.SIGINT:
        assert (process.returncode, said) == (2, b"handfast: interrupted\n")
    else:
        assert process.returncode == -signal.SIGTERM
    assert b"Traceback" not in said


def catches_signals(pid: int) -> bool:
    """Whether a process catches SIGTERM yet: the last of the signals that it waits for."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)
