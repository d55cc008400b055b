from __future__ import annotations

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from handfast import Agent, Runner, set_trace_processors
from handfast.testing import ScriptedModel, assistant_message
from handfast.tracing.otel import OpenTelemetryProcessor


def main() -> None:
    kept = InMemorySpanExporter()  # in its place, the exporter of your collector
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))

    set_trace_processors([OpenTelemetryProcessor(provider.get_tracer("shop"))])
    try:
        guide = Agent(name="Guide", model=ScriptedModel([[assistant_message("Hello!")]]))
        Runner.run_sync(guide, "Hi.")
    finally:
        set_trace_processors([])

    for span in kept.get_finished_spans():
        print(span.name)


if __name__ == "__main__":
    main()
