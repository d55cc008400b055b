"""Tools, of every kind. The OpenAI Agents SDK keeps these names in a module of this name."""

from __future__ import annotations

from handfast.agents.computer import (
    ComputerProvider,
    dispose_resolved_computers,
    resolve_computer,
)
from handfast.agents.function_tool import function_tool
from handfast.agents.hosted_tool import (
    ApplyPatchTool,
    CodeInterpreterTool,
    ComputerTool,
    CustomTool,
    FileSearchTool,
    HostedMCPTool,
    ImageGenerationTool,
    LocalShellTool,
    MCPToolApprovalFunction,
    MCPToolApprovalFunctionResult,
    MCPToolApprovalRequest,
    ProgrammaticToolCallingTool,
    ShellCallOutcome,
    ShellCommandOutput,
    ShellTool,
    ToolSearchTool,
    WebSearchTool,
)
from handfast.agents.tool import (
    FunctionTool,
    Tool,
    ToolCustomDataContext,
    ToolErrorFunction,
    default_tool_error_function,
    tool_namespace,
)
from handfast.agents.tool_invocation import invoke_function_tool
from handfast.agents.tool_origin import ToolOrigin, ToolOriginType
from handfast.agents.tool_output import (
    ToolOutputFileContent,
    ToolOutputFileContentDict,
    ToolOutputImage,
    ToolOutputImageDict,
    ToolOutputText,
    ToolOutputTextDict,
)
from handfast.agents.tool_use import FunctionToolResult

__all__ = [
    "ApplyPatchTool",
    "CodeInterpreterTool",
    "ComputerProvider",
    "ComputerTool",
    "CustomTool",
    "FileSearchTool",
    "FunctionTool",
    "FunctionToolResult",
    "HostedMCPTool",
    "ImageGenerationTool",
    "LocalShellTool",
    "MCPToolApprovalFunction",
    "MCPToolApprovalFunctionResult",
    "MCPToolApprovalRequest",
    "ProgrammaticToolCallingTool",
    "ShellCallOutcome",
    "ShellCommandOutput",
    "ShellTool",
    "Tool",
    "ToolCustomDataContext",
    "ToolErrorFunction",
    "ToolOrigin",
    "ToolOriginType",
    "ToolOutputFileContent",
    "ToolOutputFileContentDict",
    "ToolOutputImage",
    "ToolOutputImageDict",
    "ToolOutputText",
    "ToolOutputTextDict",
    "ToolSearchTool",
    "WebSearchTool",
    "default_tool_error_function",
    "dispose_resolved_computers",
    "function_tool",
    "invoke_function_tool",
    "resolve_computer",
    "tool_namespace",
]
