"""Who stops reading stops the run, and who fails takes the others along."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from cases.case_model import (
    Wire,
    agent,
    called,
    chat_stream,
    output_of,
    play,
    responses_stream,
    scripted,
    step,
    steps_of,
)
from handfast import (
    Model,
    ModelRequest,
    ModelResponse,
    Runner,
    RunResultStreaming,
    UserError,
    function_tool,
)
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import Canned, ProviderServer, provider_server

SCRIPT = steps_of("cancel-1")[0]


class Talker(Model):
    """Says its answer word by word, and lets the event loop go on after each."""

    def __init__(self, answer: Wire, pauses: int) -> None:
        self.answer = answer
        self.pauses = pauses
        self.asked = 0

    async def respond(self, request: ModelRequest, observe: Any = None) -> ModelResponse:  # noqa: ARG002 - the protocol's
        self.asked += 1
        for word in str(self.answer["text"]).split():
            if observe is not None:
                observe({"type": "response.output_text.delta", "delta": word})
            for _ in range(self.pauses):
                await asyncio.sleep(0)
        return ModelResponse(output_of(self.answer))


@pytest.fixture(autouse=True)
async def _nothing_is_left() -> AsyncIterator[None]:
    """No task outlives a test, and asyncio has nothing to complain of."""
    complaints: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    yield
    for _ in range(5):
        await asyncio.sleep(0)
    gc.collect()
    assert complaints == []
    assert asyncio.all_tasks() == {asyncio.current_task()}


def deleting(ran: list[str]) -> Any:
    @function_tool
    async def delete_all() -> str:
        """Delete."""
        ran.append("deleted")
        return "deleted"

    return delete_all


async def first_delta(result: RunResultStreaming) -> None:
    async for event in result.stream_events():
        if event.type == "raw_response_event":
            break


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


@pytest.mark.parametrize("pauses", [0, 1, 3])
async def test_a_reader_that_leaves_after_the_first_words_stops_the_run(pauses: int) -> None:
    ran: list[str] = []
    model = Talker(SCRIPT, pauses)
    result = Runner.run_streamed(agent("A", model, tools=[deleting(ran)]), "go")
    await first_delta(result)
    await settle()
    assert ran == []
    assert model.asked == 1
    assert result.is_complete


async def test_it_stops_too_when_a_script_answers_all_at_once() -> None:
    ran: list[str] = []
    model = scripted([SCRIPT, step("A", text="done")])
    result = Runner.run_streamed(agent("A", model, tools=[deleting(ran)]), "go")
    await first_delta(result)
    await settle()
    assert ran == []
    assert len(model.calls) == 1


async def fail(_stream: object) -> None:
    raise ConnectionError("the client went away")


@pytest.mark.parametrize("how", ["task", "error", "close", "cancel", "drop"])
async def test_however_the_reader_goes_away_nothing_happens_after(how: str) -> None:
    ran: list[str] = []
    model = Talker(SCRIPT, 3)
    result = Runner.run_streamed(agent("A", model, tools=[deleting(ran)]), "go")
    reading = asyncio.Event()

    async def cancel(_stream: object) -> None:
        result.cancel()

    leave: dict[str, Callable[[Any], Awaitable[object]]] = {
        "task": lambda _: asyncio.sleep(10),
        "error": fail,
        "close": lambda stream: stream.aclose(),
        "cancel": cancel,
        "drop": lambda _: asyncio.sleep(0),
    }

    async def read() -> None:
        stream: Any = result.stream_events()
        async for event in stream:
            if event.type != "raw_response_event":
                continue
            reading.set()
            await leave[how](stream)
            return

    reader = asyncio.create_task(read())
    await reading.wait()
    if how == "task":
        reader.cancel()
    await asyncio.wait([reader])
    if how == "error":
        assert isinstance(reader.exception(), ConnectionError)
    del reader
    await settle()
    assert ran == []
    assert model.asked == 1


async def closed(server: ProviderServer) -> None:
    """Wait until the server's only connection is closed by the other side."""
    async with asyncio.timeout(10):
        while any("ProviderServer.serve" in repr(task) for task in asyncio.all_tasks()):  # noqa: ASYNC110 - the server's own tasks
            await asyncio.sleep(0.001)
    assert server.connections == 1


@pytest.mark.parametrize("protocol", ["chat", "responses"])
async def test_the_connection_to_the_model_is_closed(protocol: str) -> None:
    ran: list[str] = []
    whole = chat_stream(SCRIPT) if protocol == "chat" else responses_stream(SCRIPT)
    begun = Canned(200, whole.headers, whole.pieces[:1], stalls=True)
    async with provider_server(begun) as server:
        model: Model = (
            OpenAIChatCompletionsModel("m", base_url=server.url, api_key="k")
            if protocol == "chat"
            else OpenAIResponsesModel("m", base_url=server.url, api_key="k")
        )
        result = Runner.run_streamed(agent("A", model, tools=[deleting(ran)]), "go")
        await first_delta(result)
        await closed(server)
        assert len(server.asked) == 1
        await model.close()
    assert ran == []


@pytest.mark.parametrize("kind", [ValueError, UserError, TimeoutError, ConnectionError])
async def test_a_tool_that_ends_the_run_ends_its_neighbours_first(
    *,
    kind: type[Exception],
    streamed: bool,
) -> None:
    begun, released, log = asyncio.Event(), asyncio.Event(), list[str]()

    @function_tool(failure_error_function=None)
    async def boom() -> str:
        """Fail."""
        await begun.wait()
        raise kind("boom")

    @function_tool
    async def slow_write() -> str:
        """Write."""
        begun.set()
        try:
            await released.wait()
        finally:
            await asyncio.sleep(0)
            log.append("ended")
        log.append("written")
        return "written"

    model = scripted(steps_of("cancel-3"))
    with pytest.raises(Exception, match="boom") as caught:
        await play(agent("A", model, tools=[boom, slow_write]), streamed=streamed)
    assert log == ["ended", "ended"]
    assert isinstance(caught.value, kind) or isinstance(caught.value.__cause__, kind)
    released.set()
    await settle()
    assert "written" not in log


async def test_two_tools_that_fail_at_once_give_one_exception(*, streamed: bool) -> None:
    gate = asyncio.Barrier(2)

    @function_tool(failure_error_function=None)
    async def boom() -> str:
        """Fail."""
        await gate.wait()
        raise ValueError("boom")

    calls = [called("c1", "boom"), called("c2", "boom")]
    with pytest.raises(UserError, match="boom"):
        await play(agent("A", scripted([step("A", *calls)]), tools=[boom]), streamed=streamed)


async def test_a_run_that_is_cancelled_cancels_its_tools_and_waits_for_them(
    *,
    streamed: bool,
) -> None:
    begun, log = asyncio.Event(), list[str]()

    @function_tool
    async def slow_write() -> str:
        """Write."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            log.append("ended")
        return "written"

    model = scripted([step("A", called("c1", "slow_write"))])
    run = asyncio.create_task(play(agent("A", model, tools=[slow_write]), streamed=streamed))
    await begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert log == ["ended"]
