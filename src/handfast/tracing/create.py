"""Traces and spans by name: what programs call."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from handfast.tracing.setup import get_trace_provider
from handfast.tracing.span_data import (
    AgentSpanData,
    CustomSpanData,
    FunctionSpanData,
    GenerationSpanData,
    GuardrailSpanData,
    HandoffSpanData,
    MCPListToolsSpanData,
    ResponseSpanData,
    TaskSpanData,
    TurnSpanData,
)
from handfast.tracing.spans import Span
from handfast.tracing.traces import Trace, TracingConfig

logger = logging.getLogger("handfast")


def trace(  # noqa: PLR0917 - the SDK's signature
    workflow_name: str,
    trace_id: str | None = None,
    group_id: str | None = None,
    metadata: Mapping[str, object] | None = None,
    tracing: TracingConfig | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Trace:
    """A new trace; runs inside it belong to it and make none of their own.

    Args:
        workflow_name: What the work is called.
        trace_id: Its id, best made by `gen_trace_id`; None makes one.
        group_id: What it belongs to together with other traces, a conversation for example.
        metadata: What you want to know about it.
        tracing: Settings for exporters.
        disabled: Record nothing inside.

    Returns:
        The trace, not begun: use it in a `with` block, or `start` and `finish` it.
    """
    provider = get_trace_provider()
    if provider.get_current_trace() is not None:
        logger.warning("Trace already exists: a trace within a trace is probably a mistake.")
    return provider.create_trace(
        name=workflow_name,
        trace_id=trace_id,
        group_id=group_id,
        metadata=metadata,
        tracing=tracing,
        disabled=disabled,
    )


def get_current_trace() -> Trace | None:
    """The trace that the code runs in."""
    return get_trace_provider().get_current_trace()


def get_current_span() -> Span | None:
    """The span that the code runs in."""
    return get_trace_provider().get_current_span()


def agent_span(  # noqa: PLR0917 - the SDK's signature
    name: str,
    handoffs: list[str] | None = None,
    tools: list[str] | None = None,
    output_type: str | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[AgentSpanData]:
    """A span for the time in which an agent has the word; the runner makes its own.

    Args:
        name: The agent's name.
        handoffs: Names of the agents that it may hand over to.
        tools: Names of its tools.
        output_type: The name of what it answers.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = AgentSpanData(name, handoffs, tools, output_type)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def task_span(
    name: str,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[TaskSpanData]:
    """A span for one run of a workflow; the runner makes its own.

    Args:
        name: The workflow's name.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    return get_trace_provider().create_span(TaskSpanData(name), span_id, parent, disabled)


def turn_span(
    turn: int,
    agent_name: str,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[TurnSpanData]:
    """A span for one model call and what its answer asked for; the runner makes its own.

    Args:
        turn: Its number, from 1.
        agent_name: Whose turn it is.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = TurnSpanData(turn, agent_name)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def function_span(  # noqa: PLR0917 - the SDK's signature
    name: str,
    input: str | None = None,  # noqa: A002 - the SDK's name
    output: str | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[FunctionSpanData]:
    """A span for a tool call; the runner makes its own.

    Args:
        name: The tool's name.
        input: Its arguments.
        output: What it answered.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = FunctionSpanData(name, input, output)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def generation_span(  # noqa: PLR0913, PLR0917 - the SDK's signature
    input: Sequence[Mapping[str, object]] | None = None,  # noqa: A002 - the SDK's name
    output: Sequence[Mapping[str, object]] | None = None,
    model: str | None = None,
    model_config: Mapping[str, object] | None = None,
    usage: dict[str, object] | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[GenerationSpanData]:
    """A span for a request to a model; the runner makes its own.

    Args:
        input: The conversation that it was shown.
        output: What it answered.
        model: Its name.
        model_config: Its settings.
        usage: What that cost.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = GenerationSpanData(input, output, model, model_config, usage)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def response_span(
    response: object = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[ResponseSpanData]:
    """A span for a request to the Responses API that is known by the id of its response.

    Args:
        response: The response.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    return get_trace_provider().create_span(ResponseSpanData(response), span_id, parent, disabled)


def handoff_span(
    from_agent: str | None = None,
    to_agent: str | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[HandoffSpanData]:
    """A span for a handoff; the runner makes its own.

    Args:
        from_agent: Who hands over.
        to_agent: Who takes over.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = HandoffSpanData(from_agent, to_agent)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def custom_span(
    name: str,
    data: dict[str, object] | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[CustomSpanData]:
    """A span for whatever you want to see.

    Args:
        name: What it is called.
        data: What you want to know about it; may be set until it ends.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    about = CustomSpanData(name, {} if data is None else data)
    return get_trace_provider().create_span(about, span_id, parent, disabled)


def guardrail_span(
    name: str,
    triggered: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[GuardrailSpanData]:
    """A span for a guardrail's check; the runner makes its own.

    Args:
        name: The guardrail's name.
        triggered: Whether it tripped.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = GuardrailSpanData(name, triggered)
    return get_trace_provider().create_span(data, span_id, parent, disabled)


def mcp_tools_span(
    server: str | None = None,
    result: list[str] | None = None,
    span_id: str | None = None,
    parent: Trace | Span | None = None,
    disabled: bool = False,  # noqa: FBT001, FBT002 - the SDK's signature
) -> Span[MCPListToolsSpanData]:
    """A span for asking an MCP server for its tools.

    Args:
        server: The server's name.
        result: Names of its tools.
        span_id: Its id; None makes one.
        parent: Where it belongs; None is the current span, else the current trace.
        disabled: Do not record it.
    """
    data = MCPListToolsSpanData(server, result)
    return get_trace_provider().create_span(data, span_id, parent, disabled)
