"""The boundary's verdict on a call, and a person's."""

from __future__ import annotations

import inspect
import time
from typing import Any, Final

from handfast.agents.agent import AnyAgent
from handfast.agents.approval import Decision, Question, owner_of
from handfast.agents.input_items import own_id_of
from handfast.agents.tool import FunctionTool, needs_approval
from handfast.boundary.grants import Spent
from handfast.boundary.policy import Ask, CallRequest, Deny, RunView, WithinBudget
from handfast.core.effects import AskApproval, Authorize
from handfast.core.items import Call
from handfast.core.outcomes import Allowed, ApprovalNeeded, Approved, Denied, Rejected
from handfast.errors import ModelBehaviorError
from handfast.runner.run import Run
from handfast.runner.run_state import approval_item
from handfast.runner.tool_answer import refusal_of, result_of
from handfast.runner.tool_call import check_tool_input, tool_context

REJECTED: Final = "Tool execution was not approved."


async def authorize(run: Run, effect: Authorize) -> Allowed | Denied | ApprovalNeeded:
    """Ask the boundary, and the tool itself, whether a call may run.

    Raises:
        ModelBehaviorError: A person decided about this item, and it has changed since.
    """
    agent = run.catalog[effect.agent]
    call = effect.call
    if run.context.approvals.changed_since(_question(agent, call)):
        raise ModelBehaviorError(
            f"The model reused a tool call ID for a different invocation: the item of call "
            f"{call.call_id!r} was decided about before, and says something else now. It was not "
            "run; every call needs a unique call ID.",
        )
    request = CallRequest(agent.name, call.name, call.call_id, call.arguments, call.kind)
    verdict = run.config.boundary.authorize(request, _view(run, request))
    match verdict:
        case Deny(reason=reason):
            return Denied(effect.id, refusal_of(call, f"Refused: {reason}"))
        case Ask(reason=reason):
            return ApprovalNeeded(effect.id, reason)
        case _:
            pass
    tool = (await run.toolboxes.of(agent, run.context)).by_name.get(call.name)
    if not isinstance(tool, FunctionTool) or not await _tool_asks(run, agent, call, tool):
        return Allowed(effect.id)
    refused = await _refused_beforehand(run, agent, call, tool)
    if refused is not None:
        return Denied(effect.id, result_of(call, refused, tool.max_output_chars))
    return ApprovalNeeded(effect.id, f"{call.name} asks for approval of its calls.")


def answers_at_once(run: Run, effect: Authorize) -> bool:
    """False where the tool's own code is asked, which may wait for whatever it likes."""
    box = run.toolboxes.latest(run.catalog[effect.agent])
    tool = None if box is None else box.by_name.get(effect.call.name)
    return not (isinstance(tool, FunctionTool) and callable(tool.needs_approval))


async def ask_approval(run: Run, effect: AskApproval) -> Approved | Rejected | None:
    """The decision that is there, or the one that a person gives now; None for none."""
    agent = run.catalog[effect.agent]
    call = effect.call
    found = decision_about(run, agent, call)
    if found is not None:
        return await _answer(run, effect, approved=found.approved, message=found.message)
    if run.config.approver is None:
        return None
    item = approval_item(agent, call, run.context.approvals.scope)
    said: Any = run.config.approver(run.context, item)
    if inspect.isawaitable(said):
        said = await said
    return None if said is None else await _answer(run, effect, approved=bool(said))


def decision_about(run: Run, agent: AnyAgent, call: Call) -> Decision | None:
    """What a person decided about a call; None while nobody has."""
    return run.context.approvals.find(_question(agent, call))


def _question(agent: AnyAgent, call: Call) -> Question:
    return Question(
        call.name,
        call.call_id,
        agent.name,
        call.arguments,
        owner_of(agent),
        item_id=own_id_of(call.raw, call.call_id),
    )


async def _answer(
    run: Run,
    effect: AskApproval,
    *,
    approved: bool,
    message: str | None = None,
) -> Approved | Rejected:
    if approved:
        return Approved(effect.id)
    if message is None:
        call = effect.call
        message = await run.config.word_answer(
            "approval_rejected",
            call.name,
            call.call_id,
            REJECTED,
            run.context,
        )
    return Rejected(effect.id, refusal_of(effect.call, message))


def _view(run: Run, request: CallRequest) -> RunView:
    state, boundary = run.state, run.config.boundary
    before = max(state.calls - 1, 0)
    repeats: dict[str, int] = {}
    # Plain budgets need no memory of earlier calls, and then none is kept.
    if any(not isinstance(policy, WithinBudget) for policy in boundary.policies):
        repeats[request.key] = run.asked[request.key]
        run.asked[request.key] += 1
    return RunView(
        turn=state.turn,
        calls_made=before,
        repeats=repeats,
        spent=Spent(
            turns=state.turn - 1,
            calls=before,
            tokens=state.spend.total_tokens,
            seconds=time.monotonic() - run.started,
        ),
        grants=boundary.grants,
    )


async def _tool_asks(run: Run, agent: AnyAgent, call: Call, tool: FunctionTool) -> bool:
    if tool.needs_approval is False:
        return False
    # A call that was decided about needs that decision; what the tool would say is not asked.
    if decision_about(run, agent, call) is not None:
        return True
    return await needs_approval(tool, run.context, call.arguments, call.call_id)


async def _refused_beforehand(
    run: Run,
    agent: AnyAgent,
    call: Call,
    tool: FunctionTool,
) -> str | None:
    """What the tool's input guardrails say before a person is asked, where the run wants that."""
    execution = run.config.tool_execution
    if execution is None or not execution.pre_approval_tool_input_guardrails:
        return None
    return await check_tool_input(run, agent, tool, tool_context(run, agent, call))
