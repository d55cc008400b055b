"""The body of a chat completions request."""

from __future__ import annotations

from collections.abc import Iterable

from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import MCPToolChoice, ModelSettings
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.raw import to_wire
from handfast.errors import UserError
from handfast.models.chat_dialect import ChatDialect
from handfast.models.chat_messages import chat_messages
from handfast.models.json_text import compact_json
from handfast.models.offers import (
    OUTPUT_NAME,
    Offer,
    chosen_tool,
    hosted_tools,
    offers,
    typed_output,
)
from handfast.models.origin import Origin

_PLAIN_SETTINGS = (
    "temperature",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "verbosity",
    "metadata",
    "store",
    "prompt_cache_retention",
    "top_logprobs",
)
"""Settings that go out under their own name."""


def chat_request(
    request: ModelRequest,
    origin: Origin,
    dialect: ChatDialect,
    *,
    stream: bool,
) -> dict[str, object]:
    """The body for a request.

    Args:
        request: The conversation and what may be answered.
        origin: The provider and model that will read it.
        dialect: How it speaks the protocol.
        stream: Whether the answer shall come as events.

    Raises:
        UserError: The request asks for what this protocol cannot say.
    """
    _refuse_stored_state(request)
    body: dict[str, object] = {
        "model": origin.model,
        "messages": [
            *_instructions(request, dialect),
            *chat_messages(request.input, origin, dialect),
        ],
    }
    settings = request.settings
    _add_tools(body, request, dialect)
    _add_output_format(body, request.output_schema, dialect)
    _add_settings(body, settings, dialect)
    if stream:
        body["stream"] = True
        if dialect.usage_in_stream and settings.include_usage is not False:
            body["stream_options"] = {"include_usage": True}
    body.update(settings.extra_args or {})
    body.update(settings.extra_body or {})
    return body


def _refuse_stored_state(request: ModelRequest) -> None:
    kept = {
        "previous_response_id": request.previous_response_id,
        "conversation_id": request.conversation_id,
        "prompt": request.prompt,
    }
    for name, value in kept.items():
        if value is not None:
            raise UserError(
                f"Chat completions have no {name}: the provider keeps nothing. Send the whole "
                "conversation as input, or use OpenAIResponsesModel.",
            )


def _instructions(request: ModelRequest, dialect: ChatDialect) -> Iterable[dict[str, object]]:
    texts = [request.instructions] if request.instructions else []
    schema = typed_output(request.output_schema)
    if schema is not None and dialect.structured_output != "json_schema":
        texts.append(
            "Give your final answer as one JSON value that fits this JSON schema, and nothing "
            f"else:\n{compact_json(schema.json_schema())}",
        )
    if texts:
        yield {"role": "system", "content": "\n\n".join(texts)}


def _add_tools(body: dict[str, object], request: ModelRequest, dialect: ChatDialect) -> None:
    offered = offers(request)
    for hosted in hosted_tools(request):
        raise UserError(
            f"Chat completions have no {hosted.name}: only the Responses API runs tools of the "
            "provider's. Use OpenAIResponsesModel.",
        )
    if not offered:
        return  # providers refuse tool_choice and parallel_tool_calls without tools
    body["tools"] = [function_of(offer, dialect) for offer in offered]
    settings = request.settings
    if settings.parallel_tool_calls is not None:
        body["parallel_tool_calls"] = settings.parallel_tool_calls
    if isinstance(settings.tool_choice, MCPToolChoice):
        raise UserError("Chat completions cannot choose a tool of an MCP server of the provider's.")
    if settings.tool_choice is not None:
        name = chosen_tool(settings.tool_choice, offered)
        body["tool_choice"] = (
            settings.tool_choice
            if name is None
            else {"type": "function", "function": {"name": name}}
        )


def function_of(offer: Offer, dialect: ChatDialect) -> dict[str, object]:
    """A function as the request offers it."""
    function: dict[str, object] = {
        "name": offer.name,
        "description": offer.description,
        "parameters": offer.parameters,
    }
    if offer.strict and dialect.strict_tools:
        function["strict"] = True
    return {"type": "function", "function": function}


def _add_output_format(
    body: dict[str, object],
    schema: AgentOutputSchemaBase | None,
    dialect: ChatDialect,
) -> None:
    schema = typed_output(schema)
    if schema is None or dialect.structured_output == "prompt":
        return
    if dialect.structured_output == "json_object":
        body["response_format"] = {"type": "json_object"}
        return
    body["response_format"] = {
        "type": "json_schema",
        "json_schema": {
            "name": OUTPUT_NAME,
            "strict": schema.is_strict_json_schema(),
            "schema": schema.json_schema(),
        },
    }


def _add_settings(
    body: dict[str, object],
    settings: ModelSettings,
    dialect: ChatDialect,
) -> None:
    for name in _PLAIN_SETTINGS:
        value: object = getattr(settings, name)
        if value is not None:
            body[name] = value
    if settings.top_logprobs is not None:
        body["logprobs"] = True
    limit = settings.max_tokens if settings.max_tokens is not None else dialect.default_max_tokens
    if limit is not None:
        body[dialect.max_tokens_key] = limit
    reasoning = {} if settings.reasoning is None else to_wire(settings.reasoning)
    if reasoning and dialect.reasoning_object:
        body["reasoning"] = reasoning
    elif reasoning.get("effort") is not None:
        body["reasoning_effort"] = reasoning["effort"]
