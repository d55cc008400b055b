"""The body of a request to the Responses API."""

from __future__ import annotations

from handfast.agents.model import ModelRequest
from handfast.agents.model_settings import MCPToolChoice, ModelSettings
from handfast.agents.raw import to_wire
from handfast.errors import UserError
from handfast.models.offers import (
    OUTPUT_NAME,
    Offer,
    chosen_tool,
    hosted_tools,
    offers,
    typed_output,
)
from handfast.models.origin import Origin
from handfast.models.responses_input import responses_input

_PLAIN_SETTINGS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "truncation": "truncation",
    "max_tokens": "max_output_tokens",
    "metadata": "metadata",
    "store": "store",
    "prompt_cache_retention": "prompt_cache_retention",
    "top_logprobs": "top_logprobs",
    "context_management": "context_management",
    "prompt_cache_options": "prompt_cache_options",
}
"""Settings and the names that they go out under."""


def responses_request(
    request: ModelRequest,
    origin: Origin,
    *,
    stream: bool,
    strict_order: bool = False,
) -> dict[str, object]:
    """The body for a request.

    Args:
        request: The conversation and what may be answered.
        origin: The provider and model that will read it.
        stream: Whether the answer shall come as events.
        strict_order: True for servers that refuse words between the calls of one answer.

    Raises:
        UserError: The request asks for two things that exclude each other.
    """
    if request.previous_response_id is not None and request.conversation_id is not None:
        raise UserError("Give either previous_response_id or conversation_id, not both.")
    settings = request.settings
    body: dict[str, object] = {
        "model": origin.model,
        "input": responses_input(
            request.input,
            origin,
            keeps_reasoning=settings.store is not False,
            strict_order=strict_order,
        ),
    }
    stored = {
        "instructions": request.instructions,
        "previous_response_id": request.previous_response_id,
        "conversation": request.conversation_id,
        "prompt": request.prompt,
    }
    body.update({key: value for key, value in stored.items() if value is not None})
    _add_tools(body, request)
    _add_text(body, request)
    _add_settings(body, settings)
    if stream:
        body["stream"] = True
    body.update(settings.extra_args or {})
    body.update(settings.extra_body or {})
    return body


def tools_of(request: ModelRequest) -> list[dict[str, object]]:
    """Everything that a request offers: functions, handoffs, tools that the provider runs.

    Raises:
        UserError: A tool would have to run in this process and is no function.
    """
    functions = [_tool(offer) for offer in offers(request)]
    return [*functions, *(tool.to_wire() for tool in hosted_tools(request))]


def choice_of(request: ModelRequest) -> object:
    """The tool choice of a request, None for none.

    Raises:
        UserError: It names no tool on offer.
    """
    choice = request.settings.tool_choice
    if choice is None:
        return None
    if isinstance(choice, MCPToolChoice):
        return {"type": "mcp", "server_label": choice.server_label, "name": choice.name}
    if any(tool.to_wire().get("type") == choice for tool in hosted_tools(request)):
        return {"type": choice}
    name = chosen_tool(choice, offers(request))
    return choice if name is None else {"type": "function", "name": name}


def _add_tools(body: dict[str, object], request: ModelRequest) -> None:
    offered = tools_of(request)
    if not offered:
        return
    body["tools"] = offered
    if request.settings.parallel_tool_calls is not None:
        body["parallel_tool_calls"] = request.settings.parallel_tool_calls
    if request.settings.tool_choice is not None:
        body["tool_choice"] = choice_of(request)


def _tool(offer: Offer) -> dict[str, object]:
    return {
        "type": "function",
        "name": offer.name,
        "description": offer.description,
        "parameters": offer.parameters,
        "strict": offer.strict,  # the API takes a missing key for true
        **offer.more,
    }


def _add_text(body: dict[str, object], request: ModelRequest) -> None:
    text: dict[str, object] = {}
    schema = typed_output(request.output_schema)
    if schema is not None:
        text["format"] = {
            "type": "json_schema",
            "name": OUTPUT_NAME,
            "schema": schema.json_schema(),
            "strict": schema.is_strict_json_schema(),
        }
    if request.settings.verbosity is not None:
        text["verbosity"] = request.settings.verbosity
    if text:
        body["text"] = text


def _add_settings(body: dict[str, object], settings: ModelSettings) -> None:
    for name, key in _PLAIN_SETTINGS.items():
        value: object = getattr(settings, name)
        if value is not None:
            body[key] = value
    if settings.reasoning is not None:
        body["reasoning"] = to_wire(settings.reasoning)
    include = list(settings.response_include or ())
    if settings.top_logprobs is not None:
        include.append("message.output_text.logprobs")
    if include:
        body["include"] = list(dict.fromkeys(include))
