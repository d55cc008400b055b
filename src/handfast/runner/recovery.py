"""Error handlers: the user's code may give an output in place of a failure."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from handfast.agents.agent import AnyAgent
from handfast.agents.context import RunContextWrapper
from handfast.agents.input_items import item_from_wire
from handfast.agents.items import RunItem
from handfast.agents.output import AgentOutputSchema, output_schema_of
from handfast.agents.raw import InputItem, ModelResponse
from handfast.core.effects import Recover
from handfast.core.items import Item
from handfast.core.outcomes import NotRecovered, Recovered
from handfast.errors import ModelBehaviorError, UserError
from handfast.runner.failures import error_of
from handfast.runner.opaque import plain_data
from handfast.runner.run import Run
from handfast.runner.run_view import RunView

ErrorKind: TypeAlias = Literal["max_turns", "model_refusal", "invalid_final_output"]

FAILURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "max_turns": "MaxTurnsExceeded",
        "model_refusal": "ModelRefusalError",
        "invalid_final_output": "InvalidFinalOutputError",
    },
)
"""Which error each kind of handler is for."""


@dataclass
class RunErrorData:
    """What the run had produced when it failed."""

    input: str | list[InputItem]
    new_items: list[RunItem]
    history: list[InputItem]
    """The whole conversation, as input items."""
    output: list[InputItem]
    """What the run produced, as input items."""
    raw_responses: list[ModelResponse]
    last_agent: AnyAgent


@dataclass
class RunErrorHandlerInput:
    """What an error handler is given."""

    error: BaseException
    context: RunContextWrapper[Any]
    run_data: RunErrorData


@dataclass
class RunErrorHandlerResult:
    """An output in place of the failure."""

    final_output: Any
    include_in_history: bool = True
    """Whether the output enters the conversation as a message of the last agent."""


RunErrorHandler: TypeAlias = Callable[[RunErrorHandlerInput], Any | Awaitable[Any]]
"""Returns an output, a `RunErrorHandlerResult`, or None to let the failure stand; or async."""

RunErrorHandlers: TypeAlias = Mapping[ErrorKind, RunErrorHandler]


def recoverable(handlers: Mapping[Any, Any] | None) -> frozenset[str]:
    """The names of the failures that there are handlers for.

    Raises:
        UserError: A key names no kind of failure, or a handler cannot be called.
    """
    for kind, handler in (handlers or {}).items():
        if kind not in FAILURES:
            raise UserError(
                f"error_handlers has no kind {kind!r}; there are {', '.join(FAILURES)}.",
            )
        if not callable(handler):
            raise UserError(f"error_handlers[{kind!r}] must be callable.")
    return frozenset(FAILURES[kind] for kind in handlers or {})


async def recover(run: Run, effect: Recover) -> Recovered | NotRecovered:
    """Ask the handler of a failure for an output.

    Raises:
        UserError: The output does not fit the agent's output type.
        Exception: Whatever the handler raised.
    """
    handler = next(
        (run.error_handlers[kind] for kind in run.error_handlers if _is(kind, effect)),
        None,
    )
    if handler is None:
        return NotRecovered(effect.id)
    if run.keeper is not None:
        await run.keeper.keep(run.state)
    said: Any = handler(RunErrorHandlerInput(error_of(effect.failure), run.context, _data(run)))
    if inspect.isawaitable(said):
        said = await said
    if said is None:
        return NotRecovered(effect.id)
    given = said if isinstance(said, RunErrorHandlerResult) else RunErrorHandlerResult(said)
    value, text = _fitted(run.catalog[effect.agent], given.final_output)
    items = (_message(text, effect.agent),) if given.include_in_history else ()
    return Recovered(effect.id, value, items)


def _is(kind: str, effect: Recover) -> bool:
    return FAILURES.get(kind) == effect.failure.name


def _data(run: Run) -> RunErrorData:
    view = RunView(run)
    history = view.to_input_list()
    produced = len(run.state.items)
    return RunErrorData(
        view.input,
        view.new_items,
        history,
        history[len(history) - produced :] if produced else [],
        view.raw_responses,
        view.last_agent,
    )


def _fitted(agent: AnyAgent, value: object) -> tuple[object, str]:
    """The output as the agent's type has it, and as the model would have written it."""
    schema = output_schema_of(agent.output_type)
    if schema is None or schema.is_plain_text():
        return value, value if isinstance(value, str) else _json(value)
    wraps = isinstance(schema, AgentOutputSchema) and schema.is_wrapped
    text = _json({"response": value} if wraps else value)
    try:
        return schema.validate_json(text), text
    except ModelBehaviorError as error:
        raise UserError(
            f"The error handler's output does not fit the output_type of agent {agent.name!r} "
            f"({schema.name()}).",
        ) from error


def _json(value: object) -> str:
    return json.dumps(plain_data(value), ensure_ascii=False, separators=(",", ":"))


def _message(text: str, agent: str) -> Item:
    wire: dict[str, object] = {
        "id": "msg_recovered",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
    }
    return item_from_wire(wire, agent)
