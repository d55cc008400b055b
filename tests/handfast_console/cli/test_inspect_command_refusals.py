"""What cannot be inspected: one line that says what to do, exit code 2, nothing written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import Handfast, names_in
from inspected_laboratory import LaboratoryFiles

TARGET = "bad.lab.example"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DEEPSEEK_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def changed(lab: LaboratoryFiles, change: Callable[[str], str], folder: Path) -> Path:
    """The laboratory's scope with a mistake in it."""
    path = folder / "changed.toml"
    path.write_text(change(lab.scope.read_text("utf-8")), encoding="utf-8")
    return path


MISTAKES: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text + "\nx = [", "not valid TOML"),
    (lambda text: text.replace("targets =", "tragets ="), "did you mean targets?"),
    (lambda text: re.sub(r"(?m)^probes = .*", "probes = 5", text), "probes: must be an array"),
    (lambda text: text.replace('"consent"', '"attack"'), "'attack' is none of"),
    (lambda text: re.sub(r"(?m)^date = .*", "date = 2999-01-01", text), "2999-01-01"),
    (
        lambda text: re.sub(
            r"(?m)^valid_until = .*",
            "valid_until = 2020-01-02",
            re.sub(r"(?m)^date = .*", "date = 2020-01-01", text),
        ),
        "the authorisation ended on 2020-01-02",
    ),
    (lambda text: text.split("[authorisation]")[0], "authorisation"),
    ("\x00{}".format, "not valid TOML"),
]


@pytest.mark.parametrize(
    ("change", "complaint"),
    MISTAKES,
    ids=["syntax", "key", "type", "class", "future", "expired", "nobody", "binary"],
)
def test_a_scope_that_does_not_hold(
    lab: LaboratoryFiles,
    handfast: Handfast,
    tmp_path: Path,
    change: Callable[[str], str],
    complaint: str,
) -> None:
    scope = changed(lab, change, tmp_path)
    ended = handfast("inspect", TARGET, "--scope", scope, "--out", tmp_path / "R")
    assert ended.code == 2
    assert complaint in ended.complaint
    assert "changed.toml" in ended.complaint
    assert ended.out == ""
    assert names_in(tmp_path) == {"changed.toml"}


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("example.org", "example.org is not in the scope, which covers good.lab.example"),
        ("https://bad.lab.example/", "give the name alone: bad.lab.example"),
        ("bad.lab.example:8080", "is no host"),
        ("", "the host is empty"),
        ("10.0.0.1", "10.0.0.1 is not in the scope"),
        ("\x1b[2Jbad", "\\x1b"),
        ("\udcff", "no host"),
    ],
)
def test_a_target_that_may_not_or_cannot_be_inspected(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path, target: str, complaint: str
) -> None:
    ended = handfast("inspect", target, "--scope", lab.scope, "--out", tmp_path / "R")
    assert ended.code == 2
    assert complaint in ended.complaint
    assert "\x1b" not in ended.err
    assert names_in(tmp_path) == set()


def test_a_name_that_the_dns_does_not_know(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path
) -> None:
    scope = changed(
        lab, lambda text: text.replace("targets = [", 'targets = ["typo.lab.example",'), tmp_path
    )
    ended = handfast("inspect", "typo.lab.example", "--scope", scope, "--out", tmp_path / "R")
    assert ended.code == 2
    assert "The DNS knows no typo.lab.example: check the spelling" in ended.complaint
    assert names_in(tmp_path) == {"changed.toml"}


def test_name_servers_that_do_not_answer(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path
) -> None:
    def nobody(text: str) -> str:
        text = re.sub(r"(?m)^name_servers = .*", 'name_servers = ["127.0.0.1:1"]', text)
        return text.replace("allow_private = [", 'allow_private = ["127.0.0.1", ')

    scope = changed(lab, nobody, tmp_path)
    ended = handfast("inspect", TARGET, "--scope", scope, "--out", tmp_path / "R")
    assert ended.code == 2
    assert "No name server answers (127.0.0.1 port 1): check the network" in ended.complaint
    assert names_in(tmp_path) == {"changed.toml"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--model", "nope:x"], "Unknown model provider 'nope'"),
        (["--model", "deepseek:deepseek-chat"], "export DEEPSEEK_API_KEY="),
        (["--model", "gpt-5"], "export OPENAI_API_KEY="),
        (["--ca", "none.pem"], "--ca none.pem: there is no such file"),
        (["--ca", "{file}"], "no certificate can be read from it"),
        (["--ca", "{folder}"], "no certificate can be read from it"),
        (["--http-port", "99999"], "'99999' is no port"),
        (["--https-port", "http"], "'http' is no port"),
        (["--out", "{file}"], "is no folder: choose another"),
        (["--out", "{file}/below"], "is no folder: choose another"),
        (["--out", "/proc/handfast"], "choose another"),
        (["--scope", "none.toml"], "none.toml: there is no such file. Write one"),
        (["--scope", "{folder}"], "cannot be read"),
        (["--scope", "{large}"], "is larger than 1000000 bytes; that is no scope"),
        (["--scope", "{foreign}"], "is not UTF-8 text"),
    ],
)
def test_words_that_cannot_work(
    lab: LaboratoryFiles,
    handfast: Handfast,
    tmp_path: Path,
    words: list[str],
    complaint: str,
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "large").write_bytes(b"#" * 1_000_001)
    (tmp_path / "foreign").write_bytes(b"# \xff")
    named = {name: tmp_path / name for name in ("file", "large", "foreign")}
    told = [word.format(folder=tmp_path, **named) for word in words]
    usual = ["inspect", TARGET, "--scope", str(lab.scope), "--out", str(tmp_path / "R")]
    ended = handfast(*usual, *told)
    assert ended.code == 2
    assert complaint in ended.complaint
    assert ended.out == ""
    assert names_in(tmp_path) == set(named)


def test_a_model_that_cannot_be_had_is_told_to_be_left_out(
    lab: LaboratoryFiles, handfast: Handfast
) -> None:
    ended = handfast("inspect", TARGET, "--scope", lab.scope, "--model", "nope:x")
    assert ended.complaint.endswith("Or leave --model out: the inspection needs no model.")


def test_a_model_without_its_client_is_told_how_to_install_it(
    lab: LaboratoryFiles, handfast: Handfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    ended = handfast("inspect", TARGET, "--scope", lab.scope, "--model", "ollama:qwen3")
    assert ended.code == 2
    assert "--model needs: pip install 'handfast[openai]'" in ended.complaint


def test_an_audit_that_was_tampered_with_stops_the_inspection(
    lab: LaboratoryFiles, handfast: Handfast, tmp_path: Path
) -> None:
    scope = lab.scope_for("closing", probes=("passive",))
    words = ["inspect", "closing.lab.example", "--scope", scope, "--out", tmp_path]
    handfast(*words)
    before = (tmp_path / "report.json").read_bytes()
    lines = (tmp_path / "audit.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "audit.jsonl").write_bytes(b"".join(lines[:-2]))
    ended = handfast(*words)
    assert ended.code == 2
    assert "the log was cut or changed" in ended.complaint
    assert (tmp_path / "report.json").read_bytes() == before
