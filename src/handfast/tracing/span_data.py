"""What a span is about: one class a kind, each with the fields that it exports.

Fields may be set until the span ends; kinds and keys are those of the OpenAI Agents SDK.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


class SpanData(abc.ABC):
    """What a span is about."""

    @property
    @abc.abstractmethod
    def type(self) -> str:
        """The kind of span."""

    @abc.abstractmethod
    def export(self) -> dict[str, object]:
        """The fields as a mapping, the kind under `type`."""


@dataclass
class AgentSpanData(SpanData):
    """An agent has the word."""

    name: str
    handoffs: list[str] | None = None
    """Names of the agents that it may hand over to."""
    tools: list[str] | None = None
    output_type: str | None = None
    metadata: dict[str, object] | None = None
    """Exported beside the span's data, not inside it."""

    @property
    def type(self) -> str:
        """`agent`."""
        return "agent"

    def export(self) -> dict[str, object]:
        """The agent, what it may call, and what it answers."""
        return {
            "type": self.type,
            "name": self.name,
            "handoffs": self.handoffs,
            "tools": self.tools,
            "output_type": self.output_type,
        }


@dataclass
class TaskSpanData(SpanData):
    """One run, from its first effect to its last."""

    name: str
    usage: dict[str, int] | None = None
    """What the run has spent."""

    @property
    def type(self) -> str:
        """`task`."""
        return "task"

    def export(self) -> dict[str, object]:
        """A custom span, so that readers which do not know the kind can show it."""
        data: dict[str, object] = {"sdk_span_type": self.type, "name": self.name}
        if self.usage is not None:
            data["usage"] = self.usage
        return {"type": "custom", "name": self.type, "data": data}


@dataclass
class TurnSpanData(SpanData):
    """One model call and everything that its answer asked for."""

    turn: int
    """Counted from 1."""
    agent_name: str
    usage: dict[str, int] | None = None
    """What the turn has spent."""

    @property
    def type(self) -> str:
        """`turn`."""
        return "turn"

    def export(self) -> dict[str, object]:
        """A custom span, so that readers which do not know the kind can show it."""
        data: dict[str, object] = {
            "sdk_span_type": self.type,
            "turn": self.turn,
            "agent_name": self.agent_name,
        }
        if self.usage is not None:
            data["usage"] = self.usage
        return {"type": "custom", "name": self.type, "data": data}


@dataclass
class FunctionSpanData(SpanData):
    """One tool call."""

    name: str
    input: str | None = None
    """The arguments, as the model wrote them."""
    output: object = None
    mcp_data: Mapping[str, object] | None = None
    """Which MCP server the tool is from."""

    @property
    def type(self) -> str:
        """`function`."""
        return "function"

    def export(self) -> dict[str, object]:
        """The call, and its answer as text."""
        return {
            "type": self.type,
            "name": self.name,
            "input": self.input,
            "output": None if self.output is None else str(self.output),
            "mcp_data": self.mcp_data,
        }


@dataclass
class GenerationSpanData(SpanData):
    """One request to a model."""

    input: Sequence[Mapping[str, object]] | None = None
    output: Sequence[Mapping[str, object]] | None = None
    model: str | None = None
    model_config: Mapping[str, object] | None = None
    usage: dict[str, object] | None = None

    @property
    def type(self) -> str:
        """`generation`."""
        return "generation"

    def export(self) -> dict[str, object]:
        """What was asked, what came, and what it cost."""
        return {
            "type": self.type,
            "input": self.input,
            "output": self.output,
            "model": self.model,
            "model_config": self.model_config,
            "usage": self.usage,
        }


@dataclass
class ResponseSpanData(SpanData):
    """One request to the Responses API, known by the id of its response."""

    response: object = None
    """The response; only its id is exported."""
    input: object = None
    usage: dict[str, object] | None = None
    response_id: str | None = None
    """The id, where the response itself is not kept."""

    @property
    def type(self) -> str:
        """`response`."""
        return "response"

    def export(self) -> dict[str, object]:
        """The response's id, and what it cost."""
        found: object = None if self.response is None else getattr(self.response, "id", None)
        return {
            "type": self.type,
            "response_id": self.response_id if found is None else found,
            "usage": self.usage,
        }


@dataclass
class HandoffSpanData(SpanData):
    """One agent hands over to another."""

    from_agent: str | None = None
    to_agent: str | None = None
    """None until the receiver is known."""

    @property
    def type(self) -> str:
        """`handoff`."""
        return "handoff"

    def export(self) -> dict[str, object]:
        """Both agents."""
        return {"type": self.type, "from_agent": self.from_agent, "to_agent": self.to_agent}


@dataclass
class CustomSpanData(SpanData):
    """Whatever the program wants to see."""

    name: str
    data: dict[str, object] = field(default_factory=dict[str, object])

    @property
    def type(self) -> str:
        """`custom`."""
        return "custom"

    def export(self) -> dict[str, object]:
        """The name and the data."""
        return {"type": self.type, "name": self.name, "data": self.data}


@dataclass
class GuardrailSpanData(SpanData):
    """One guardrail's check."""

    name: str
    triggered: bool = False

    @property
    def type(self) -> str:
        """`guardrail`."""
        return "guardrail"

    def export(self) -> dict[str, object]:
        """The guardrail, and whether it tripped."""
        return {"type": self.type, "name": self.name, "triggered": self.triggered}


@dataclass
class MCPListToolsSpanData(SpanData):
    """An MCP server was asked for its tools."""

    server: str | None = None
    result: list[str] | None = None
    """The names of the tools."""

    @property
    def type(self) -> str:
        """`mcp_tools`."""
        return "mcp_tools"

    def export(self) -> dict[str, object]:
        """The server and its tools."""
        return {"type": self.type, "server": self.server, "result": self.result}
