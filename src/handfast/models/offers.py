"""What a model may answer with: the tools and handoffs of a request, and its output type."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from handfast.agents.hosted_tool import HostedTool
from handfast.agents.model import ModelRequest
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError

OUTPUT_NAME = "final_output"
"""What the schema of a typed output is called in a request."""

_MODES = frozenset({"auto", "required", "none"})


@dataclass(frozen=True, slots=True)
class Offer:
    """One function that the model may call: a tool, or a handoff, which is one to the model."""

    name: str
    description: str
    parameters: Mapping[str, object]
    strict: bool
    more: Mapping[str, object] = field(default_factory=dict[str, object])
    """What only the Responses API takes."""


def offers(request: ModelRequest) -> list[Offer]:
    """The tools of a request, then its handoffs."""
    return [
        *(
            Offer(
                tool.name,
                tool.description,
                tool.params_json_schema,
                tool.strict_json_schema,
                _more(tool),
            )
            for tool in request.tools
            if isinstance(tool, FunctionTool)
        ),
        *(
            Offer(
                handoff.tool_name,
                handoff.tool_description,
                handoff.input_json_schema,
                handoff.strict_json_schema,
            )
            for handoff in request.handoffs
        ),
    ]


def _more(tool: FunctionTool) -> Mapping[str, object]:
    more: dict[str, object] = {}
    if tool.defer_loading:
        more["defer_loading"] = True
    if tool.allowed_callers is not None:
        more["allowed_callers"] = tool.allowed_callers
    if tool.output_json_schema is not None:
        more["output_schema"] = tool.output_json_schema
    return more


def hosted_tools(request: ModelRequest) -> list[HostedTool]:
    """The tools of a request that the provider runs."""
    return [tool for tool in request.tools if isinstance(tool, HostedTool)]


def chosen_tool(choice: str, offered: Sequence[Offer]) -> str | None:
    """The one tool that a choice names; None for `auto`, `required` and `none`.

    Raises:
        UserError: It names no tool on offer; the message has the nearest.
    """
    if choice in _MODES:
        return None
    names = [offer.name for offer in offered]
    if choice in names:
        return choice
    near = difflib.get_close_matches(choice, names, n=1) or names
    raise UserError(
        f"tool_choice names {choice!r}, which is not on offer. Use 'auto', 'required', 'none' or "
        f"one of the agent's tools: {', '.join(near)}.",
    )


def typed_output(schema: AgentOutputSchemaBase | None) -> AgentOutputSchemaBase | None:
    """The schema where the output has one; None for plain text."""
    return None if schema is None or schema.is_plain_text() else schema
