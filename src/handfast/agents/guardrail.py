"""Guardrails: checks that a user writes for what goes into a run and what comes out of it.

The first agent's input guardrails see the input; the output guardrails of the agent that gives the
final output see that output. Tools have guardrails of their own.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, cast, overload

from handfast.agents.context import RunContextWrapper, TContext
from handfast.agents.items import NamedAgent, agent_fields, release_agents_of
from handfast.agents.raw import InputItem
from handfast.errors import UserError


@dataclass
class GuardrailFunctionOutput:
    """What a guardrail function says."""

    output_info: object
    """Anything that explains the verdict; kept in the result."""
    tripwire_triggered: bool
    """True stops the run."""


_Said: TypeAlias = GuardrailFunctionOutput | Awaitable[GuardrailFunctionOutput]

InputCheck: TypeAlias = Callable[[RunContextWrapper[TContext], Any, Any], _Said]
"""`(context, agent, input)`, sync or async. Any: a user names the exact agent and input types."""

OutputCheck: TypeAlias = Callable[[RunContextWrapper[TContext], Any, Any], _Said]
"""`(context, agent, agent_output)`, sync or async."""


@dataclass
class InputGuardrail(Generic[TContext]):
    """A check of a run's input.

    Args:
        guardrail_function: The check.
        name: What to call it; the function's name where not given.
        run_in_parallel: True runs it beside the first model call, whose answer waits for it; False
            before, so that nothing is spent on input that it refuses.

    Raises:
        UserError: `guardrail_function` is not callable.
    """

    guardrail_function: InputCheck[TContext]
    name: str | None = None
    run_in_parallel: bool = True

    def __post_init__(self) -> None:
        _require_callable(self.guardrail_function)

    def get_name(self) -> str:
        """The name it goes by in results and traces."""
        return self.name or _function_name(self.guardrail_function)

    async def run(
        self,
        agent: NamedAgent,
        input: str | Sequence[InputItem],  # noqa: A002 - the SDK's name
        context: RunContextWrapper[TContext],
    ) -> InputGuardrailResult:
        """Run the check.

        Raises:
            UserError: The function returned something else than a `GuardrailFunctionOutput`.
        """
        said = self.guardrail_function(context, agent, input)
        return InputGuardrailResult(self, await _verdict(said, self.get_name()))


@dataclass
class InputGuardrailResult:
    """An input guardrail and what it said."""

    guardrail: InputGuardrail
    output: GuardrailFunctionOutput


@dataclass
class OutputGuardrail(Generic[TContext]):
    """A check of a run's final output.

    Args:
        guardrail_function: The check.
        name: What to call it; the function's name where not given.

    Raises:
        UserError: `guardrail_function` is not callable.
    """

    guardrail_function: OutputCheck[TContext]
    name: str | None = None

    def __post_init__(self) -> None:
        _require_callable(self.guardrail_function)

    def get_name(self) -> str:
        """The name it goes by in results and traces."""
        return self.name or _function_name(self.guardrail_function)

    async def run(
        self,
        context: RunContextWrapper[TContext],
        agent: NamedAgent,
        agent_output: object,
    ) -> OutputGuardrailResult:
        """Run the check.

        Raises:
            UserError: The function returned something else than a `GuardrailFunctionOutput`.
        """
        said = self.guardrail_function(context, agent, agent_output)
        output = await _verdict(said, self.get_name())
        return OutputGuardrailResult(self, agent_output, agent, output)


@agent_fields("agent")
@dataclass
class OutputGuardrailResult:
    """An output guardrail, what it looked at and what it said."""

    guardrail: OutputGuardrail
    agent_output: object
    agent: NamedAgent
    """The agent that gave the output; an `AgentName` once it is gone."""
    output: GuardrailFunctionOutput

    def release_agent(self) -> None:
        """Hold the agent weakly from now on; its name stays."""
        release_agents_of(self, tell_names=True)


@overload
def input_guardrail(func: InputCheck[TContext], /) -> InputGuardrail[TContext]: ...
@overload
def input_guardrail(
    *,
    name: str | None = None,
    run_in_parallel: bool = True,
) -> Callable[[InputCheck[TContext]], InputGuardrail[TContext]]: ...
def input_guardrail(
    func: InputCheck | None = None,
    *,
    name: str | None = None,
    run_in_parallel: bool = True,
) -> InputGuardrail | Callable[[InputCheck], InputGuardrail]:
    """Make a function an input guardrail; as `@input_guardrail` or with arguments."""

    def decorate(function: InputCheck) -> InputGuardrail:
        return InputGuardrail(function, name, run_in_parallel)

    return decorate if func is None else decorate(func)


@overload
def output_guardrail(func: OutputCheck[TContext], /) -> OutputGuardrail[TContext]: ...
@overload
def output_guardrail(
    *,
    name: str | None = None,
) -> Callable[[OutputCheck[TContext]], OutputGuardrail[TContext]]: ...
def output_guardrail(
    func: OutputCheck | None = None,
    *,
    name: str | None = None,
) -> OutputGuardrail | Callable[[OutputCheck], OutputGuardrail]:
    """Make a function an output guardrail; as `@output_guardrail` or with arguments."""

    def decorate(function: OutputCheck) -> OutputGuardrail:
        return OutputGuardrail(function, name)

    return decorate if func is None else decorate(func)


async def _verdict(said: object, name: str) -> GuardrailFunctionOutput:
    output = await cast("Awaitable[object]", said) if inspect.isawaitable(said) else said
    if not isinstance(output, GuardrailFunctionOutput):
        raise UserError(
            f"The guardrail {name!r} must return a GuardrailFunctionOutput, "
            f"not {type(output).__name__}.",
        )
    return output


def _require_callable(function: object) -> None:
    if not callable(function):
        raise UserError(
            f"guardrail_function must be callable with a context, an agent and what to check, "
            f"not {function!r}.",
        )


def _function_name(function: object) -> str:
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__
