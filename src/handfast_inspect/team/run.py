"""Letting the team inspect: one run under the application's boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from handfast import AuditSink, Model, RunConfig, RunContextWrapper, RunHooks, Runner, Scope
from handfast_inspect.gathering import Gathering
from handfast_inspect.policy import TEAM_CALLS, TEAM_TOKENS, TEAM_TURNS, team_boundary
from handfast_inspect.probes.probe import Probe
from handfast_inspect.progress import AgentSpeaks, Tell
from handfast_inspect.team.agents import Member, build_team
from handfast_inspect.team.work import TeamWork

MODEL_SECONDS: Final = 120.0
"""How long one answer of a model may take."""


@dataclass(frozen=True, slots=True)
class TeamOrder:
    """What a team is asked to do."""

    model: Model
    """Every member's model."""
    scope: Scope
    """What may be reached, and for how long."""
    probes: Sequence[Probe]
    """What may be looked at, and how."""
    audit: AuditSink | None = None
    """Where each verdict on a call is written."""


class _Announce(RunHooks[None, Member]):
    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    async def on_agent_start(self, context: RunContextWrapper[None], agent: Member) -> None:
        del context
        self._tell(AgentSpeaks(agent.name))


async def run_team(order: TeamOrder, gathering: Gathering, work: TeamWork, tell: Tell) -> None:
    """Let the team inspect.

    Args:
        order: What it is asked to do.
        gathering: Runs probes and keeps what they bring.
        work: Filled with the prose as it is written.
        tell: Is told which agent has the word.

    Raises:
        HandfastError: The model failed, or a budget ran out; `gathering` and `work` keep what was
            there.
    """
    team = build_team(gathering, order.model, order.probes, work)
    config = RunConfig(
        boundary=team_boundary(team.tools, order.scope, order.audit),
        workflow_name="handfast inspect",
        max_calls=TEAM_CALLS,
        max_tokens=TEAM_TOKENS,
        model_timeout=MODEL_SECONDS,
        tool_timeout=order.scope.budget.seconds,
    )
    await Runner.run(
        team.coordinator,
        f"Inspect {gathering.target.host}.",
        max_turns=TEAM_TURNS,
        hooks=_Announce(tell),
        run_config=config,
    )
