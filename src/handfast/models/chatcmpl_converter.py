"""`Converter`: input items, tools and handoffs as a chat completions request says them.

The adapter does this by itself; here it is for programs that show or store such requests. The
OpenAI Agents SDK keeps the name in a module of this name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handfast.agents.handoff import Handoff
from handfast.agents.model import ModelRequest
from handfast.agents.tool import FunctionTool, Tool
from handfast.errors import UserError
from handfast.models.chat_dialect import ChatDialect
from handfast.models.chat_messages import Message, chat_messages
from handfast.models.chat_request import function_of
from handfast.models.offers import offers
from handfast.models.origin import Origin

_NOBODY = Origin("", "")
_PLAIN = ChatDialect()


class Converter:
    """Conversions without a provider's peculiarities."""

    @staticmethod
    def items_to_messages(items: str | Sequence[Mapping[str, object]]) -> list[Message]:
        """The messages for a conversation.

        Raises:
            UserError: An item cannot be said in this protocol.
        """
        return chat_messages(items, _NOBODY, _PLAIN)

    @staticmethod
    def tool_to_openai(tool: Tool) -> dict[str, object]:
        """A function tool.

        Raises:
            UserError: The tool is one that only the Responses API runs.
        """
        if not isinstance(tool, FunctionTool):
            raise UserError(
                f"Hosted tools are not supported with the ChatCompletions API: {tool.name}. Use "
                "OpenAIResponsesModel.",
            )
        return _function(ModelRequest(None, "", tools=(tool,)))

    @staticmethod
    def convert_handoff_tool(handoff: Handoff) -> dict[str, object]:
        """A handoff, which is a function to the model."""
        return _function(ModelRequest(None, "", handoffs=(handoff,)))


def _function(request: ModelRequest) -> dict[str, object]:
    return function_of(offers(request)[0], _PLAIN)
