"""Which machines a whole inspection talks to: those of its scope, its model's, and no other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from command_line import Ended, environment
from handfast import load_scope
from handfast_inspect.report.json_report import read_json
from inspected_laboratory import LaboratoryFiles, in_a_thread
from provider_server import Canned, json_answer, provider_server

PROGRAM = """
import json, sys
log = open(sys.argv[1], "a", buffering=1, encoding="utf-8")
def note(event, arguments):
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}:
        address = arguments[1]
        if isinstance(address, tuple):
            print(json.dumps([event, *address[:2]]), file=log)
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        print(json.dumps([event, str(arguments[0]), 0]), file=log)
sys.addaudithook(note)
from handfast_console.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def listened_to(log: Path, *words: object, **variables: str) -> tuple[Ended, set[tuple[str, int]]]:
    """Runs the command line; returns how it ended and every address that it used."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and a constant program
        [sys.executable, "-c", PROGRAM, str(log), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=55,
        env=environment(**variables),
    )
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    asked = {event[1] for event in events if "host" in event[0] or "addrinfo" in event[0]}
    assert asked <= {"127.0.0.1"}, "a name was looked up past the resolver"
    used = {(event[1], event[2]) for event in events if event[0] != "socket.getaddrinfo"}
    return Ended(done.returncode, done.stdout, done.stderr), used


def granted(lab: LaboratoryFiles, out: Path) -> set[tuple[str, int]]:
    """The scope's name servers, and what the audit says was admitted."""
    servers = {(str(each.address), each.port) for each in load_scope(lab.scope).name_servers}
    admitted: set[tuple[str, int]] = set()
    for line in (out / "audit.jsonl").read_text("utf-8").splitlines():
        data = cast("dict[str, object]", json.loads(line)["data"])
        if data.get("verdict") == "allow" and "address" in data:
            admitted.add((str(data["address"]), int(str(data["port"]))))
    return servers | admitted


@pytest.mark.parametrize("label", ["bad", "hostile", "away"])
def test_only_the_scope_is_contacted(lab: LaboratoryFiles, tmp_path: Path, label: str) -> None:
    words = ["inspect", f"{label}.lab.example", "--scope", lab.scope, "--ca", lab.ca]
    ended, used = listened_to(tmp_path / "log", *words, "--out", tmp_path / "R")
    assert ended.err == ""
    assert used
    assert used <= granted(lab, tmp_path / "R")
    in_scope = {site.address for site in lab.laboratory.sites if site.in_scope}
    assert {address for address, _ in used} <= in_scope
    assert lab.laboratory.trespasses == ()


def answer(call: str, arguments: str = "{}") -> Canned:
    """A chat completion that calls a tool, or says it is done."""
    called = [{"id": "c1", "type": "function", "function": {"name": call, "arguments": arguments}}]
    message = (
        {"role": "assistant", "content": None, "tool_calls": called}
        if call
        else {"role": "assistant", "content": "Done."}
    )
    return json_answer(
        {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
    )


def test_a_team_talks_to_its_model_and_to_the_scope(lab: LaboratoryFiles, tmp_path: Path) -> None:
    scope = lab.scope_for("plain", probes=("passive", "read"))
    words = ["inspect", "plain.lab.example", "--scope", scope, "--out", tmp_path / "R"]
    played = provider_server(
        answer("transfer_to_web_inspector"),
        answer("probe_http_home"),
        answer("http_get", '{"url": "http://outside.example/"}'),
        answer(""),
    )
    with in_a_thread(played) as server:
        ended, used = listened_to(
            tmp_path / "log", *words, "--model", "vllm:tiny", VLLM_BASE_URL=server.url
        )
        assert len(server.asked) == 4
        _, _, port = server.url.removesuffix("/v1").rpartition(":")
    assert (ended.code, ended.err) == (1, "")
    assert used <= granted(lab, tmp_path / "R") | {("127.0.0.1", int(port))}
    inspection = read_json((tmp_path / "R" / "report.json").read_text("utf-8"))
    assert (inspection.mode.value, inspection.mode_reason) == ("team", "")
    kinds = {
        (record["kind"], record["data"].get("tool"), record["data"].get("verdict"))
        for record in map(json.loads, (tmp_path / "R" / "audit.jsonl").read_bytes().splitlines())
    }
    assert ("verdict", "probe_http_home", "allow") in kinds
    assert ("verdict", "http_get", "deny") in kinds


@pytest.mark.parametrize(
    ("canned", "reason"),
    [
        (json_answer({"error": {"message": "bad key sk-abcdefghijklmnop1234"}}, 401), "Authent"),
        (json_answer({"error": {"message": "no quota"}}, 429, retry_after="0"), "RateLimitError"),
        (Canned(200, {"content-type": "application/json"}, [b'{"id":'], cut=True), "Provider"),
        (json_answer({"choices": []}), "Provider"),
        (json_answer({}, 500, retry_after="0"), "ProviderUnavailable"),
    ],
    ids=["401", "429", "cut", "empty", "500"],
)
def test_a_provider_that_fails_leaves_the_findings_of_the_workflow(
    lab: LaboratoryFiles, tmp_path: Path, canned: Canned, reason: str
) -> None:
    scope = lab.scope_for("plain", probes=("passive", "read"))
    words = ["inspect", "plain.lab.example", "--scope", scope, "--out", tmp_path / "R"]
    with in_a_thread(provider_server(canned)) as server:
        ended, _ = listened_to(
            tmp_path / "log", *words, "--model", "vllm:tiny", VLLM_BASE_URL=server.url
        )
    assert ended.code == 1
    assert "going on without the model" in ended.complaint
    assert reason in ended.complaint
    assert "sk-abc" not in ended.err + ended.out
    inspection = read_json((tmp_path / "R" / "report.json").read_text("utf-8"))
    assert inspection.mode.value == "degraded"
    found = {(finding.rule_id, finding.severity.value) for finding in inspection.findings}
    assert {(each.rule, each.severity) for each in lab.site("plain").expected} <= found
    assert "sk-abc" not in "".join(
        path.read_text("utf-8") for path in (tmp_path / "R").iterdir() if Path(path).is_file()
    )
