"""Every error that handfast raises on purpose, sorted by whose fault it is.

    HandfastError (AgentsException)
    ├── UserError                    the program that uses handfast
    │   ├── SchemaReferenceError         a `$ref` that leads nowhere
    │   ├── SessionClosedError           a session that it has closed
    │   ├── SessionItemError             an item that no session can store
    │   ├── GuardrailTimeoutError        a check that gave no verdict in time
    │   └── AgentToolPausedError         an agent tool invoked by hand waits for a person
    ├── ModelError                   what a model said, or that it said nothing
    │   ├── ModelBehaviorError       an answer that breaks the agreement
    │   │   └── InvalidFinalOutputError  text that does not fit the output type
    │   ├── ModelRefusalError        the model refused
    │   ├── ModelTimeoutError        no answer in time
    │   └── ProviderError            the service behind the model failed
    │       ├── AuthenticationError      401, 403: key missing, wrong or not allowed
    │       ├── ModelNotFoundError       404: wrong model name or address
    │       ├── RateLimitError           429, with retry_after where given
    │       ├── ContextWindowExceeded    the request is too long for the model
    │       ├── BadRequestError          any other 4xx
    │       ├── ProviderUnavailable      5xx, connection refused or lost
    │       └── ProviderProtocolError    bytes that are no valid answer, or a stream cut midway
    ├── ToolError                    a tool
    │   ├── ToolTimeoutError
    │   └── MCPToolCancellationError
    ├── GuardrailTripwireTriggered   a check that the user wrote said stop
    ├── BoundaryError                the boundary said no
    │   ├── ScopeError               a scope file that is missing or malformed
    │   ├── EgressDenied             a connection outside the scope
    │   ├── CommandRefused           an argument vector that is not known to be harmless
    │   └── AuditError               an audit log that was changed, cut or cannot be written
    └── LimitExceeded                a finite budget ran out
        └── MaxTurnsExceeded

A driver that feeds the core an outcome nobody asked for gets a `DriverError`; that one is our bug
and deliberately stands outside the tree.
"""

from __future__ import annotations

from collections.abc import Sequence


class HandfastError(Exception):
    """The root of everything raised on purpose.

    Attributes:
        run_data: What the run had produced when it ended, set by the runner; None when the error
            was not raised from a run.
    """

    run_data: object | None = None

    @property
    def message(self) -> str:
        """What happened, in words."""
        return str(self)


AgentsException = HandfastError
"""The OpenAI Agents SDK's name for the root of the tree."""


class DriverError(RuntimeError):
    """A driver fed the core an outcome that no open effect had asked for: a bug in the driver."""


# ---- the user -----------------------------------------------------------------------------------


class UserError(HandfastError):
    """The program that uses handfast did something that cannot work."""


class SchemaReferenceError(UserError, ValueError):
    """A `$ref` in a JSON schema leads nowhere, in a circle, or out of the schema."""


class SessionClosedError(UserError, RuntimeError):
    """A session was used after the program had closed it."""


class SessionItemError(UserError, TypeError):
    """An item cannot be stored in a session, because it is not JSON."""


