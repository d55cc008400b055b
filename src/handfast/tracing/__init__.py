"""Traces and spans: what a program did, when, and inside what.

A *trace* is one piece of work; a *span* is something in it that took time. A *processor* is told of
both as they begin and end; an *exporter* takes finished ones, in batches, to where they are kept.
No processor is installed: nothing is recorded, and nothing leaves, until the program adds one.

    add_trace_processor(BatchTraceProcessor(FileSpanExporter("traces.jsonl")))
"""

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

__all__ = [
    "AgentSpanData",
    "BatchTraceProcessor",
    "ConsoleSpanExporter",
    "CustomSpanData",
    "DefaultTraceProvider",
    "FileSpanExporter",
    "FunctionSpanData",
    "GenerationSpanData",
    "GuardrailSpanData",
    "HandoffSpanData",
    "MCPListToolsSpanData",
    "ResponseSpanData",
    "Span",
    "SpanData",
    "SpanError",
    "TaskSpanData",
    "Trace",
    "TraceProvider",
    "TracingConfig",
    "TracingExporter",
    "TracingProcessor",
    "TurnSpanData",
    "add_trace_processor",
    "agent_span",
    "custom_span",
    "flush_traces",
    "function_span",
    "gen_group_id",
    "gen_span_id",
    "gen_trace_id",
    "generation_span",
    "get_current_span",
    "get_current_trace",
    "get_trace_provider",
    "guardrail_span",
    "handoff_span",
    "mcp_tools_span",
    "response_span",
    "set_trace_processors",
    "set_trace_provider",
    "set_tracing_disabled",
    "task_span",
    "trace",
    "turn_span",
]
