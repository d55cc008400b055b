"""handfast: a Model subclass, the extension point for other providers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from handfast import Agent, Handoff, Model, ModelResponse, RunConfig, Runner, Usage, function_tool, handoff
from handfast.extensions import handoff_filters

from common import DELTA, SCRIPT, Reply

from .base import Adapter


def output(reply: Reply) -> list[Any]:
    if reply.calls:
        return [{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.args} for c in reply.calls]
    text = {"type": "output_text", "text": reply.text or "", "annotations": []}
    return [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}]


class FakeModel(Model):
    async def respond(self, request, observe=None):
        reply = await SCRIPT.get().next(1 if isinstance(request.input, str) else len(request.input))
        if observe:
            for i in range(reply.deltas):
                observe(
                    SimpleNamespace(
                        type="response.output_text.delta",
                        item_id="msg_1",
                        output_index=0,
                        content_index=0,
                        delta=DELTA,
                        sequence_number=i,
                        logprobs=[],
                    )
                )
        return ModelResponse(output=output(reply), usage=Usage())


MODEL = FakeModel()


class Peer(Adapter):
    dist = "handfast"
    imports = "from handfast import Agent, Runner"
    imports_openai = f"{imports}; from handfast.models.openai_chat import OpenAIChatCompletionsModel; import openai"

    def setup(self, *, tracing=False):
        super().setup(tracing=tracing)
        self.config = RunConfig()

    def agent(self, tools, *, base_url=None, model=""):
        m: Model = FakeModel()
        if base_url:
            from handfast.models.provider import OpenAIProvider

            m = OpenAIProvider(base_url=base_url, api_key="none", use_responses=False).get_model(model)
        return Agent(name="agent", instructions="You are helpful.", model=m, tools=[function_tool(f) for f in tools])

    async def run(self, agent, text):
        result = await Runner.run(agent, text, max_turns=None, run_config=self.config)
        return result.final_output

    async def stream(self, agent, text):
        n = 0
        result = Runner.run_streamed(agent, text, max_turns=None, run_config=self.config)
        async for event in result.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                n += 1
        return n

    def chain(self, k, mode):
        self.config.nest_handoff_history = mode == "nest"
        filter = handoff_filters.remove_all_tools if mode == "filter" else None
        agents: list[Agent] = []
        for i in reversed(range(k)):
            to: list[Handoff] = [handoff(agents[-1], input_filter=filter)] if agents else []
            agents.append(
                Agent(name=f"agent_{i}", instructions=f"You are agent {i}.", model=FakeModel(), handoffs=[*to])
            )
        return agents[-1]

    def bare_agent(self, tool):
        return Agent(name="agent", instructions="You are helpful.", model=MODEL, tools=[function_tool(tool)])
