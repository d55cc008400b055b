from __future__ import annotations

from collections.abc import Callable

from handfast import Agent, Model, ModelRequest, ModelResponse, Runner, Usage
from handfast.testing import assistant_message


class Echo(Model):
    """Says what it hears. This one method serves whole and streamed runs."""

    async def respond(
        self,
        request: ModelRequest,
        observe: Callable[[object], None] | None = None,
    ) -> ModelResponse:
        heard = request.input if isinstance(request.input, str) else request.input[-1]["content"]
        usage = Usage(requests=1, input_tokens=3, output_tokens=5, total_tokens=8)
        return ModelResponse([assistant_message(f"You said: {heard}")], usage)


def main() -> None:
    result = Runner.run_sync(Agent(name="Echo", model=Echo()), "hello")
    print(result.final_output, result.context_wrapper.usage.total_tokens)


if __name__ == "__main__":
    main()
