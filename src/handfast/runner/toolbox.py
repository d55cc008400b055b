"""`Toolbox`: what an agent offers its model in a turn, by the names that the model sees."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from handfast.agents.agent import AnyAgent
from handfast.agents.agent_tool_handler import AgentToolHandler
from handfast.agents.context import RunContextWrapper
from handfast.agents.handoff import (
    Handoff,
    handoff,
    is_handoff_enabled,
    resolve_handoff_names,
)
from handfast.agents.hosted_tool import HostedTool
from handfast.agents.tool import FunctionTool, Tool, origin_of
from handfast.agents.tool_names import resolve_tool_names
from handfast.core.items import CallKind
from handfast.core.state import Offer
from handfast.errors import UserError

logger = logging.getLogger("handfast")

CollisionPolicy: TypeAlias = Literal["warn", "error"]
AnyHandoff: TypeAlias = Handoff[Any, AnyAgent]


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The enabled tools and handoffs of one agent."""

    tools: Sequence[Tool]
    handoffs: Sequence[AnyHandoff]
    by_name: Mapping[str, FunctionTool | AnyHandoff]
    offer: Offer

    def origin_of(self, name: str) -> Mapping[str, str] | None:
        """Where a tool comes from, as JSON data; None for what is no tool."""
        offered = self.by_name.get(name)
        return origin_of(offered).to_json_dict() if isinstance(offered, FunctionTool) else None


class Toolboxes:
    """Makes toolboxes, and keeps those that cannot differ from one turn to the next.

    Args:
        policy: What two tools of one name mean.
        check: Refuses agents that may not be used as they stand now.
    """

    def __init__(
        self,
        policy: CollisionPolicy,
        check: Callable[[AnyAgent], None] | None = None,
    ) -> None:
        self._policy: CollisionPolicy = policy
        self._check = check
        self._kept: dict[int, tuple[Sequence[object], Sequence[object], Toolbox]] = {}
        self._handoffs: dict[int, tuple[AnyAgent, AnyHandoff]] = {}
        self._latest: dict[int, tuple[AnyAgent, Toolbox]] = {}

    async def of(self, agent: AnyAgent, context: RunContextWrapper[Any]) -> Toolbox:
        """What the agent offered its model in this turn; what it offers now, where no turn began.

        Raises:
            UserError: Two tools share a name and the policy is to refuse that.
        """
        latest = self.latest(agent)
        return await self.fresh(agent, context) if latest is None else latest

    async def fresh(self, agent: AnyAgent, context: RunContextWrapper[Any]) -> Toolbox:
        """What the agent offers now, for the turn that begins.

        Raises:
            UserError: Two tools share a name and the policy is to refuse that, or the agent may
                not be used as it stands.
        """
        box = self._unchanged(agent)
        if box is None:
            box = await self._made(agent, context)
        if self._check is not None:
            self._check(agent)
        self._latest[id(agent)] = (agent, box)
        return box

    def clear(self) -> None:
        """Forget every agent and tool."""
        self._kept.clear()
        self._handoffs.clear()
        self._latest.clear()

    def _unchanged(self, agent: AnyAgent) -> Toolbox | None:
        kept = self._kept.get(id(agent))
        # Lists are compared element by element, by identity first: cheap, and a tool that was
        # added or taken away in the middle of a run is seen.
        if (
            kept is not None
            and kept[0] == agent.tools
            and kept[1] == agent.handoffs
            and not agent.mcp_servers
            and all(tool.is_enabled is True for tool in agent.tools)
        ):
            return kept[2]
        return None

    async def _made(self, agent: AnyAgent, context: RunContextWrapper[Any]) -> Toolbox:
        # What is asked on the way may change the lists; the box is of what they were.
        own, receivers = list(agent.tools), list(agent.handoffs)
        handoffs = resolve_handoff_names([self._handoff(target) for target in receivers])
        box = _toolbox(
            agent,
            await _named_tools(agent, context),
            [each for each in handoffs if await is_handoff_enabled(each, context, agent)],
            self._policy,
        )
        tools_fixed = all(tool.is_enabled is True for tool in own)
        if tools_fixed and all(each.is_enabled is True for each in handoffs):
            self._kept[id(agent)] = (own, receivers, box)
        return box

    def latest(self, agent: AnyAgent) -> Toolbox | None:
        """What the agent offered last; None while it has offered nothing."""
        found = self._latest.get(id(agent))
        return None if found is None else found[1]

    def _handoff(self, target: AnyAgent | AnyHandoff) -> AnyHandoff:
        if isinstance(target, Handoff):
            return target
        kept = self._handoffs.get(id(target))
        if kept is None:
            kept = self._handoffs[id(target)] = (target, handoff(target))
        return kept[1]


async def _named_tools(agent: AnyAgent, context: RunContextWrapper[Any]) -> Sequence[Tool]:
    """The enabled tools under the names that they are offered by."""
    own = zip(agent.tools, resolve_tool_names(agent.tools), strict=True)
    named = {id(tool): offered for tool, offered in own}
    enabled = await agent.get_all_tools(context)
    return resolve_tool_names([named.get(id(tool), tool) for tool in enabled])


def _toolbox(
    agent: AnyAgent,
    tools: Sequence[Tool],
    handoffs: Sequence[AnyHandoff],
    policy: CollisionPolicy,
) -> Toolbox:
    by_name: dict[str, FunctionTool | AnyHandoff] = {}
    # Tools that the provider runs are no functions: their calls never come here.
    hosted = [tool for tool in tools if isinstance(tool, HostedTool)]
    functions = [tool for tool in tools if isinstance(tool, FunctionTool)]
    every: list[FunctionTool | AnyHandoff] = [*functions, *handoffs]
    for offered in every:
        name = offered.tool_name if isinstance(offered, Handoff) else offered.name
        if name in by_name:
            _collide(agent, name, {type(by_name[name]), type(offered)}, policy)
        by_name[name] = offered
    chosen = list(by_name.values())
    kinds: dict[str, CallKind] = {name: _kind(offered) for name, offered in by_name.items()}
    return Toolbox(
        [*(each for each in chosen if isinstance(each, FunctionTool)), *hosted],
        [each for each in chosen if isinstance(each, Handoff)],
        by_name,
        Offer(kinds, agent.tool_use_behavior != "run_llm_again"),
    )


def _kind(offered: FunctionTool | AnyHandoff) -> CallKind:
    if isinstance(offered, Handoff):
        return "agent" if offered.returns else "handoff"
    # A handler that the program put in its place is what runs, as for any tool.
    return "agent" if isinstance(offered.on_invoke_tool, AgentToolHandler) else "function"


def _collide(agent: AnyAgent, name: str, kinds: set[type], policy: CollisionPolicy) -> None:
    match len(kinds), Handoff in kinds:
        case 1, True:
            what = "handoff"
            owners = f"the handoff tool name `{name}` is used by multiple handoffs"
        case 1, False:
            what = "function tool"
            owners = f"the tool name `{name}` is used by multiple tools"
        case _:
            what = "tool routing"
            owners = f"the tool name `{name}` is used by both a function tool and a handoff"
    message = (
        f"Ambiguous {what} configuration: {owners} of agent {agent.name!r}. The model can call "
        "only the last; give each a name of its own (name_override, tool_name, tool_name_override)."
    )
    if policy == "error":
        raise UserError(message)
    logger.warning(message)
