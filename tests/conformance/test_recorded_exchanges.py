"""Recorded exchanges of real providers, replayed as bytes over loopback through the adapters.

The recordings are not part of this repository: they lie in `shared/wire`, in it or beside it, or
where `HANDFAST_WIRE` says, and the tests are skipped where they are not. `recorded_exchanges.jsonl`
says, for each, what must come of it: the items, calls with parsed arguments, usage, and why an
answer is incomplete, or the error with its status, code and wait. Texts are given by their
beginning, their length and a hash.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from handfast.agents.model import Model, ModelRequest, Observer
from handfast.agents.raw import ModelResponse
from handfast.errors import ModelError, ProviderError
from handfast.models.json_text import objects_in, text_in
from handfast.models.openai_chat import OpenAIChatCompletionsModel
from handfast.models.openai_responses import OpenAIResponsesModel
from provider_server import Canned, ProviderServer, provider_server

ROOT = Path(__file__).parents[2]
PLACES = (ROOT / "shared/wire", ROOT.parent / "shared/wire")
RECORDINGS = Path(
    os.environ.get("HANDFAST_WIRE") or next((path for path in PLACES if path.is_dir()), PLACES[0]),
)
TABLE = Path(__file__).with_name("recorded_exchanges.jsonl")

Record = dict[str, object]

EXPECTED: dict[str, Record] = {
    str(row["id"]): row for row in map(json.loads, TABLE.read_text().splitlines())
}

pytestmark = pytest.mark.skipif(
    not RECORDINGS.is_dir(),
    reason=f"the recorded exchanges are not at {RECORDINGS}",
)


def recording(name: str) -> Record:
    return cast("Record", json.loads((RECORDINGS / f"{name}.json").read_text()))


def canned(recorded: Record) -> Canned:
    """The recorded answer, byte for byte."""
    answer = cast("Record", recorded["response"])
    lines = cast("list[str] | None", answer.get("sse_lines"))
    body = (
        json.dumps(answer["body"], ensure_ascii=False)
        if lines is None
        else "\n".join(lines) + "\n\n"
    )
    headers = cast("dict[str, str]", answer["headers"])
    return Canned(cast("int", answer["status"]), headers, [body.encode()])


def model_for(recorded: Record, server: ProviderServer) -> Model:
    name = str(recorded["model"] or "model")
    adapter = OpenAIChatCompletionsModel if recorded["endpoint"] == "chat" else OpenAIResponsesModel
    return adapter(name, base_url=server.url, api_key="test", max_retries=0)


async def replay(name: str, observe: Observer | None) -> Record:
    """What comes of an exchange, in the words of the table."""
    recorded = recording(name)
    async with provider_server(canned(recorded)) as server:
        model = model_for(recorded, server)
        try:
            response = await model.respond(ModelRequest(None, "Hello"), observe)
        except ModelError as error:
            return {"id": name, **told_error(error)}
        finally:
            await model.close()
    return {"id": name, **told(response)}


def told_error(error: ModelError) -> Record:
    facts: Record = {"error": type(error).__name__}
    if isinstance(error, ProviderError):
        known = {"status": error.status, "code": error.code, "wait": error.retry_after}
        facts.update({key: value for key, value in known.items() if value is not None})
    return facts


def told(response: ModelResponse) -> Record:
    usage = response.usage
    facts: Record = {
        "output": [told_item(item) for item in response.wire_items],
        "usage": [
            usage.input_tokens,
            usage.output_tokens,
            usage.total_tokens,
            usage.input_tokens_details.cached_tokens,
            usage.output_tokens_details.reasoning_tokens,
        ],
    }
    if response.status != "completed":
        facts["incomplete"] = response.incomplete_reason
    return facts


def told_item(item: Mapping[str, object]) -> list[object]:
    kind = str(item["type"])
    if kind == "message":
        parts = objects_in(item, "content")
        return [
            kind,
            *(f"{part['type']}: {digest(str(part.get('text') or part.get('refusal')))}"
              for part in parts),
        ]  # fmt: skip
    if kind == "reasoning":
        parts = [*objects_in(item, "summary"), *objects_in(item, "content")]
        return [kind, digest("".join(text_in(part, "text") for part in parts))]
    if kind == "function_call":
        arguments: object = json.loads(str(item["arguments"]))
        return [kind, item["call_id"], item["name"], arguments]
    return [kind, *(item[key] for key in ("call_id", "name", "input") if key in item)]


def digest(text: str) -> str:
    """Enough to tell a text by, and to read it: its beginning, its length, a hash."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{text[:24]}... {len(text)} {mark}" if len(text) > 24 else text


def test_the_table_has_every_recording() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in RECORDINGS.glob("*.json"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
async def test_a_recorded_exchange_ends_as_the_table_says(name: str) -> None:
    events: list[object] = []
    observe = events.append if recording(name)["stream"] else None
    assert await replay(name, observe) == EXPECTED[name]
    if observe is not None and "output" in EXPECTED[name]:
        final = "incomplete" if "incomplete" in EXPECTED[name] else "completed"
        assert getattr(events[-1], "type", None) == f"response.{final}"


@pytest.mark.parametrize("name", sorted(EXPECTED))
async def test_watching_changes_nothing(name: str) -> None:
    """The server answers as recorded, whether or not a stream was asked for."""
    observe: Observer | None = None if recording(name)["stream"] else (lambda _: None)
    assert await replay(name, observe) == EXPECTED[name]
