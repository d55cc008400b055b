"""Tools that the provider runs: declared here, offered through the Responses API, run over there.

They are data. handfast neither runs them nor sees their arguments before they run, so the boundary
cannot authorise them: whoever offers one trusts the provider with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from handfast.errors import UserError


class HostedTool:
    """A tool that is no function of the program."""

    name: str
    """What results and traces call it."""
    is_enabled: ClassVar[Literal[True]] = True

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it.

        Raises:
            UserError: It would have to run in this process, which only function tools do.
        """
        raise UserError(
            f"{type(self).__name__} would run in this process without the boundary's say. "
            "Write what it does as a function tool; commands belong into handfast.sandboxes.",
        )


@dataclass(eq=False)
class FileSearchTool(HostedTool):
    """Search in files that the provider holds."""

    vector_store_ids: list[str]
    """The provider's ids of the stores."""
    max_num_results: int | None = None
    include_search_results: bool = False
    """Whether the results come back with the answer."""
    ranking_options: Mapping[str, object] | None = None
    filters: Mapping[str, object] | None = None

    name: str = field(default="file_search", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return _said(
            type="file_search",
            vector_store_ids=list(self.vector_store_ids),
            max_num_results=self.max_num_results,
            ranking_options=self.ranking_options,
            filters=self.filters,
        )


@dataclass(eq=False)
class WebSearchTool(HostedTool):
    """Search in the web, by the provider."""

    user_location: Mapping[str, object] | None = None
    filters: Mapping[str, object] | None = None
    search_context_size: Literal["low", "medium", "high"] = "medium"
    external_web_access: bool | None = None
    """False searches what the provider has cached only."""

    name: str = field(default="web_search", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return _said(
            type="web_search",
            user_location=self.user_location,
            filters=self.filters,
            search_context_size=self.search_context_size,
            external_web_access=self.external_web_access,
        )


@dataclass(eq=False)
class CodeInterpreterTool(HostedTool):
    """Python in the provider's container."""

    tool_config: Mapping[str, object]
    """The tool as the Responses API takes it."""

    name: str = field(default="code_interpreter", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return dict(self.tool_config)


@dataclass(eq=False)
class ImageGenerationTool(HostedTool):
    """Images, made by the provider."""

    tool_config: Mapping[str, object]
    """The tool as the Responses API takes it."""

    name: str = field(default="image_generation", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return dict(self.tool_config)


@dataclass(frozen=True, slots=True)
class MCPToolApprovalRequest:
    """A hosted MCP server's call that waits for a person."""

    ctx_wrapper: Any
    """The run's context."""
    data: Any
    """The request, as the SDK shows it."""


class MCPToolApprovalFunctionResult(TypedDict):
    """What the person said."""

    approve: bool
    reason: NotRequired[str]
    """Why not, for the model."""


MCPToolApprovalFunction: TypeAlias = Callable[[MCPToolApprovalRequest], Any]
"""Asks a person; sync or async; gives a `MCPToolApprovalFunctionResult`."""


@dataclass(eq=False)
class HostedMCPTool(HostedTool):
    """An MCP server that the provider talks to."""

    tool_config: Mapping[str, object]
    """The server as the Responses API takes it: `server_label`, `server_url`, ..."""
    on_approval_request: MCPToolApprovalFunction | None = None
    """Asks a person at once about calls that need it."""

    name: str = field(default="hosted_mcp", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return dict(self.tool_config)


@dataclass(eq=False)
class ToolSearchTool(HostedTool):
    """Lets a model look for tools whose schemas are not sent at once (`defer_loading`)."""

    description: str | None = None
    execution: Literal["server", "client"] | None = None
    parameters: Mapping[str, object] | None = None

    name: str = field(default="tool_search", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return _said(
            type="tool_search",
            description=self.description,
            execution=self.execution,
            parameters=self.parameters,
        )


@dataclass(eq=False)
class ProgrammaticToolCallingTool(HostedTool):
    """Lets a model call tools from a program that the provider runs."""

    name: str = field(default="programmatic_tool_calling", init=False)

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it."""
        return {"type": "programmatic_tool_calling"}


# ---- a shell -----------------------------------------------------------------------------------


@dataclass
class ShellCallOutcome:
    """How a command ended."""

    type: Literal["exit", "timeout"]
    exit_code: int | None = None


def _exited() -> ShellCallOutcome:
    return ShellCallOutcome("exit")


@dataclass
class ShellCommandOutput:
    """What a command said."""

    stdout: str = ""
    stderr: str = ""
    outcome: ShellCallOutcome = field(default_factory=_exited)
    command: str | None = None
    provider_data: dict[str, object] | None = None

    @property
    def exit_code(self) -> int | None:
        """The command's exit status; None after a timeout."""
        return self.outcome.exit_code

    @property
    def status(self) -> Literal["completed", "timeout"]:
        """Whether it came to its end."""
        return "timeout" if self.outcome.type == "timeout" else "completed"


def _here() -> Mapping[str, object]:
    return {"type": "local"}


@dataclass(eq=False)
class ShellTool(HostedTool):
    """A shell: the provider's, in its container. A local one is refused when it is offered."""

    executor: Callable[[Any], Any] | None = None
    """Runs commands in this process, in the SDK; never called here."""
    name: str = "shell"
    needs_approval: Any = False
    on_approval: Callable[..., Any] | None = None
    environment: Mapping[str, object] = field(default_factory=_here)
    """Where it runs: `{"type": "local"}`, or a container of the provider's."""
    type: ClassVar[str] = "shell"

    def to_wire(self) -> dict[str, object]:
        """The tool as the Responses API takes it.

        Raises:
            UserError: It is a local shell.
        """
        if self.environment.get("type") == "local":
            return super().to_wire()
        return {"type": "shell", "environment": dict(self.environment)}


@dataclass(eq=False)
class LocalShellTool(HostedTool):
    """The SDK's older local shell; refused when it is offered."""

    executor: Callable[[Any], Any]

    name: str = field(default="local_shell", init=False)


# ---- other tools of the SDK that run in its process ----------------------------------------------


@dataclass(eq=False)
class ApplyPatchTool(HostedTool):
    """Edits of files by an editor of yours; refused when it is offered."""

    editor: Any
    name: str = "apply_patch"
    needs_approval: Any = False
    on_approval: Callable[..., Any] | None = None
    type: ClassVar[str] = "apply_patch"


@dataclass(eq=False)
class CustomTool(HostedTool):
    """A tool that takes free text instead of JSON; refused when it is offered."""

    name: str
    description: str
    on_invoke_tool: Callable[..., Any]
    format: Mapping[str, object] | None = None
    """The grammar of the text, where there is one."""
    needs_approval: Any = False
    on_approval: Callable[..., Any] | None = None
    type: ClassVar[str] = "custom"


@dataclass(eq=False)
class ComputerTool(HostedTool):
    """A screen, mouse and keyboard; refused when it is offered."""

    computer: Any
    """A `Computer`, a `ComputerProvider`, or a function that makes a `Computer`."""
    on_safety_check: Callable[..., Any] | None = None
    trace_name: ClassVar[str] = "computer"

    name: str = field(default="computer_use_preview", init=False)


def _said(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
