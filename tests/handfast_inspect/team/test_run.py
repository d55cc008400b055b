from __future__ import annotations

import pytest

from handfast import (
    AuditLog,
    MaxTurnsExceeded,
    MemoryLog,
    Model,
    RateLimitError,
    Scope,
)
from handfast_inspect.gathering import Gathering
from handfast_inspect.policy import TEAM_TURNS
from handfast_inspect.progress import AgentSpeaks, Progress
from handfast_inspect.team.run import TeamOrder, run_team
from handfast_inspect.team.work import TeamWork
from team_play import always, calls, offered, outputs, playing, says, seeing

METHODS = seeing("http.methods", "OPTIONS answered")
CAA = seeing("dns.caa", "CAA answered")
TO_WEB = "transfer_to_web_inspector"
TO_DNS = "transfer_to_dns_inspector"
TO_COORDINATOR = "transfer_to_coordinator"
TO_REPORTER = "transfer_to_reporter"


def scope_of(gathering: Gathering) -> Scope:
    scope = gathering.context.scope
    assert scope is not None
    return scope


def order(gathering: Gathering, model: Model, log: MemoryLog | None = None) -> TeamOrder:
    audit = None if log is None else AuditLog(log)
    return TeamOrder(model, scope_of(gathering), (METHODS, CAA), audit)


async def test_a_team_looks_hands_over_and_writes(
    gathering: Gathering, told: list[Progress]
) -> None:
    model = playing(
        calls(TO_WEB),
        calls("probe_http_methods"),
        calls(TO_COORDINATOR),
        calls(TO_DNS),
        calls("probe_dns_caa"),
        calls(TO_REPORTER),
        calls("list_findings"),
        calls("write_section", subject="web", text="TRACE is allowed."),
        says("Done."),
    )
    work = TeamWork()
    log = MemoryLog()
    await run_team(order(gathering, model, log), gathering, work, told.append)
    model.assert_complete()
    assert gathering.has(METHODS)
    assert gathering.has(CAA)
    assert [section.title for section in work.sections] == ["Web site"]
    spoke = [step.agent for step in told if isinstance(step, AgentSpeaks)]
    assert spoke == ["Coordinator", "Web inspector", "Coordinator", "DNS inspector", "Reporter"]
    verdicts = [record.data["tool"] for record in log.records if record.kind == "verdict"]
    assert len(verdicts) == 8


async def test_the_reporter_is_reached_only_once_there_is_evidence(gathering: Gathering) -> None:
    model = playing(calls(TO_WEB), calls("probe_http_methods"), says("Done."))
    await run_team(order(gathering, model), gathering, TeamWork(), lambda _: None)
    first, before, after = model.calls
    assert TO_REPORTER not in offered(first) | offered(before)
    assert TO_REPORTER in offered(after)


async def test_an_agent_is_offered_its_own_tools_only(gathering: Gathering) -> None:
    model = playing(calls(TO_DNS), says("Done."))
    await run_team(order(gathering, model), gathering, TeamWork(), lambda _: None)
    assert offered(model.calls[0]) == {"list_findings", TO_WEB, TO_DNS}
    assert offered(model.calls[1]) == {"probe_dns_caa", TO_COORDINATOR}


async def test_tools_of_others_and_tools_that_are_not_there_do_nothing(
    gathering: Gathering,
) -> None:
    log = MemoryLog()
    model = playing(
        calls("run_command", command="curl http://outside.example/"),
        calls("http_get", url="http://outside.example/"),
        calls("probe_http_methods", target="outside.example"),
        calls("write_section", subject="web", text="All is well."),
        calls(TO_WEB),
        calls("probe_http_methods", target="outside.example", host="10.0.0.1"),
        says("Done."),
    )
    work = TeamWork()
    await run_team(order(gathering, model, log), gathering, work, lambda _: None)
    model.assert_complete()
    assert work.sections == ()
    assert all("not found" in text or "not granted" in text for text in outputs(model.calls[4]))
    assert len(outputs(model.calls[-1])) == 6
    assert {record.asset.host for record in gathering.evidence} == {"site.test"}
    denied = [record.data["tool"] for record in log.records if record.data["verdict"] == "deny"]
    assert denied == ["run_command", "http_get"]


async def test_the_same_call_for_ever_ends_by_the_limit_of_turns(gathering: Gathering) -> None:
    model = always(calls("list_findings"))
    with pytest.raises(MaxTurnsExceeded):
        await run_team(order(gathering, model), gathering, TeamWork(), lambda _: None)
    answers = outputs(model.calls[-1])
    assert sum("was already called" in answer for answer in answers) == len(answers) - 3
    assert len(answers) == TEAM_TURNS - 1


async def test_agents_that_only_hand_over_end_by_the_limit(gathering: Gathering) -> None:
    def hand_over(call: object) -> list[dict[str, object]]:
        del call
        there = len(model.calls) % 2
        return calls(TO_WEB if there else TO_COORDINATOR)

    model = always(hand_over)
    with pytest.raises(MaxTurnsExceeded):
        await run_team(order(gathering, model), gathering, TeamWork(), lambda _: None)


async def test_what_was_done_before_the_model_failed_is_kept(gathering: Gathering) -> None:
    model = playing(
        calls(TO_WEB),
        calls("probe_http_methods"),
        calls(TO_REPORTER),
        calls("write_section", subject="web", text="TRACE is allowed."),
        RateLimitError("slow down", status=429),
    )
    work = TeamWork()
    with pytest.raises(RateLimitError):
        await run_team(order(gathering, model), gathering, work, lambda _: None)
    assert gathering.has(METHODS)
    assert len(work.sections) == 1
