"""An agent whose tool is invoked by hand: a run of its own, in place of a caller's."""

from __future__ import annotations

from typing import Any

from handfast.agents.agent import is_agent
from handfast.agents.agent_tool import AgentCall, AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.core.state import waits_for_person
from handfast.errors import UserError
from handfast.runner.agent_call import child_run, child_step, output_of
from handfast.runner.config import RunConfig
from handfast.runner.drive import drive
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.run import Run


async def run_agent_alone(
    spec: AgentToolSpec,
    context: RunContextWrapper[Any],
    call: AgentCall,
) -> object:
    """Run the agent behind a tool for code that invokes the tool itself.

    Raises:
        UserError: A call inside needs a person's approval, which nobody here could wait for.
        HandfastError: The agent's run failed.
    """
    given = context.run_config if isinstance(context, ToolContext) else None
    config = given if isinstance(given, RunConfig) else RunConfig()
    if not is_agent(agent := spec.agent):
        raise UserError(f"{spec.agent.name!r} is no Agent and cannot be run.")
    caller = Run(agent, context, config, drive)
    child = child_run(caller, spec, context, call)
    state = await drive(child, await child_step(child, spec, call, None))
    if waits_for_person(state):
        raise UserError(
            f"A call inside the agent tool {spec.agent.name!r} needs approval; let Runner.run "
            "call the tool, so that the run can wait.",
        )
    raise_stopped(child)
    return await output_of(spec, RunResult.of(child))
