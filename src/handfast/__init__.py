"""handfast: a runtime for agents that act on the real world, with a boundary enforced in code.

The public names, and nothing else. They are the OpenAI Agents SDK's where it has the thing, so
that code ports by changing the import root; what is ours alone is the boundary.
"""

import importlib
import typing

from handfast.agents.agent import Agent, AgentBase
from handfast.agents.agent_tool import (
    AgentToolInvocation,
    AgentToolStreamEvent,
)
from handfast.agents.agent_tool_input import StructuredToolInputBuilderOptions
from handfast.agents.approval import Approvals, Decision
from handfast.agents.computer import (
    AsyncComputer,
    Button,
    Computer,
    ComputerProvider,
    Environment,
    dispose_resolved_computers,
    resolve_computer,
)
from handfast.agents.context import AgentHookContext, RunContextWrapper, TContext, ToolContext
from handfast.agents.docstring import DocstringStyle
from handfast.agents.editor import ApplyPatchEditor, ApplyPatchOperation, ApplyPatchResult
from handfast.agents.function_tool import function_tool
from handfast.agents.guardrail import (
    GuardrailFunctionOutput,
    InputGuardrail,
    InputGuardrailResult,
    OutputGuardrail,
    OutputGuardrailResult,
    input_guardrail,
    output_guardrail,
)
from handfast.agents.handoff import (
    Handoff,
    HandoffHistoryMapper,
    HandoffInputData,
    HandoffInputFilter,
    handoff,
)
from handfast.agents.hooks import AgentHooks, AgentHooksBase, RunHooks, RunHooksBase
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
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import (
    CompactionItem,
    HandoffCallItem,
    HandoffOutputItem,
    InputItem,
    MCPApprovalRequestItem,
    MCPApprovalResponseItem,
    MCPListToolsItem,
    MessageOutputItem,
    ProviderItem,
    ReasoningItem,
    RunItem,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
    ToolSearchCallItem,
    ToolSearchOutputItem,
)
from handfast.agents.model import Model, ModelProvider, ModelRequest, ModelTracing
from handfast.agents.model_settings import ModelSettings
from handfast.agents.nested_history import (
    default_handoff_history_mapper,
    get_conversation_history_wrappers,
    nest_handoff_history,
    reset_conversation_history_wrappers,
    set_conversation_history_wrappers,
)
from handfast.agents.output import AgentOutputSchema, AgentOutputSchemaBase
from handfast.agents.prompt import DynamicPromptFunction, GenerateDynamicPromptData, Prompt
from handfast.agents.raw import (
    ModelResponse,
    TResponseInputItem,
    TResponseOutputItem,
    TResponseStreamEvent,
)
from handfast.agents.retry import (
    ModelRetryAdvice,
    ModelRetryAdviceRequest,
    ModelRetryNormalizedError,
    RetryDecision,
    RetryPolicy,
    RetryPolicyContext,
)
from handfast.agents.retry_policies import retry_policies
from handfast.agents.retry_settings import ModelRetryBackoffSettings, ModelRetrySettings
from handfast.agents.session import Session, SessionABC, SessionSettings
from handfast.agents.strict_schema import ensure_strict_json_schema
from handfast.agents.tool import (
    FunctionTool,
    Tool,
    ToolErrorFunction,
    ToolTimeoutBehavior,
    ToolTimeoutErrorFunction,
    default_tool_error_function,
    tool_namespace,
)
from handfast.agents.tool_guardrail import (
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    ToolInputGuardrailResult,
    ToolOutputGuardrail,
    ToolOutputGuardrailData,
    ToolOutputGuardrailResult,
    tool_input_guardrail,
    tool_output_guardrail,
)
from handfast.agents.tool_origin import ToolOrigin, ToolOriginType
from handfast.agents.tool_output import (
    ToolOutputFileContent,
    ToolOutputFileContentDict,
    ToolOutputImage,
    ToolOutputImageDict,
    ToolOutputText,
    ToolOutputTextDict,
)
from handfast.agents.tool_use import (
    FunctionToolResult,
    StopAtTools,
    ToolsToFinalOutputFunction,
    ToolsToFinalOutputResult,
)
from handfast.agents.usage import RequestUsage, Usage
from handfast.boundary.audit import AuditLog, AuditRecord, AuditSink, MemoryLog, Verification
from handfast.boundary.audit_file import FileLog, verify_file
from handfast.boundary.authorize import Boundary
from handfast.boundary.commands import Command, authorize_argv, build_command
from handfast.boundary.egress import Admission, EgressGuard, Resolver
from handfast.boundary.grants import Budget, Grants, Spent
from handfast.boundary.hostnames import normalise_host
from handfast.boundary.policy import (
    Allow,
    ArgumentsAreObject,
    Ask,
    AskFor,
    CallRequest,
    Deny,
    GrantedTools,
    Policy,
    Repeat,
    RunView,
    Verdict,
    WithinBudget,
)
from handfast.boundary.programs.curl import Curl
from handfast.boundary.programs.dig import Dig
from handfast.boundary.programs.host import Host
from handfast.boundary.programs.nmap import Nmap
from handfast.boundary.programs.nslookup import Nslookup
from handfast.boundary.programs.openssl import OpensslClient
from handfast.boundary.programs.ping import Ping
from handfast.boundary.programs.traceroute import Traceroute
from handfast.boundary.programs.whois import Whois
from handfast.boundary.redaction import redact, redact_text
from handfast.boundary.scope import (
    NameServer,
    Rate,
    Scope,
    ScopeBudget,
    ScopeVerdict,
    load_scope,
    parse_scope,
)
from handfast.errors import (
    AgentsException,
    AgentToolPausedError,
    AuditError,
    AuthenticationError,
    BadRequestError,
    BoundaryError,
    CommandRefused,
    ContextWindowExceeded,
    DriverError,
    EgressDenied,
    GuardrailTripwireTriggered,
    HandfastError,
    InputGuardrailTripwireTriggered,
    InvalidFinalOutputError,
    LimitExceeded,
    MaxTurnsExceeded,
    MCPToolCancellationError,
    ModelBehaviorError,
    ModelError,
    ModelNotFoundError,
    ModelRefusalError,
    ModelTimeoutError,
    OutputGuardrailTripwireTriggered,
    ProviderError,
    ProviderProtocolError,
    ProviderUnavailable,
    RateLimitError,
    ScopeError,
    ToolError,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
    ToolTimeoutError,
    UserError,
)
from handfast.models.defaults import (
    set_default_openai_api,
    set_default_openai_client,
    set_default_openai_key,
    set_default_openai_responses_transport,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel, OpenAIResponsesWSModel
from handfast.models.provider import MultiProvider, OpenAIProvider
from handfast.runner.agent_runner import AgentRunner
from handfast.runner.config import (
    CallModelData,
    ModelInputData,
    RunConfig,
    ToolExecutionConfig,
    ToolNameCollisionPolicy,
    ToolNotFoundBehavior,
)
from handfast.runner.formatting import (
    OutputGuardrailBlockedMessageArgs,
    ToolErrorFormatter,
    ToolErrorFormatterArgs,
)
from handfast.runner.recovery import (
    RunErrorData,
    RunErrorHandler,
    RunErrorHandlerInput,
    RunErrorHandlerResult,
    RunErrorHandlers,
)
from handfast.runner.repl import run_demo_loop
from handfast.runner.result import RunErrorDetails, RunResult
from handfast.runner.run_state import ReasoningItemIdPolicy, RunState
from handfast.runner.runner import Runner
from handfast.runner.stream import RunResultStreaming
from handfast.runner.stream_events import (
    AgentUpdatedStreamEvent,
    RawResponsesStreamEvent,
    RunItemStreamEvent,
    StreamEvent,
)
from handfast.sessions.async_sqlite import AsyncSQLiteSession
from handfast.sessions.memory import InMemorySession
from handfast.sessions.openai_compaction import OpenAIResponsesCompactionSession
from handfast.sessions.openai_conversations import OpenAIConversationsSession
from handfast.sessions.sqlite import SQLiteSession
from handfast.tracing.clock import gen_group_id, gen_span_id, gen_trace_id
from handfast.tracing.create import (
    agent_span,
    custom_span,
    function_span,
    generation_span,
    get_current_span,
    get_current_trace,
    guardrail_span,
    handoff_span,
    mcp_tools_span,
    response_span,
    task_span,
    trace,
    turn_span,
)
from handfast.tracing.exporters import ConsoleSpanExporter, FileSpanExporter
from handfast.tracing.processor_interface import TracingExporter, TracingProcessor
from handfast.tracing.processors import BatchTraceProcessor
from handfast.tracing.provider import DefaultTraceProvider, TraceProvider
from handfast.tracing.setup import (
    add_trace_processor,
    flush_traces,
    get_trace_provider,
    set_trace_processors,
    set_trace_provider,
    set_tracing_disabled,
)
from handfast.tracing.span_data import (
    AgentSpanData,
    CustomSpanData,
    FunctionSpanData,
    GenerationSpanData,
    GuardrailSpanData,
    HandoffSpanData,
    MCPListToolsSpanData,
    ResponseSpanData,
    SpanData,
    TaskSpanData,
    TurnSpanData,
)
from handfast.tracing.spans import Span, SpanError
from handfast.tracing.traces import Trace, TracingConfig
from handfast.version import __version__

if typing.TYPE_CHECKING:
    from handfast.sessions.sqlalchemy import SQLAlchemySession as SQLAlchemySession

__all__ = [
    "Admission",
    "Agent",
    "AgentBase",
    "AgentHookContext",
    "AgentHooks",
    "AgentHooksBase",
    "AgentOutputSchema",
    "AgentOutputSchemaBase",
    "AgentRunner",
    "AgentSpanData",
    "AgentToolInvocation",
    "AgentToolPausedError",
    "AgentToolStreamEvent",
    "AgentUpdatedStreamEvent",
    "AgentsException",
    "Allow",
    "ApplyPatchEditor",
    "ApplyPatchOperation",
    "ApplyPatchResult",
    "ApplyPatchTool",
    "Approvals",
    "ArgumentsAreObject",
    "Ask",
    "AskFor",
    "AsyncComputer",
    "AsyncSQLiteSession",
    "AuditError",
    "AuditLog",
    "AuditRecord",
    "AuditSink",
    "AuthenticationError",
    "BadRequestError",
    "BatchTraceProcessor",
    "Boundary",
    "BoundaryError",
    "Budget",
    "Button",
    "CallModelData",
    "CallRequest",
    "CodeInterpreterTool",
    "Command",
    "CommandRefused",
    "CompactionItem",
    "Computer",
    "ComputerProvider",
    "ComputerTool",
    "ConsoleSpanExporter",
    "ContextWindowExceeded",
    "Curl",
    "CustomSpanData",
    "CustomTool",
    "Decision",
    "DefaultTraceProvider",
    "Deny",
    "Dig",
    "DocstringStyle",
    "DriverError",
    "DynamicPromptFunction",
    "EgressDenied",
    "EgressGuard",
    "Environment",
    "FileLog",
    "FileSearchTool",
    "FileSpanExporter",
    "FunctionSpanData",
    "FunctionTool",
    "FunctionToolResult",
    "GenerateDynamicPromptData",
    "GenerationSpanData",
    "GrantedTools",
    "Grants",
    "GuardrailFunctionOutput",
    "GuardrailSpanData",
    "GuardrailTripwireTriggered",
    "HandfastError",
    "Handoff",
    "HandoffCallItem",
    "HandoffHistoryMapper",
    "HandoffInputData",
    "HandoffInputFilter",
    "HandoffOutputItem",
    "HandoffSpanData",
    "Host",
    "HostedMCPTool",
    "ImageGenerationTool",
    "InMemorySession",
    "InputGuardrail",
    "InputGuardrailResult",
    "InputGuardrailTripwireTriggered",
    "InputItem",
    "InvalidFinalOutputError",
    "ItemHelpers",
    "LimitExceeded",
    "LocalShellTool",
    "MCPApprovalRequestItem",
    "MCPApprovalResponseItem",
    "MCPListToolsItem",
    "MCPListToolsSpanData",
    "MCPToolApprovalFunction",
    "MCPToolApprovalFunctionResult",
    "MCPToolApprovalRequest",
    "MCPToolCancellationError",
    "MaxTurnsExceeded",
    "MemoryLog",
    "MessageOutputItem",
    "Model",
    "ModelBehaviorError",
    "ModelError",
    "ModelInputData",
    "ModelNotFoundError",
    "ModelProvider",
    "ModelRefusalError",
    "ModelRequest",
    "ModelResponse",
    "ModelRetryAdvice",
    "ModelRetryAdviceRequest",
    "ModelRetryBackoffSettings",
    "ModelRetryNormalizedError",
    "ModelRetrySettings",
    "ModelSettings",
    "ModelTimeoutError",
    "ModelTracing",
    "MultiProvider",
    "NameServer",
    "Nmap",
    "Nslookup",
    "OpenAIChatCompletionsModel",
    "OpenAIConversationsSession",
    "OpenAIProvider",
    "OpenAIResponsesCompactionSession",
    "OpenAIResponsesModel",
    "OpenAIResponsesWSModel",
    "OpensslClient",
    "OutputGuardrail",
    "OutputGuardrailBlockedMessageArgs",
    "OutputGuardrailResult",
    "OutputGuardrailTripwireTriggered",
    "Ping",
    "Policy",
    "ProgrammaticToolCallingTool",
    "Prompt",
    "ProviderError",
    "ProviderItem",
    "ProviderProtocolError",
    "ProviderUnavailable",
    "Rate",
    "RateLimitError",
    "RawResponsesStreamEvent",
    "ReasoningItem",
    "ReasoningItemIdPolicy",
    "Repeat",
    "RequestUsage",
    "Resolver",
    "ResponseSpanData",
    "RetryDecision",
    "RetryPolicy",
    "RetryPolicyContext",
    "RunConfig",
    "RunContextWrapper",
    "RunErrorData",
    "RunErrorDetails",
    "RunErrorHandler",
    "RunErrorHandlerInput",
    "RunErrorHandlerResult",
    "RunErrorHandlers",
    "RunHooks",
    "RunHooksBase",
    "RunItem",
    "RunItemStreamEvent",
    "RunResult",
    "RunResultStreaming",
    "RunState",
    "RunView",
    "Runner",
    "SQLiteSession",
    "Scope",
    "ScopeBudget",
    "ScopeError",
    "ScopeVerdict",
    "Session",
    "SessionABC",
    "SessionSettings",
    "ShellCallOutcome",
    "ShellCommandOutput",
    "ShellTool",
    "Span",
    "SpanData",
    "SpanError",
    "Spent",
    "StopAtTools",
    "StreamEvent",
    "StructuredToolInputBuilderOptions",
    "TContext",
    "TResponseInputItem",
    "TResponseOutputItem",
    "TResponseStreamEvent",
    "TaskSpanData",
    "Tool",
    "ToolApprovalItem",
    "ToolCallItem",
    "ToolCallOutputItem",
    "ToolContext",
    "ToolError",
    "ToolErrorFormatter",
    "ToolErrorFormatterArgs",
    "ToolErrorFunction",
    "ToolExecutionConfig",
    "ToolGuardrailFunctionOutput",
    "ToolInputGuardrail",
    "ToolInputGuardrailData",
    "ToolInputGuardrailResult",
    "ToolInputGuardrailTripwireTriggered",
    "ToolNameCollisionPolicy",
    "ToolNotFoundBehavior",
    "ToolOrigin",
    "ToolOriginType",
    "ToolOutputFileContent",
    "ToolOutputFileContentDict",
    "ToolOutputGuardrail",
    "ToolOutputGuardrailData",
    "ToolOutputGuardrailResult",
    "ToolOutputGuardrailTripwireTriggered",
    "ToolOutputImage",
    "ToolOutputImageDict",
    "ToolOutputText",
    "ToolOutputTextDict",
    "ToolSearchCallItem",
    "ToolSearchOutputItem",
    "ToolSearchTool",
    "ToolTimeoutBehavior",
    "ToolTimeoutError",
    "ToolTimeoutErrorFunction",
    "ToolsToFinalOutputFunction",
    "ToolsToFinalOutputResult",
    "Trace",
    "TraceProvider",
    "Traceroute",
    "TracingConfig",
    "TracingExporter",
    "TracingProcessor",
    "TurnSpanData",
    "Usage",
    "UserError",
    "Verdict",
    "Verification",
    "WebSearchTool",
    "Whois",
    "WithinBudget",
    "__version__",
    "add_trace_processor",
    "agent_span",
    "authorize_argv",
    "build_command",
    "custom_span",
    "default_handoff_history_mapper",
    "default_tool_error_function",
    "dispose_resolved_computers",
    "ensure_strict_json_schema",
    "flush_traces",
    "function_span",
    "function_tool",
    "gen_group_id",
    "gen_span_id",
    "gen_trace_id",
    "generation_span",
    "get_conversation_history_wrappers",
    "get_current_span",
    "get_current_trace",
    "get_trace_provider",
    "guardrail_span",
    "handoff",
    "handoff_span",
    "input_guardrail",
    "load_scope",
    "mcp_tools_span",
    "nest_handoff_history",
    "normalise_host",
    "output_guardrail",
    "parse_scope",
    "redact",
    "redact_text",
    "reset_conversation_history_wrappers",
    "resolve_computer",
    "response_span",
    "retry_policies",
    "run_demo_loop",
    "set_conversation_history_wrappers",
    "set_default_openai_api",
    "set_default_openai_client",
    "set_default_openai_key",
    "set_default_openai_responses_transport",
    "set_trace_processors",
    "set_trace_provider",
    "set_tracing_disabled",
    "task_span",
    "tool_input_guardrail",
    "tool_namespace",
    "tool_output_guardrail",
    "trace",
    "turn_span",
    "verify_file",
]


def __getattr__(name: str) -> object:
    """`SQLAlchemySession`, with SQLAlchemy, once somebody asks for it.

    Raises:
        AttributeError: There is no such name.
        ImportError: SQLAlchemy is not installed.
    """
    if name != "SQLAlchemySession":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module("handfast.sessions.sqlalchemy")
    except ModuleNotFoundError as error:
        raise ImportError(
            "SQLAlchemySession needs SQLAlchemy: pip install 'handfast[sqlalchemy]'"
        ) from error
    session: object = module.SQLAlchemySession
    return session
