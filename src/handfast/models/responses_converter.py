"""`Converter`: tools and handoffs as a request to the Responses API says them.

The adapter does this by itself; here it is for programs that show or store such requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from handfast.agents.handoff import Handoff
from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import ModelSettings, ToolChoice
from handfast.agents.tool import Tool
from handfast.models.responses_request import choice_of, tools_of


@dataclass(frozen=True, slots=True)
class ConvertedTools:
    """The tools of a request."""

    tools: list[dict[str, object]]
    includes: list[str] = field(default_factory=list[str])
    """What the answer is asked to include because of them."""


class Converter:
    """Conversions of what an agent offers."""

    @staticmethod
    def convert_tools(tools: Sequence[Tool], handoffs: Sequence[Handoff] = ()) -> ConvertedTools:
        """The tools and handoffs of a request.

        Raises:
            UserError: A tool would have to run in this process and is no function.
        """
        body = tools_of(ModelRequest(None, "", tools=tools, handoffs=handoffs))
        shown = any(getattr(tool, "include_search_results", False) for tool in tools)
        return ConvertedTools(body, ["file_search_call.results"] if shown else [])

    @staticmethod
    def convert_tool_choice(
        choice: ToolChoice | None,
        tools: Sequence[Tool] = (),
        handoffs: Sequence[Handoff] = (),
    ) -> object:
        """A tool choice; None for none.

        Raises:
            UserError: It names no tool on offer.
        """
        if choice is None:
            return None
        settings = ModelSettings(tool_choice=choice)
        request = ModelRequest(None, "", settings, tools, handoffs=handoffs)
        return choice_of(request)
