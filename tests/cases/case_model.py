"""Plays the scripts of cases.jsonl: situations in which agent runtimes went wrong in public.

One step of a script is one answer of a model, in words that belong to no provider. Here it becomes
the output of a `ScriptedModel`, the body of an answer of either protocol, or the events of a
stream. The steps of one script are shared by all agents of the case: each step checks that the
right one is asked, by the instructions that `agent` gives it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from handfast import Agent, RunConfig, Runner, RunResult, RunResultStreaming, StreamEvent
from handfast.testing.messages import assistant_message, function_call, refusal_message
from handfast.testing.scripted_model import ModelCall, ModelStep, ScriptedModel
from provider_server import Canned, event_stream, json_answer

Wire: TypeAlias = dict[str, Any]
Played: TypeAlias = RunResult | RunResultStreaming

TRUSTING = RunConfig(tracing_disabled=True)


@dataclass(frozen=True)
class Case:
    """One line of cases.jsonl."""

    id: str
    situation: str
    expected: str
    steps: Sequence[Wire]
    """The model's answers, in order."""


@functools.cache
def cases() -> Mapping[str, Case]:
    """Every case, by id."""
    lines = (Path(__file__).parent / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    read = (json.loads(line) for line in lines)
    return {
        each["id"]: Case(each["id"], each["situation"], each["expected"], each["model_script"])
        for each in read
    }


def steps_of(case_id: str) -> Sequence[Wire]:
    """The script of a case."""
    return cases()[case_id].steps


def called(call_id: str, name: str, **arguments: Any) -> Wire:
    """A call in a script, for steps beside those of a case."""
    return {"id": call_id, "name": name, "args": arguments}


def step(by: str, *calls: Wire, **fields: Any) -> Wire:
    """One more step of a script."""
    return {"by": by, "text": None, "calls": list(calls), **fields}


# ---- agents and runs ----------------------------------------------------------------------------


def agent(name: str, model: object, **options: Any) -> Agent[Any]:
    """An agent whose instructions say who it is, so that a step can tell who is asked."""
    return Agent(name, instructions=f"You are {name}.", model=cast("Any", model), **options)


def scripted(steps: Iterable[Wire], names: Mapping[str, str] | None = None) -> ScriptedModel:
    """A model for all agents of a case.

    Args:
        steps: The script.
        names: What the library offered, by the `<...>` that stands for it in the script.
    """
    return ScriptedModel([_checked(step, names or {}) for step in steps])


def _checked(step: Wire, names: Mapping[str, str]) -> ModelStep:
    def respond(call: ModelCall) -> ModelStep:
        asked = call.system_instructions
        assert asked is None or asked.startswith(f"You are {step['by']}."), (asked, step)
        return ModelStep(output_of(step, names), response_id=step.get("response_id"))

    return ModelStep.respond(respond)


def output_of(step: Wire, names: Mapping[str, str] | None = None) -> list[Wire]:
    """The output items of one answer, as the Responses API has them."""
    items: list[Wire] = []
    if step.get("reasoning") is not None:
        items.append(_reasoning(step))
    items.extend(step.get("server_items", ()))
    if step.get("text") is not None:
        items.append(assistant_message(step["text"], item_id=step.get("item_id", "msg_1")))
    if step.get("refusal"):
        items.append(refusal_message(step["refusal"]))
    items.extend(_call(call, names or {}) for call in step.get("calls", ()))
    return items


def _reasoning(step: Wire) -> Wire:
    return {
        "type": "reasoning",
        "id": step.get("reasoning_id", "rs_0"),
        "summary": [{"type": "summary_text", "text": step["reasoning"]}],
        "encrypted_content": f"sealed {step['reasoning']}",
    }


def _call(call: Wire, names: Mapping[str, str]) -> Wire:
    name = names.get(call["name"], call["name"])
    if call.get("kind") == "custom":
        return {
            "type": "custom_tool_call",
            "id": f"ctc_{call['id']}",
            "call_id": call["id"],
            "name": name,
            "input": call["args_text"],
        }
    return function_call(name, arguments_of(call), call_id=call["id"])


def arguments_of(call: Wire) -> str:
    """A call's arguments as the model wrote them."""
    return str(call["args_text"]) if "args_text" in call else json.dumps(call["args"])


async def play(
    first: Agent[Any],
    given: Any = "go",
    *,
    streamed: bool,
    **options: Any,
) -> Played:
    """A whole run, streamed or not; errors come out of either."""
    if not streamed:
        return await Runner.run(first, given, **options)
    result = Runner.run_streamed(first, given, **options)
    await events_of(result)
    return result


async def events_of(result: RunResultStreaming) -> list[StreamEvent]:
    """Everything that a streamed run tells."""
    return [event async for event in result.stream_events()]


async def read_into(events: list[StreamEvent], result: RunResultStreaming) -> None:
    """Read what a run tells, keeping what came before an error."""
    async for event in result.stream_events():
        events.append(event)  # noqa: PERF401 - what came before an error counts


def item_events(events: Iterable[StreamEvent]) -> list[str]:
    """The names of the events that tell of items."""
    return [event.name for event in events if event.type == "run_item_stream_event"]


# ---- what a model was shown ---------------------------------------------------------------------


def shown(model: ScriptedModel, n: int = -1) -> list[Wire]:
    """The input items of one call, the last by default."""
    given = model.calls[n].input
    assert not isinstance(given, str)
    return [dict(item) for item in given]


def kinds(items: Iterable[Wire]) -> list[str]:
    """The types of items."""
    return [str(item.get("type", "message")) for item in items]


def texts(items: Iterable[Wire]) -> list[str]:
    """What the messages among items say, in order."""
    return [_said(item) for item in items if item.get("type", "message") == "message"]


def _said(item: Wire) -> str:
    content = item["content"]
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or part.get("refusal") or "") for part in content)


