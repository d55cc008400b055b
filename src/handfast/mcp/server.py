"""`MCPServer`: a server of the Model Context Protocol, as far as an agent needs to know it.

A subclass brings the connection. What a server offers is untrusted: its tools are authorised like
any other, their descriptions are shown to the model as they are, and their output is data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, Self, TypeAlias

from handfast.agents.context import RunContextWrapper
from handfast.agents.tool import FunctionTool, ToolErrorFunction, default_tool_error_function
from handfast.agents.tool_guardrail import ToolInputGuardrail, ToolOutputGuardrail
from handfast.mcp.approval import RequireApproval, approval_of
from handfast.mcp.filter import MCPToolCustomDataExtractor, MCPToolMetaResolver
from handfast.mcp.tools import ToolCaller, function_tools


class _FromAgent:
    """Stands for a failure function that was not given: the agent's, or the default one."""


FROM_AGENT = _FromAgent()
"""Takes the failure function of the agent's `mcp_config`, or the default one."""

FailureFunction: TypeAlias = ToolErrorFunction | _FromAgent | None


class MCPServer(ABC):
    """A server that offers tools, and perhaps prompts and resources.

    Args:
        use_structured_content: Give the model a tool's structured content in place of its text.
        require_approval: Which calls a person has to approve: True or `always`, False or `never`,
            a mapping of tool names to these, or `(context, agent, tool)`.
        failure_error_function: Makes the answer for the model when a call fails; None ends the run.
        tool_meta_resolver: Makes the metadata that goes with a call.
        custom_data_extractor: Makes data for the program out of a result.
        tool_input_guardrails: Checks of every call.
        tool_output_guardrails: Checks of every output.
    """

    def __init__(
        self,
        use_structured_content: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
        require_approval: RequireApproval = None,
        failure_error_function: FailureFunction = FROM_AGENT,
        tool_meta_resolver: MCPToolMetaResolver | None = None,
        custom_data_extractor: MCPToolCustomDataExtractor | None = None,
        *,
        tool_input_guardrails: list[ToolInputGuardrail] | None = None,
        tool_output_guardrails: list[ToolOutputGuardrail] | None = None,
    ) -> None:
        self.use_structured_content = use_structured_content
        self.require_approval = require_approval
        self.failure_error_function = failure_error_function
        self.tool_meta_resolver = tool_meta_resolver
        self.custom_data_extractor = custom_data_extractor
        self.tool_input_guardrails = tool_input_guardrails
        self.tool_output_guardrails = tool_output_guardrails

    @property
    @abstractmethod
    def name(self) -> str:
        """What people call it."""

    @abstractmethod
    async def connect(self) -> None:
        """Connect to the server; nothing else works before."""

    @abstractmethod
    async def cleanup(self) -> None:
        """Close the connection."""

    @abstractmethod
    async def list_tools(
        self,
        run_context: RunContextWrapper | None = None,
        agent: Any = None,  # noqa: ANN401 - an agent of any context
    ) -> Sequence[Any]:
        """The tools, in the protocol's form."""

    @abstractmethod
    async def call_tool(
        self,
        tool_name: str,
        arguments: dict[str, Any] | None,
        meta: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the protocol's CallToolResult
        """Call a tool; the result in the protocol's form."""

    @abstractmethod
    async def list_prompts(self) -> Any:  # noqa: ANN401 - the protocol's ListPromptsResult
        """The prompts, in the protocol's form."""

    @abstractmethod
    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the protocol's GetPromptResult
        """A prompt, in the protocol's form."""

    async def list_function_tools(
        self,
        context: RunContextWrapper,
        agent: Any,  # noqa: ANN401 - an agent of any context
    ) -> list[FunctionTool]:
        """The tools as an agent offers them, now.

        Raises:
            UserError: The server names a tool twice, or gives one without a name.
        """
        listed = await self.list_tools(context, agent)
        tools = function_tools(self.tool_caller(), listed)
        for tool, raw in zip(tools, listed, strict=True):
            tool.needs_approval = approval_of(self.require_approval, tool.name, agent, raw)
            tool.failure_error_function = self.failure_function(agent)
            tool.tool_input_guardrails = self.tool_input_guardrails
            tool.tool_output_guardrails = self.tool_output_guardrails
        return tools

    def tool_caller(self) -> ToolCaller:
        """How its tools are called."""
        return ToolCaller(
            self.name,
            self.call_tool,
            structured=self.use_structured_content,
            meta_resolver=self.tool_meta_resolver,
            custom_data_extractor=self.custom_data_extractor,
        )

    def failure_function(self, agent: object) -> ToolErrorFunction | None:
        """What makes the answer when a call fails: its own, the agent's, or the default one."""
        given = self.failure_error_function
        if not isinstance(given, _FromAgent):
            return given
        config: dict[str, Any] = getattr(agent, "mcp_config", {})
        default: ToolErrorFunction = default_tool_error_function
        chosen: ToolErrorFunction | None = config.get("failure_error_function", default)
        return chosen

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_error: object) -> Literal[False]:
        await self.cleanup()
        return False
