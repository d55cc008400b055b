"""Calls of a stored turn, against what the agent offers now.

Between the turn and its resumption the program may have taken a tool away, or have put another kind
of thing under its name. That is seen here, before anything of the turn has an effect.
"""

from __future__ import annotations

from handfast.agents.agent import AnyAgent
from handfast.agents.handoff import Handoff
from handfast.agents.tool import FunctionTool
from handfast.core.calls import slot_effect
from handfast.core.items import Call
from handfast.core.state import Acting, HandingOver, RunState, Settled, Slot, Unapproved
from handfast.errors import ModelBehaviorError
from handfast.runner.approval import decision_about
from handfast.runner.run import Run
from handfast.runner.toolbox import AnyHandoff


async def check_standing_calls(run: Run, state: RunState) -> None:
    """Refuse to go on where a call that stands has lost its tool.

    Raises:
        ModelBehaviorError: A tool is gone, and the run does not say that the model is to be told;
            or what has its name now is something else.
        UserError: Two tools share a name and the policy is to refuse that.
    """
    phase = state.phase
    if not isinstance(phase, Acting | HandingOver):
        return
    agent = run.catalog[state.agent]
    offered = (await run.toolboxes.of(agent, run.context)).by_name
    if isinstance(phase, HandingOver):
        _require(run, agent, phase.call, offered.get(phase.call.name))
        return
    for n, slot in enumerate(phase.slots):
        if slot.call.kind != "unknown" and _will_run(run, agent, n, slot):
            _require(run, agent, slot.call, offered.get(slot.call.name))


def _will_run(run: Run, agent: AnyAgent, n: int, slot: Slot) -> bool:
    if isinstance(slot, Settled):
        return False
    if isinstance(slot, Unapproved):
        found = decision_about(run, agent, slot.call)
        return found is not None and found.approved
    state = run.state
    asked = slot_effect(state.turn, state.agent, n, slot)
    return asked is None or asked.id not in run.ledger.ended


def _require(run: Run, agent: AnyAgent, call: Call, tool: FunctionTool | AnyHandoff | None) -> None:
    if tool is not None:
        if not _fits(call, tool):
            raise ModelBehaviorError(
                f"Cannot reconcile queued tool {call.name} with a new tool of that name in agent "
                f"{agent.name}: call {call.call_id!r} was made when it was something else.",
            )
        return
    told = run.config.tool_not_found_behavior == "return_error_to_model"
    if not told or call.kind == "handoff":
        raise ModelBehaviorError(f"Tool {call.name} not found in agent {agent.name}")


def _fits(call: Call, tool: FunctionTool | AnyHandoff) -> bool:
    if isinstance(tool, Handoff):
        return call.kind != "function"
    return call.kind == "function" or (call.kind == "agent" and tool.agent_tool is not None)