def outputs(items: Iterable[Wire]) -> dict[str, Any]:
    """The answers to calls, by call id."""
    answers = [item for item in items if str(item.get("type")).endswith("_output")]
    found = {str(item["call_id"]): item["output"] for item in answers}
    assert len(found) == len(answers), "two answers have the same call id"
    return found


def assert_whole(items: Sequence[Wire]) -> None:
    """Nothing is there that a provider refuses: half of a pair, or reasoning that stands alone."""
    open_calls: list[str] = []
    for position, item in enumerate(items):
        kind = str(item.get("type", "message"))
        if "call_id" in item and "output" in item:
            assert item["call_id"] in open_calls, f"nobody called {item['call_id']}"
            open_calls.remove(item["call_id"])
        elif "call_id" in item:
            open_calls.append(item["call_id"])
        elif kind == "reasoning":
            assert position + 1 < len(items), "reasoning at the end"
            after = items[position + 1]
            assert after.get("role", "assistant") == "assistant", (item, after)
            assert "output" not in after or "call_id" not in after, (item, after)
    assert open_calls == [], f"nobody answered {open_calls}"


# ---- provider bodies ----------------------------------------------------------------------------


def chat_body(step: Wire) -> Wire:
    """One answer as a whole chat completion."""
    calls = [_chat_call(call) for call in step.get("calls", ())]
    message: Wire = {"role": "assistant", "content": step.get("text")}
    if calls:
        message["tool_calls"] = calls
    if step.get("refusal"):
        message["refusal"] = step["refusal"]
    if step.get("reasoning") is not None:
        message["reasoning_content"] = step["reasoning"]
    finish = step.get("finish") or ("tool_calls" if calls else "stop")
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _chat_usage(step.get("usage") or {"in": 3, "out": 2}),
    }


def _chat_call(call: Wire) -> Wire:
    function = {"name": call["name"], "arguments": arguments_of(call)}
    return {"id": call["id"], "type": "function", "function": function}


def _chat_usage(usage: Wire) -> Wire:
    return {
        "prompt_tokens": usage["in"],
        "completion_tokens": usage["out"],
        "total_tokens": usage["in"] + usage["out"],
    }


def chat_answer(step: Wire) -> Canned:
    """One answer of a chat completions server."""
    return json_answer(step["raw"] if "raw" in step else chat_body(step))


def chat_stream(step: Wire) -> Canned:
    """The deltas of one answer, as a chat completions server streams them."""
    return event_stream(*(_chat_chunk(chunk) for chunk in _chunks(step)))


def _chunks(step: Wire) -> Sequence[Wire]:
    if "chunks" in step:
        return cast("Sequence[Wire]", step["chunks"])
    message = chat_body(step)["choices"][0]
    calls = [
        {**call, "index": n} for n, call in enumerate(message["message"].get("tool_calls", ()))
    ]
    delta = {**message["message"], **({"tool_calls": calls} if calls else {})}
    return [
        {"delta": delta},
        {"finish": message["finish_reason"], "usage": step.get("usage") or {"in": 3, "out": 2}},
    ]


def _chat_chunk(chunk: Wire) -> Wire:
    told: Wire = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m"}
    if "choices" in chunk:
        return {**told, "choices": chunk["choices"]}
    delta = chunk.get("delta", {"content": chunk["text"]} if "text" in chunk else {})
    told["choices"] = [{"index": 0, "delta": delta, "finish_reason": chunk.get("finish")}]
    if "usage" in chunk:
        told["usage"] = None if chunk["usage"] is None else _chat_usage(chunk["usage"])
    return told


def responses_body(step: Wire) -> Wire:
    """One answer as a whole response of the Responses API."""
    cut = step.get("finish") in {"length", "content_filter"}
    reason = "content_filter" if step.get("finish") == "content_filter" else "max_output_tokens"
    return {
        "id": step.get("response_id", "resp_1"),
        "object": "response",
        "model": "m",
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": reason} if cut else None,
        "output": output_of(step),
        "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
    }


def responses_answer(step: Wire) -> Canned:
    """One answer of a server of the Responses API."""
    return json_answer(responses_body(step))


def responses_stream(step: Wire) -> Canned:
    """The same as a stream: the events that tell that it began, and that it is whole."""
    body = responses_body(step)
    begun: Wire = {**body, "status": "in_progress", "output": [], "usage": None}
    end = f"response.{body['status']}"
    items = [
        {"type": kind, "output_index": n, "item": item}
        for n, item in enumerate(body["output"])
        for kind in ("response.output_item.added", "response.output_item.done")
    ]
    events: list[Wire] = [
        {"type": "response.created", "response": begun},
        *items,
        {"type": end, "response": body},
    ]
    numbered = [{**event, "sequence_number": n} for n, event in enumerate(events)]
    return event_stream(*numbered, done=False)
