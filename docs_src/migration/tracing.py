from __future__ import annotations

from typing import Any

from handfast import Agent, Runner, Span, Trace, TracingProcessor, set_trace_processors
from handfast.testing import ScriptedModel, assistant_message


class Printed(TracingProcessor):
    """Prints what it is told; a program without a processor records nothing."""

    def on_trace_start(self, trace: Trace) -> None:
        print(f"{trace.name} begins")

    def on_trace_end(self, trace: Trace) -> None:
        print(f"{trace.name} ends")

    def on_span_start(self, span: Span[Any]) -> None:
        pass

    def on_span_end(self, span: Span[Any]) -> None:
        print(f"  {span.span_data.type}")

    def shutdown(self) -> None:
        pass

    def force_flush(self) -> None:
        pass


def teller() -> Agent:
    return Agent(name="Teller", model=ScriptedModel([[assistant_message("Once upon a time.")]]))


def main() -> None:
    Runner.run_sync(teller(), "Tell me a story.")
    print("nothing was recorded")
    set_trace_processors([Printed()])
    try:
        Runner.run_sync(teller(), "Tell me a story.")
    finally:
        set_trace_processors([])


if __name__ == "__main__":
    main()
