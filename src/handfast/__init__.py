"""handfast: a runtime for agents that act on the real world, with a boundary enforced in code.

The public names, and nothing else. They are the OpenAI Agents SDK's where it has the thing, so
that code ports by changing the import root; what is ours alone is the boundary.
"""

from handfast.agents.agent import Agent
from handfast.agents.context import AgentHookContext, RunContextWrapper, ToolContext
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
from handfast.agents.handoff import Handoff, HandoffInputData, HandoffInputFilter, handoff
from handfast.agents.hooks import AgentHooks, AgentHooksBase, RunHooks, RunHooksBase
from handfast.agents.item_text import ItemHelpers
from handfast.agents.items import (
    HandoffCallItem,
    HandoffOutputItem,
    InputItem,
    MessageOutputItem,
    ProviderItem,
    ReasoningItem,
    RunItem,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
)
from handfast.agents.model import Model, ModelProvider, ModelRequest, ModelTracing
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchema, AgentOutputSchemaBase
from handfast.agents.raw import ModelResponse
from handfast.agents.session import Session, SessionABC, SessionSettings
from handfast.agents.tool import (
    FunctionTool,
    Tool,
    default_tool_error_function,
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
from handfast.agents.tool_output import (
    ToolOutputFileContent,
    ToolOutputImage,
    ToolOutputText,
)
from handfast.agents.tool_use import FunctionToolResult, StopAtTools, ToolsToFinalOutputResult
from handfast.agents.usage import RequestUsage, Usage
from handfast.boundary.audit import AuditLog, AuditRecord, AuditSink, MemoryLog, Verification
from handfast.boundary.audit_file import FileLog, verify_file
from handfast.boundary.authorize import Boundary
from handfast.boundary.egress import Admission, EgressGuard, Resolver
from handfast.boundary.grants import Budget, Grants
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
from handfast.boundary.redaction import redact_text
from handfast.boundary.scope import Scope, load_scope, parse_scope
from handfast.errors import (
    AgentsException,
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
from handfast.models.provider import MultiProvider
from handfast.runner.config import (
    CallModelData,
    ModelInputData,
    RunConfig,
    ToolExecutionConfig,
)
from handfast.runner.recovery import (
    RunErrorData,
    RunErrorHandlerInput,
    RunErrorHandlerResult,
    RunErrorHandlers,
)
from handfast.runner.result import RunErrorDetails, RunResult
from handfast.runner.run_state import RunState
from handfast.runner.runner import Runner
from handfast.runner.stream import RunResultStreaming
from handfast.runner.stream_events import (
    AgentUpdatedStreamEvent,
    RawResponsesStreamEvent,
    RunItemStreamEvent,
    StreamEvent,
)
from handfast.sessions.memory import InMemorySession
from handfast.sessions.sqlite import SQLiteSession

__version__ = "0.1.0"

__all__ = [
    "Admission",
    "Agent",
    "AgentHookContext",
    "AgentHooks",
    "AgentHooksBase",
    "AgentOutputSchema",
    "AgentOutputSchemaBase",
    "AgentUpdatedStreamEvent",
    "AgentsException",
    "Allow",
    "ArgumentsAreObject",
    "Ask",
    "AskFor",
    "AuditError",
    "AuditLog",
    "AuditRecord",
    "AuditSink",
    "AuthenticationError",
    "BadRequestError",
    "Boundary",
    "BoundaryError",
    "Budget",
    "CallModelData",
    "CallRequest",
    "CommandRefused",
    "ContextWindowExceeded",
    "Deny",
    "DriverError",
    "EgressDenied",
    "EgressGuard",
    "FileLog",
    "FunctionTool",
    "FunctionToolResult",
    "GrantedTools",
    "Grants",
    "GuardrailFunctionOutput",
    "GuardrailTripwireTriggered",
    "HandfastError",
    "Handoff",
    "HandoffCallItem",
    "HandoffInputData",
    "HandoffInputFilter",
    "HandoffOutputItem",
    "InMemorySession",
    "InputGuardrail",
    "InputGuardrailResult",
    "InputGuardrailTripwireTriggered",
    "InputItem",
    "InvalidFinalOutputError",
    "ItemHelpers",
    "LimitExceeded",
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
    "ModelSettings",
    "ModelTimeoutError",
    "ModelTracing",
    "MultiProvider",
    "OutputGuardrail",
    "OutputGuardrailResult",
    "OutputGuardrailTripwireTriggered",
    "Policy",
    "ProviderError",
    "ProviderItem",
    "ProviderProtocolError",
    "ProviderUnavailable",
    "RateLimitError",
    "RawResponsesStreamEvent",
    "ReasoningItem",
    "Repeat",
    "RequestUsage",
    "Resolver",
    "RunConfig",
    "RunContextWrapper",
    "RunErrorData",
    "RunErrorDetails",
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
    "ScopeError",
    "Session",
    "SessionABC",
    "SessionSettings",
    "StopAtTools",
    "StreamEvent",
    "Tool",
    "ToolApprovalItem",
    "ToolCallItem",
    "ToolCallOutputItem",
    "ToolContext",
    "ToolError",
    "ToolExecutionConfig",
    "ToolGuardrailFunctionOutput",
    "ToolInputGuardrail",
    "ToolInputGuardrailData",
    "ToolInputGuardrailResult",
    "ToolInputGuardrailTripwireTriggered",
    "ToolOutputFileContent",
    "ToolOutputGuardrail",
    "ToolOutputGuardrailData",
    "ToolOutputGuardrailResult",
    "ToolOutputGuardrailTripwireTriggered",
    "ToolOutputImage",
    "ToolOutputText",
    "ToolTimeoutError",
    "ToolsToFinalOutputResult",
    "Usage",
    "UserError",
    "Verdict",
    "Verification",
    "WithinBudget",
    "default_tool_error_function",
    "function_tool",
    "handoff",
    "input_guardrail",
    "load_scope",
    "normalise_host",
    "output_guardrail",
    "parse_scope",
    "redact_text",
    "tool_input_guardrail",
    "tool_output_guardrail",
    "verify_file",
]
