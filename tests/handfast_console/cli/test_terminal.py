from __future__ import annotations

import io
import re
from datetime import UTC, datetime

import pytest

from handfast_console.cli.terminal import Terminal, one_line, put
from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import Finding, Severity
from handfast_inspect.lab.injections import PLANTED
from handfast_inspect.progress import (
    AgentSpeaks,
    Degraded,
    FindingSeen,
    ProbeEnded,
    ProbeStarted,
    Progress,
    Warned,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Gone(Screen):
    """A terminal that was closed."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(text)


def finding(title: str = "Old TLS", severity: Severity = Severity.HIGH) -> Finding:
    return Finding("tls.proto.old", title, severity, Asset("a.test", port=443), "tls", (), "why")


def shown(*steps: Progress, **environment: str) -> str:
    screen = Screen()
    terminal = Terminal(screen, environment)
    for step in steps:
        terminal.tell(step)
    return screen.getvalue()


def test_what_is_running_is_one_line_that_changes() -> None:
    text = shown(ProbeStarted("a", "the records"), ProbeStarted("b", "the page"))
    assert text.count("\n") == 0
    assert text.endswith("... looking at the page, the records")
    assert text.count("\r\x1b[2K") == 2


def test_what_was_found_stays_with_its_severity_and_place() -> None:
    text = COLOUR.sub("", shown(FindingSeen(finding())))
    assert text == "\r\x1b[2K  high       Old TLS (tls.proto.old) at a.test:443\n"


def test_what_could_not_be_seen_and_what_took_long_stays() -> None:
    text = shown(ProbeEnded("a", 0.1, ("no answer",)), ProbeEnded("b", 2.345, ()))
    assert "not seen   a: no answer\n" in text
    assert "done       b (2.3 s)\n" in text
    assert shown(ProbeEnded("c", 0.1, ())) == ""


def test_agents_and_the_end_of_a_team_are_told() -> None:
    text = shown(AgentSpeaks("Web inspector"), Degraded("no key"), Warned("no sandbox"))
    assert "agent      Web inspector\n" in text
    assert "handfast: no key; going on without the model\n" in text
    assert "handfast: no sandbox\n" in text


def test_it_is_quiet_when_nobody_watches_but_for_what_must_be_known() -> None:
    stream = io.StringIO()
    terminal = Terminal(stream)
    for step in (ProbeStarted("a", "x"), FindingSeen(finding()), AgentSpeaks("y")):
        terminal.tell(step)
    terminal.close()
    assert stream.getvalue() == ""
    terminal.tell(Degraded("no key"))
    assert stream.getvalue() == "handfast: no key; going on without the model\n"


def test_a_dumb_terminal_is_not_written_over() -> None:
    assert shown(ProbeStarted("a", "x"), FindingSeen(finding()), TERM="dumb") == ""


def test_colours_can_be_refused() -> None:
    assert COLOUR.search(shown(FindingSeen(finding())))
    assert not COLOUR.search(shown(FindingSeen(finding()), NO_COLOR="1"))


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED)
def test_a_target_cannot_write_to_the_terminal(text: str) -> None:
    written = shown(
        FindingSeen(finding(text)),
        ProbeEnded("a", 0, (text,)),
        ProbeStarted("a", text),
        Degraded(text),
        AgentSpeaks(text),
    )
    rest = COLOUR.sub("", written).replace("\r\x1b[2K", "")
    assert all(character == "\n" or character.isprintable() for character in rest)
    assert written.count("\n") == 4


def test_a_line_that_changes_is_never_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = shown(*(ProbeStarted(str(n), f"something long, number {n}") for n in range(9)))
    assert max(len(line) for line in text.split("\r\x1b[2K")) < 60


def test_a_terminal_that_went_away_does_not_end_the_inspection() -> None:
    terminal = Terminal(Gone())
    terminal.tell(ProbeStarted("a", "x"))
    terminal.tell(FindingSeen(finding()))
    terminal.close()


def test_it_leaves_the_terminal_as_it_was() -> None:
    screen = Screen()
    terminal = Terminal(screen)
    terminal.tell(ProbeStarted("a", "x"))
    terminal.close()
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_one_line_is_one_line() -> None:
    assert one_line("a\nb\tc  \x1b[2Jd\r") == "a b c \\x1b[2Jd"


def test_output_keeps_what_its_encoding_can_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put("检查 😀\n")
    assert capsys.readouterr().out == "检查 😀\n"
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    put("检é\n")
    put("检\n", "utf-8")
    assert raw.getvalue() == b"\\u68c0\xe9\n\xe6\xa3\x80\n"
