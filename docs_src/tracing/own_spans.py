from __future__ import annotations

import asyncio
from typing import Any

from handfast import (
    Agent,
    RunConfig,
    Runner,
    Span,
    Trace,
    TracingProcessor,
    custom_span,
    set_trace_processors,
    trace,
)
from handfast.testing import ScriptedModel, assistant_message


class Printed(TracingProcessor):
    """Prints what ends; it must return at once and must not fail."""

    def on_trace_start(self, trace: Trace) -> None:
        pass

    def on_trace_end(self, trace: Trace) -> None:
        print("trace", trace.name)

    def on_span_start(self, span: Span[Any]) -> None:
        pass

    def on_span_end(self, span: Span[Any]) -> None:
        print("  span", span.span_data.type)

    def shutdown(self) -> None:
        pass

    def force_flush(self) -> None:
        pass


async def main() -> None:
    guide = Agent(name="Guide", model=ScriptedModel([[assistant_message("Hello!")]] * 2))
    private = RunConfig(trace_include_sensitive_data=False)
    set_trace_processors([Printed()])
    try:
        with trace("Two greetings"):
            with custom_span("preparation"):
                await asyncio.sleep(0)
            await Runner.run(guide, "Hi.", run_config=private)
            await Runner.run(guide, "Hi.", run_config=RunConfig(tracing_disabled=True))
    finally:
        set_trace_processors([])


if __name__ == "__main__":
    asyncio.run(main())