class AgentToolPausedError(UserError):
    """An agent tool that was invoked by hand came to a call that needs a person's approval.

    Its run is kept for the call. Decide with `approve_tool` or `reject_tool` of the context that
    the tool was invoked with, and invoke it again for the same call: the run goes on where it was.

    Attributes:
        interruptions: The calls that wait, as `ToolApprovalItem`s.
    """

    def __init__(self, message: str, interruptions: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.interruptions = list(interruptions)


# ---- the model ----------------------------------------------------------------------------------


class ModelError(HandfastError):
    """A model, or the service behind it, failed the run."""


class ModelBehaviorError(ModelError):
    """The model's answer broke the agreement: an unknown tool, arguments that do not parse.

    Attributes:
        arguments_of: The tool whose arguments were wrong: the message then tells the model what to
            repair. None where something else was wrong.
    """

    def __init__(self, message: str, *, arguments_of: str | None = None) -> None:
        super().__init__(message)
        self.arguments_of = arguments_of


class InvalidFinalOutputError(ModelBehaviorError):
    """The model's last text does not fit the agent's output type; the message says where."""


class ModelRefusalError(ModelError):
    """The model refused to answer.

    Attributes:
        refusal: The refusal in the model's words.
    """

    def __init__(self, refusal: str) -> None:
        super().__init__(f"Model refused to respond: {refusal}")
        self.refusal = refusal


class ModelTimeoutError(ModelError):
    """The model gave no whole answer within its deadline.

    Attributes:
        timeout_seconds: The deadline, in seconds.
    """

    def __init__(self, timeout_seconds: float) -> None:
        super().__init__(f"Model call timed out after {timeout_seconds:g} seconds.")
        self.timeout_seconds = timeout_seconds


class ProviderError(ModelError):
    """The service behind a model answered with an error, or not at all.

    Attributes:
        status: HTTP status, None where there was none.
        request_id: The provider's id of the request, to quote to its support.
        code: The provider's own error code, where it sent one.
        retry_after: Seconds that the provider asked to wait, None where it said nothing.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        code: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id
        self.code = code
        self.retry_after = retry_after


class AuthenticationError(ProviderError):
    """The key is missing, wrong, or not allowed to do this (401, 403)."""


class ModelNotFoundError(ProviderError):
    """The provider knows no such model, or the address is wrong (404)."""


class RateLimitError(ProviderError):
    """Too many requests or tokens, or no quota left (429)."""


class ContextWindowExceeded(ProviderError):
    """The request is longer than the model's context window."""


class BadRequestError(ProviderError):
    """The provider refused the request as malformed or not allowed (any other 4xx)."""


class ProviderUnavailable(ProviderError):
    """The provider failed (5xx) or could not be reached."""


class ProviderProtocolError(ProviderError):
    """What came back is not a whole, valid answer: not JSON, empty, or a stream cut midway."""


# ---- tools --------------------------------------------------------------------------------------


class ToolError(HandfastError):
    """A tool failed in a way that ends the run."""


class ToolTimeoutError(ToolError):
    """A tool ran longer than it may.

    Attributes:
        tool_name: The tool.
        timeout_seconds: Its limit, in seconds.
    """

    def __init__(self, tool_name: str, timeout_seconds: float) -> None:
        super().__init__(f"Tool '{tool_name}' timed out after {timeout_seconds:g} seconds.")
        self.tool_name = tool_name
        self.timeout_seconds = timeout_seconds


class MCPToolCancellationError(ToolError):
    """An MCP server cancelled a call on its side."""


# ---- guardrails ---------------------------------------------------------------------------------


class GuardrailTimeoutError(UserError):
    """A guardrail gave no verdict in time: neither a yes nor a no, so the run ends.

    Attributes:
        guardrail_name: The guardrail.
        timeout_seconds: Its limit, in seconds.
    """

    def __init__(self, guardrail_name: str, timeout_seconds: float) -> None:
        super().__init__(
            f"Guardrail {guardrail_name!r} gave no verdict within {timeout_seconds:g} seconds; "
            "RunConfig(guardrail_timeout=...) sets how long it may take."
        )
        self.guardrail_name = guardrail_name
        self.timeout_seconds = timeout_seconds


class GuardrailTripwireTriggered(HandfastError):
    """A guardrail stopped the run."""


class InputGuardrailTripwireTriggered(GuardrailTripwireTriggered):
    """An input guardrail tripped.

    Attributes:
        guardrail_result: The `InputGuardrailResult` that tripped.
    """

    def __init__(self, guardrail_result: object) -> None:
        super().__init__(f"Guardrail {_guardrail_kind(guardrail_result)} triggered tripwire")
        self.guardrail_result = guardrail_result


class OutputGuardrailTripwireTriggered(GuardrailTripwireTriggered):
    """An output guardrail tripped.

    Attributes:
        guardrail_result: The `OutputGuardrailResult` that tripped.
    """

    def __init__(self, guardrail_result: object) -> None:
        super().__init__(f"Guardrail {_guardrail_kind(guardrail_result)} triggered tripwire")
        self.guardrail_result = guardrail_result


class ToolInputGuardrailTripwireTriggered(GuardrailTripwireTriggered):
    """A tool input guardrail asked to stop the run.

    Attributes:
        guardrail: The guardrail.
        output: What it returned.
    """

    def __init__(self, guardrail: object, output: object) -> None:
        super().__init__(f"Tool input guardrail {type(guardrail).__name__} triggered tripwire")
        self.guardrail = guardrail
        self.output = output


class ToolOutputGuardrailTripwireTriggered(GuardrailTripwireTriggered):
    """A tool output guardrail asked to stop the run.

    Attributes:
        guardrail: The guardrail.
        output: What it returned.
    """

    def __init__(self, guardrail: object, output: object) -> None:
        super().__init__(f"Tool output guardrail {type(guardrail).__name__} triggered tripwire")
        self.guardrail = guardrail
        self.output = output


def _guardrail_kind(result: object) -> str:
    return type(getattr(result, "guardrail", result)).__name__


# ---- the boundary -------------------------------------------------------------------------------


class BoundaryError(HandfastError):
    """The boundary refused."""


class ScopeError(BoundaryError):
    """A scope file is missing, unreadable or malformed; the message names the key."""


class EgressDenied(BoundaryError):
    """A connection was refused before a byte was sent.

    Attributes:
        reason: Why, in words a person understands.
        url: What was asked for, as given.
    """

    def __init__(self, reason: str, *, url: str = "") -> None:
        super().__init__(f"{url}: {reason}" if url else reason)
        self.reason = reason
        self.url = url


class CommandRefused(BoundaryError):
    """An argument vector is not known to be harmless."""


class AuditError(BoundaryError):
    """The audit log was changed, cut or reordered, or cannot be written."""


# ---- limits -------------------------------------------------------------------------------------


class LimitExceeded(HandfastError):
    """A finite budget of the run is used up."""


class MaxTurnsExceeded(LimitExceeded):
    """The run took more turns than it may."""
