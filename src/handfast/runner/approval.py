"""The boundary's verdict on a call, and a person's."""

from __future__ import annotations

import inspect
import time
from typing import Any, Final

from handfast.agents.agent import AnyAgent
from handfast.agents.approval import Question, owner_of
from handfast.agents.items import ToolApprovalItem
from handfast.agents.tool import FunctionTool, needs_approval
from handfast.boundary.grants import Spent
from handfast.boundary.policy import Ask, CallRequest, Deny, RunView, WithinBudget
from handfast.core.effects import AskApproval, Authorize
from handfast.core.items import Call
from handfast.core.outcomes import Allowed, ApprovalNeeded, Approved, Denied, Rejected
from handfast.runner.run import Run
from handfast.runner.tool_answer import refusal_of

REJECTED: Final = "Tool execution was not approved."


async def authorize(run: Run, effect: Authorize) -> Allowed | Denied | ApprovalNeeded:
    """Ask the boundary, and the tool itself, whether a call may run."""
    agent = run.catalog[effect.agent]
    call = effect.call
    request = CallRequest(agent.name, call.name, call.call_id, call.arguments, call.kind)
    verdict = run.config.boundary.authorize(request, _view(run, request))
    match verdict:
        case Deny(reason=reason):
            return Denied(effect.id, refusal_of(call, f"Refused: {reason}"))
        case Ask(reason=reason):
            return ApprovalNeeded(effect.id, reason)
        case _:
            pass
    if await _tool_asks(run, agent, call):
        return ApprovalNeeded(effect.id, f"{call.name} asks for approval of its calls.")
    return Allowed(effect.id)


async def ask_approval(run: Run, effect: AskApproval) -> Approved | Rejected | None:
    """The decision that is there, or the one that a person gives now; None for none."""
    agent = run.catalog[effect.agent]
    call = effect.call
    found = run.context.approvals.find(_question(agent, call))
    if found is not None:
        return _answer(effect, approved=found.approved, message=found.message)
    if run.config.approver is None:
        return None
    scope = run.context.approvals.scope
    item = ToolApprovalItem(agent, call.raw, call.name, call_scope=scope)
    said: Any = run.config.approver(run.context, item)
    if inspect.isawaitable(said):
        said = await said
    return None if said is None else _answer(effect, approved=bool(said), message=None)


def _question(agent: AnyAgent, call: Call) -> Question:
    return Question(call.name, call.call_id, agent.name, call.arguments, owner_of(agent))


def _answer(effect: AskApproval, *, approved: bool, message: str | None) -> Approved | Rejected:
    if approved:
        return Approved(effect.id)
    return Rejected(effect.id, refusal_of(effect.call, message or REJECTED))


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


async def _tool_asks(run: Run, agent: AnyAgent, call: Call) -> bool:
    box = await run.toolboxes.of(agent, run.context)
    tool = box.by_name.get(call.name)
    if not isinstance(tool, FunctionTool) or tool.needs_approval is False:
        return False
    return await needs_approval(tool, run.context, call.arguments, call.call_id)
