"""A team finds what the workflow finds, whatever its model does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from handfast import (
    AuthenticationError,
    Model,
    ModelBehaviorError,
    ModelError,
    ModelRequest,
    ModelResponse,
    ModelTimeoutError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
    Usage,
)
from handfast.testing import ModelStep, ScriptedModel, function_call
from handfast_inspect.findings.inspection_record import Inspection, Mode
from handfast_inspect.inspection import TIME_USED_UP
from handfast_inspect.progress import AgentSpeaks, Degraded, ProbeStarted, Progress
from handfast_inspect.report.markdown import render_markdown
from inspected_laboratory import LaboratoryFiles, fingerprints, inspected
from team_play import Diligent, always, calls, playing, says

SITE = "halfway"
TO_WEB = "transfer_to_web_inspector"


async def workflow(lab: LaboratoryFiles, scope: Path | None = None) -> set[str]:
    """What is found without a model."""
    return fingerprints(await inspected(lab, SITE, scope=scope))


def small(lab: LaboratoryFiles) -> Path:
    """A scope for a quick inspection."""
    return lab.scope_for(SITE, probes=("passive", "read"))


def prose(inspection: Inspection) -> str:
    return "\n".join(section.text for section in inspection.sections)


async def test_a_diligent_team_finds_what_the_workflow_finds(lab: LaboratoryFiles) -> None:
    told: list[Progress] = []
    model = always(Diligent())
    inspection = await inspected(lab, SITE, model=model, told=told)
    assert inspection.mode is Mode.TEAM
    assert inspection.mode_reason == ""
    assert fingerprints(inspection) == await workflow(lab) != set()
    spoke = {step.agent for step in told if isinstance(step, AgentSpeaks)}
    assert spoke == {
        *("Coordinator", "Reporter"),
        *("DNS inspector", "TLS inspector", "Web inspector", "Services inspector"),
    }
    assert prose(inspection).startswith("Seen [")


async def test_a_lazy_team_finds_what_the_workflow_finds(lab: LaboratoryFiles) -> None:
    model = playing(says("Nothing to see here."))
    inspection = await inspected(lab, SITE, scope=small(lab), model=model)
    assert inspection.mode is Mode.TEAM
    assert fingerprints(inspection) == await workflow(lab, small(lab))
    assert inspection.sections == ()


async def test_a_probe_that_the_team_ran_is_not_run_again(lab: LaboratoryFiles) -> None:
    told: list[Progress] = []
    model = playing(calls(TO_WEB), calls("probe_http_home"), says("Done."))
    await inspected(lab, SITE, scope=small(lab), model=model, told=told)
    started = [step.probe for step in told if isinstance(step, ProbeStarted)]
    assert started[0] == "http.home"
    assert len(started) == len(set(started))


async def test_only_sentences_with_real_evidence_reach_the_report(lab: LaboratoryFiles) -> None:
    text = (
        "The site is perfectly safe. HSTS is weak [{0}]. Trust this [http.home:0123456789abcdef]. "
        "Both are cited [{0}, web:ffffffffffffffff]. 没有发现任何问题。策略较弱【{0}】。"
    )
    model = always(Diligent(text.format))
    inspection = await inspected(lab, SITE, scope=small(lab), model=model)
    kept = prose(inspection)
    assert kept.count("[") + kept.count("【") == 2
    assert "HSTS is weak" in kept
    assert "策略较弱" in kept
    assert "perfectly safe" not in kept
    assert "Trust this" not in kept
    assert "perfectly safe" not in render_markdown(inspection)


FAILURES = [
    ModelError("no answer"),
    RateLimitError("slow down", status=429, retry_after=30),
    AuthenticationError("wrong key sk-proj-abcdefghijklmnopqrstuvwxyz012345", status=401),
    ProviderProtocolError("the stream ended midway"),
    ProviderUnavailable("connection lost", status=503),
    ModelTimeoutError(120),
    ModelBehaviorError("no JSON"),
    RuntimeError("a bug of an adapter"),
    ExceptionGroup("many", [ValueError("one")]),
    TimeoutError(),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_when_the_model_fails_midway_the_workflow_finishes(
    lab: LaboratoryFiles, failure: Exception
) -> None:
    told: list[Progress] = []
    model = playing(calls(TO_WEB), calls("probe_http_home"), failure)
    inspection = await inspected(lab, SITE, scope=small(lab), model=model, told=told)
    assert inspection.mode is Mode.DEGRADED
    assert inspection.mode_reason.startswith(f"the team could not go on: {type(failure).__name__}")
    assert "sk-proj" not in inspection.mode_reason
    assert [step.reason for step in told if isinstance(step, Degraded)] == [inspection.mode_reason]
    assert fingerprints(inspection) == await workflow(lab, small(lab))


async def test_a_model_that_fails_at_once_costs_nothing(lab: LaboratoryFiles) -> None:
    inspection = await inspected(
        lab, SITE, scope=small(lab), model=playing(AuthenticationError("no", status=401))
    )
    assert inspection.mode is Mode.DEGRADED
    assert fingerprints(inspection) == await workflow(lab, small(lab))


async def test_what_was_written_before_the_failure_stays(lab: LaboratoryFiles) -> None:
    diligent = Diligent()

    def then_fail(call: object) -> list[dict[str, object]]:
        if diligent.sections:
            raise ProviderUnavailable("gone")
        return list(diligent(call))  # type: ignore[arg-type] # a ModelCall, as the script gives it

    inspection = await inspected(lab, SITE, scope=small(lab), model=always(then_fail))
    assert inspection.mode is Mode.DEGRADED
    assert prose(inspection).startswith("Seen [")


async def test_a_team_without_an_end_is_ended_by_its_turns(lab: LaboratoryFiles) -> None:
    inspection = await inspected(lab, SITE, scope=small(lab), model=always(calls("list_findings")))
    assert "MaxTurnsExceeded" in inspection.mode_reason
    assert fingerprints(inspection) == await workflow(lab, small(lab))


async def test_a_team_that_spends_too_much_is_ended_by_its_budget(lab: LaboratoryFiles) -> None:
    usage = Usage(requests=1, input_tokens=900_000, output_tokens=1, total_tokens=900_001)
    step = ModelStep([function_call("list_findings")], usage=usage)
    inspection = await inspected(lab, SITE, scope=small(lab), model=ScriptedModel([step] * 5))
    assert "LimitExceeded" in inspection.mode_reason
    assert fingerprints(inspection) == await workflow(lab, small(lab))


async def test_a_script_that_is_too_short_is_a_failure_like_any_other(
    lab: LaboratoryFiles,
) -> None:
    inspection = await inspected(lab, SITE, scope=small(lab), model=playing(calls("list_findings")))
    assert inspection.mode is Mode.DEGRADED
    assert fingerprints(inspection) == await workflow(lab, small(lab))


class Hanging(Model):
    """Never answers."""

    async def respond(self, request: ModelRequest, observe: object = None) -> ModelResponse:
        del request, observe
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_model_that_hangs_leaves_half_the_time_to_the_workflow(
    lab: LaboratoryFiles,
) -> None:
    scope = lab.scope_for(SITE, probes=("passive", "read"), seconds=8)
    inspection = await inspected(lab, SITE, scope=scope, model=Hanging())
    assert inspection.mode_reason == "the team could not go on: it was not done in 4 s"
    assert fingerprints(inspection) == await workflow(lab, small(lab))


async def test_both_reasons_are_told(lab: LaboratoryFiles) -> None:
    scope = lab.scope_for("tarpit", seconds=1)
    inspection = await inspected(lab, "tarpit", scope=scope, model=Hanging())
    assert inspection.mode is Mode.DEGRADED
    assert inspection.mode_reason.startswith("the team could not go on: it was not done in 0.5 s")
    assert inspection.mode_reason.endswith(TIME_USED_UP)
