"""The names that tools are offered under: of a form that providers take, and told apart.

Tools come with any name: from a server on the network, from an agent's name in any language. One
name that a provider refuses would make it refuse the whole request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handfast.agents.names import MAX_NAME_LENGTH, function_name, hashed_name
from handfast.agents.tool import FunctionTool, Tool

_NAME: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{MAX_NAME_LENGTH}}}")
_NOT_IN_A_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")


def resolve_tool_names(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """The tools of one agent under names that providers take.

    A name of the right form is never changed, unless it was made from an agent's name and another
    agent's tool has it too: that tool gets a hash of the name, as handoffs do. Two tools to which
    a user gave one name keep it. A second run over the result changes nothing.

    Args:
        tools: All of them, disabled ones too, so that a name does not depend on the turn.
    """
    owners: dict[str, object] = {
        tool.name: tool.name
        for tool in tools
        if _NAME.fullmatch(tool.name) and not _is_named_after_agent(tool)
    }
    return tuple(_named(tool, owners) for tool in tools)


def _named(tool: Tool, owners: dict[str, object]) -> Tool:
    if not isinstance(tool, FunctionTool):
        return tool
    if _is_named_after_agent(tool):
        return _renamed(tool, tool.name, _agent_name(tool), owners)
    if _NAME.fullmatch(tool.name):
        return tool
    plain = _NOT_IN_A_NAME.sub("_", tool.name) if tool.name.isascii() else ""
    wanted = plain if _NAME.fullmatch(plain) else hashed_name("", tool.name)
    return _renamed(tool, wanted, tool.name, owners)


def _renamed(
    tool: FunctionTool,
    wanted: str,
    source: str,
    owners: dict[str, object],
) -> FunctionTool:
    """The tool under the wanted name, or one with a hash where that has another owner."""
    if owners.setdefault(wanted, (source,)) != (source,):
        wanted = hashed_name("", source)
    return tool if tool.name == wanted else replace(tool, name=wanted, schema_is_strict=True)


def _is_named_after_agent(tool: Tool) -> bool:
    return (
        isinstance(tool, FunctionTool)
        and tool.agent_tool is not None
        and tool.name == function_name("", tool.agent_tool.agent.name)
    )


def _agent_name(tool: FunctionTool) -> str:
    return "" if tool.agent_tool is None else tool.agent_tool.agent.name
