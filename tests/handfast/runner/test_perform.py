from __future__ import annotations

from typing import get_args

from handfast import Agent, RunConfig, RunContextWrapper
from handfast.core.effects import AskApproval, CallTool, Effect
from handfast.core.items import Call
from handfast.core.outcomes import Failed
from handfast.runner.drive import drive
from handfast.runner.perform import PERFORMERS, perform
from handfast.runner.run import Run


def test_every_kind_of_effect_has_its_performer() -> None:
    assert set(PERFORMERS) == set(get_args(Effect))


async def test_what_goes_wrong_is_an_outcome() -> None:
    run = Run(Agent(name="a"), RunContextWrapper(None), RunConfig(), drive)
    outcome = await perform(run, CallTool("1.tool.0", "stranger", Call("c", "t", "{}", {})))
    assert isinstance(outcome, Failed)
    assert outcome.failure.fault == "user"
    assert "stranger" in outcome.failure.message


async def test_a_question_that_nobody_answers_has_no_outcome() -> None:
    run = Run(Agent(name="a"), RunContextWrapper(None), RunConfig(), drive)
    assert (
        await perform(run, AskApproval("1.approval.0", "a", Call("c", "t", "{}", {}), "")) is None
    )
