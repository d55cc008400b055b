from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

from handfast import Agent, Model, ModelResponse, Runner, Usage
from handfast.testing import assistant_message


class Parrot(Model):
    """A model that was written for the OpenAI Agents SDK, unchanged but for its imports."""

    async def get_response(self, *_args: object, **_kwargs: object) -> ModelResponse:
        return ModelResponse(
            output=[assistant_message("Hello!")],
            usage=Usage(requests=1),
            response_id="resp_1",
        )

    async def stream_response(self, *args: object, **kwargs: object) -> AsyncIterator[object]:
        whole = await self.get_response(*args, **kwargs)
        response = {"id": whole.response_id, "output": whole.wire_items}
        yield SimpleNamespace(type="response.completed", response=response)


async def main() -> None:
    parrot = Agent(name="Parrot", model=Parrot())
    print((await Runner.run(parrot, "Hi.")).final_output)
    streamed = Runner.run_streamed(parrot, "Hi.")
    async for event in streamed.stream_events():
        print(event.type)


if __name__ == "__main__":
    asyncio.run(main())
