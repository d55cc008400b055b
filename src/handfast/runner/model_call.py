"""One model call: what the model is shown, the call itself, and its answer as items."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from handfast.agents.agent import AnyAgent
from handfast.agents.duplicates import latest_of_each
from handfast.agents.input_items import is_custom_call, item_from_wire
from handfast.agents.json_types import is_object
from handfast.agents.model import Model, ModelRequest, Observer
from handfast.agents.output import output_schema_of
from handfast.agents.raw import InputItem, ModelResponse
from handfast.agents.together import gather_all
from handfast.core.effects import CallModel
from handfast.core.items import Call, Item
from handfast.core.outcomes import ModelAnswered
from handfast.core.state import Offer
from handfast.errors import ModelTimeoutError, UserError
from handfast.runner.call_settings import call_settings, call_tracing
from handfast.runner.config import CallModelData, ModelInputData
from handfast.runner.model_retry import Retrying, with_retries
from handfast.runner.run import Run
from handfast.runner.stream_events import RawResponsesStreamEvent
from handfast.runner.toolbox import Toolbox
from handfast.runner.traced import note_error, traced_generation
from handfast.runner.usable_answer import require_usable

logger = logging.getLogger("handfast")

LAST_ANSWER: Final = (
    "You have no turns left and no tools. Give your final answer now, from what you know."
)
"""Said to a model whose turns are used up, where the run asks for an answer all the same."""


async def call_model(run: Run, effect: CallModel) -> ModelAnswered:
    """Ask the agent's model.

    Raises:
        ModelError: The model failed.
        Exception: Whatever the user's code (instructions, hooks, filters) raised.
    """
    if run.keeper is not None:
        await run.keeper.keep(run.state)
    agent = run.catalog[effect.agent]
    run.context.turn_input = _conversation(run, effect)
    await _introduce(run, agent)
    request, box = await _request(run, effect, agent)
    model = model_of(run, agent)
    await _tell_start(run, agent, request)
    response = await _answer(run, model, request)
    run.context.usage.add(response.usage)
    items, repeated = _items(run, effect, response, box)
    await _tell_end(run, agent, response)
    require_usable(run, response)
    if run.server is not None:
        run.server.answered(effect, len(items), response.response_id)
    return ModelAnswered(
        effect.id,
        items,
        _offer(run, agent, box),
        response.usage.to_spend(),
        response.response_id,
        response,
        repeated,
    )


async def _introduce(run: Run, agent: AnyAgent) -> None:
    """Tell the hooks that an agent has the word, once for each time it gets it."""
    if run.introduced is agent:
        return
    run.introduced = agent
    if run.hooks is not None:
        await run.hooks.on_agent_start(run.context, agent)
    if agent.hooks is not None:
        await agent.hooks.on_start(run.context, agent)


async def _request(run: Run, effect: CallModel, agent: AnyAgent) -> tuple[ModelRequest, Toolbox]:
    instructions, prompt = await _prompts(run, agent)
    # Prompts come first: whether a tool is enabled may hang on what they leave in the context.
    box = await run.toolboxes.fresh(agent, run.context)
    if effect.tools_off:
        instructions = f"{instructions or ''}\n\n{LAST_ANSWER}".strip()
    conversation = ModelInputData(run.context.turn_input, instructions)
    shown = await _filtered(run, agent, conversation)
    request = ModelRequest(
        shown.instructions,
        shown.input,
        call_settings(run, effect, agent, model_of(run, agent)),
        () if effect.tools_off else box.tools,
        output_schema_of(agent.output_type),
        () if effect.tools_off else box.handoffs,
        call_tracing(run),
        previous_response_id=run.server.previous_response_id if run.server else None,
        conversation_id=run.server.conversation_id if run.server else None,
        prompt=prompt,
    )
    return request, box


async def _prompts(run: Run, agent: AnyAgent) -> tuple[str | None, Mapping[str, object] | None]:
    """The instructions and the stored prompt: where both are made now, side by side."""
    if not callable(agent.prompt) or not callable(agent.instructions):
        return await agent.get_system_prompt(run.context), await agent.get_prompt(run.context)
    made: list[object] = await gather_all(
        [agent.get_system_prompt(run.context), agent.get_prompt(run.context)],
    )
    return cast("tuple[str | None, Mapping[str, object] | None]", tuple(made))


def _conversation(run: Run, effect: CallModel) -> list[InputItem]:
    """What the model is about to be shown: of a conversation that a provider keeps, what is new."""
    conversation = run.transcript.render(effect.input, effect.seen)
    if run.server is None:
        return conversation
    return run.server.unknown_to_server(effect, conversation)


async def _filtered(run: Run, agent: AnyAgent, shown: ModelInputData) -> ModelInputData:
    edit = run.config.call_model_input_filter
    if edit is None:
        return shown
    try:
        edited: Any = edit(CallModelData(shown, agent, run.context.context))
        if inspect.isawaitable(edited):
            edited = await edited
    except Exception as error:
        note_error(run, "Error in call_model_input_filter", error)
        raise
    if not isinstance(edited, ModelInputData):
        raise UserError(
            f"call_model_input_filter must return a ModelInputData, not {type(edited).__name__}.",
        )
    return ModelInputData(latest_of_each(edited.input), edited.instructions)


def model_of(run: Run, agent: AnyAgent) -> Model:
    """The model that answers for an agent: the run's own choice first.

    Raises:
        UserError: No such model can be found or set up.
    """
    chosen = run.config.model if run.config.model is not None else agent.model
    if isinstance(chosen, Model):
        return chosen
    model = run.models.get(chosen)
    if model is None:
        model = run.models[chosen] = run.config.model_provider.get_model(chosen)
    return model


async def _answer(run: Run, model: Model, request: ModelRequest) -> ModelResponse:
    emit = run.emit
    observe: Observer | None = (
        None if emit is None else lambda event: emit(RawResponsesStreamEvent(event))
    )
    retrying = Retrying(model, request, stream=observe is not None)
    return await with_retries(retrying, partial(_attempt, run, model, request), observe)


async def _attempt(
    run: Run,
    model: Model,
    request: ModelRequest,
    observe: Observer | None,
) -> ModelResponse:
    with traced_generation(run, model, request) as answered:
        response = await _in_time(model, request, observe)
        answered(response)
    return response


async def _in_time(
    model: Model,
    request: ModelRequest,
    observe: Observer | None,
) -> ModelResponse:
    seconds = request.settings.timeout
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            return await model.respond(request, observe)
    except TimeoutError:
        if seconds is None or not deadline.expired():
            raise
    # Raised here, and not above, it drags nothing along that the model was doing.
    raise ModelTimeoutError(seconds)


async def _tell_start(run: Run, agent: AnyAgent, request: ModelRequest) -> None:
    if run.hooks is None and agent.hooks is None:
        return
    shown: list[InputItem] = list(request.input) if not isinstance(request.input, str) else []
    if run.hooks is not None:
        await run.hooks.on_llm_start(run.context, agent, request.instructions, shown)
    if agent.hooks is not None:
        await agent.hooks.on_llm_start(run.context, agent, request.instructions, shown)


async def _tell_end(run: Run, agent: AnyAgent, response: ModelResponse) -> None:
    if run.hooks is not None:
        await run.hooks.on_llm_end(run.context, agent, response)
    if agent.hooks is not None:
        await agent.hooks.on_llm_end(run.context, agent, response)


def _offer(run: Run, agent: AnyAgent, box: Toolbox) -> Offer:
    """What was offered; a result that may be the output is held back until checks have seen it."""
    checked = agent.output_guardrails or run.config.output_guardrails
    return replace(box.offer, withholds=True) if box.offer.judges_tools and checked else box.offer


def _items(
    run: Run,
    effect: CallModel,
    response: ModelResponse,
    box: Toolbox,
) -> tuple[tuple[Item, ...], bool]:
    """The answer's items: calls told apart, and each with an id that is its own in the run.

    Returns:
        The items, and whether some only repeated what the run has already and were left out.
    """
    turn = int(effect.id.partition(".")[0])
    items: list[Item] = [item_from_wire(each, effect.agent) for each in response.wire_items]
    # A provider that keeps the conversation waits for an answer to each call that it gave.
    fresh = items if run.server else run.known_calls.without_repeats(items, turn)
    repeated = len(fresh) < len(items)
    if repeated:
        logger.warning("The model gave calls again that were made before; they are not made again.")
        items = fresh
    told_apart = (
        _call(run, item, box, turn, n) if isinstance(item, Call) else item
        for n, item in enumerate(items)
    )
    return tuple(told_apart), repeated


def _call(run: Run, call: Call, box: Toolbox, turn: int, n: int) -> Call:
    kind = "unknown" if is_custom_call(call) else box.offer.kinds.get(call.name, "unknown")
    origin = box.origin_of(call.name)
    call_id = run.known_calls.claim_id(call.call_id, turn, n)
    if call_id == call.call_id:
        return replace(call, kind=kind, origin=origin)
    logger.warning(
        "The model gave call %r of %s an id that is %s; it is answered as %r.",
        call.call_id,
        call.name,
        "used already" if call.call_id else "empty",
        call_id,
    )
    raw = {**call.raw, "call_id": call_id} if is_object(call.raw) else call.raw
    return replace(call, call_id=call_id, raw=raw, kind=kind, origin=origin)
