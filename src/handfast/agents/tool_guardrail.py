"""Checks around one tool call: before it on its arguments, after it on what it returned.

Unlike the boundary, which decides what a call may touch, these are the user's own rules about
content. Each answers in one of three ways: let it pass, give the model a message in place of the
call or its output, or end the run.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypedDict, overload

from handfast.agents.context import TContext, ToolContext
from handfast.errors import UserError


class AllowBehavior(TypedDict):
    """Let it pass."""

    type: Literal["allow"]


class RejectContentBehavior(TypedDict):
    """Give the model `message` instead; the run goes on."""

    type: Literal["reject_content"]
    message: str


class RaiseExceptionBehavior(TypedDict):
    """End the run with a tripwire exception."""

    type: Literal["raise_exception"]


ToolGuardrailBehavior: TypeAlias = AllowBehavior | RejectContentBehavior | RaiseExceptionBehavior


def _allow() -> ToolGuardrailBehavior:
    return {"type": "allow"}


@dataclass
class ToolGuardrailFunctionOutput:
    """What a tool guardrail found; made with `allow`, `reject_content` or `raise_exception`."""

    output_info: object = None
    """What the guardrail wants to report; the run never reads it."""
    behavior: ToolGuardrailBehavior = field(default_factory=_allow)
    """What happens next."""

    @classmethod
    def allow(cls, output_info: object = None) -> ToolGuardrailFunctionOutput:
        """Let the call run, or its output pass."""
        return cls(output_info)

    @classmethod
    def reject_content(
        cls,
        message: str,
        output_info: object = None,
    ) -> ToolGuardrailFunctionOutput:
        """Tell the model `message` instead of running the call or showing its output."""
        return cls(output_info, {"type": "reject_content", "message": message})

    @classmethod
    def raise_exception(cls, output_info: object = None) -> ToolGuardrailFunctionOutput:
        """End the run with a `Tool...GuardrailTripwireTriggered`."""
        return cls(output_info, {"type": "raise_exception"})


@dataclass
class ToolInputGuardrailData:
    """What an input guardrail looks at."""

    context: ToolContext
    """The call, with its arguments as the model wrote them."""
    agent: object
    """The agent that calls."""


@dataclass
class ToolOutputGuardrailData(ToolInputGuardrailData):
    """What an output guardrail looks at."""

    output: object = None
    """What the tool returned, before it is made into text for the model."""


ToolInputGuardrailFunction: TypeAlias = Callable[
    [ToolInputGuardrailData],
    ToolGuardrailFunctionOutput | Awaitable[ToolGuardrailFunctionOutput],
]
"""A check of a call; sync or async."""

ToolOutputGuardrailFunction: TypeAlias = Callable[
    [ToolOutputGuardrailData],
    ToolGuardrailFunctionOutput | Awaitable[ToolGuardrailFunctionOutput],
]
"""A check of what a call returned; sync or async."""


@dataclass
class ToolInputGuardrail(Generic[TContext]):
    """A check of a call before it runs; `ToolInputGuardrail[C]` where the context is a `C`."""

    guardrail_function: ToolInputGuardrailFunction
    name: str | None = None

    def get_name(self) -> str:
        """The name given, or the function's."""
        return self.name or _name_of(self.guardrail_function)

    async def run(self, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        """Ask the function.

        Raises:
            UserError: The function is not callable, or returned something else.
        """
        return await _ask(self.guardrail_function, data, self.get_name())


@dataclass
class ToolOutputGuardrail(Generic[TContext]):
    """A check of what a call returned, before the model sees it; generic as the input's is."""

    guardrail_function: ToolOutputGuardrailFunction
    name: str | None = None

    def get_name(self) -> str:
        """The name given, or the function's."""
        return self.name or _name_of(self.guardrail_function)

    async def run(self, data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
        """Ask the function.

        Raises:
            UserError: The function is not callable, or returned something else.
        """
        return await _ask(self.guardrail_function, data, self.get_name())


@dataclass
class ToolInputGuardrailResult:
    """An input guardrail, and what it found."""

    guardrail: ToolInputGuardrail
    output: ToolGuardrailFunctionOutput


@dataclass
class ToolOutputGuardrailResult:
    """An output guardrail, and what it found."""

    guardrail: ToolOutputGuardrail
    output: ToolGuardrailFunctionOutput


@overload
def tool_input_guardrail(func: ToolInputGuardrailFunction, /) -> ToolInputGuardrail: ...


@overload
def tool_input_guardrail(
    *,
    name: str | None = None,
) -> Callable[[ToolInputGuardrailFunction], ToolInputGuardrail]: ...


def tool_input_guardrail(
    func: ToolInputGuardrailFunction | None = None,
    *,
    name: str | None = None,
) -> ToolInputGuardrail | Callable[[ToolInputGuardrailFunction], ToolInputGuardrail]:
    """Make a function of `ToolInputGuardrailData` into a guardrail, with or without parentheses.

    Args:
        func: The function, sync or async.
        name: A name for reports; the function's by default.
    """
    if func is not None:
        return ToolInputGuardrail(func, name)
    return lambda function: ToolInputGuardrail(function, name)


@overload
def tool_output_guardrail(func: ToolOutputGuardrailFunction, /) -> ToolOutputGuardrail: ...


@overload
def tool_output_guardrail(
    *,
    name: str | None = None,
) -> Callable[[ToolOutputGuardrailFunction], ToolOutputGuardrail]: ...


def tool_output_guardrail(
    func: ToolOutputGuardrailFunction | None = None,
    *,
    name: str | None = None,
) -> ToolOutputGuardrail | Callable[[ToolOutputGuardrailFunction], ToolOutputGuardrail]:
    """Make a function of `ToolOutputGuardrailData` into a guardrail, with or without parentheses.

    Args:
        func: The function, sync or async.
        name: A name for reports; the function's by default.
    """
    if func is not None:
        return ToolOutputGuardrail(func, name)
    return lambda function: ToolOutputGuardrail(function, name)


def _name_of(function: object) -> str:
    name: object = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


async def _ask(
    function: Callable[..., object],
    data: ToolInputGuardrailData,
    name: str,
) -> ToolGuardrailFunctionOutput:
    if not callable(function):
        raise UserError(f"Guardrail function must be callable, got {function!r}.")
    said = function(data)
    output: object = await said if inspect.isawaitable(said) else said
    if not isinstance(output, ToolGuardrailFunctionOutput):
        raise UserError(
            f"Tool guardrail {name} returned {type(output).__name__}; it must return a "
            "ToolGuardrailFunctionOutput, for instance ToolGuardrailFunctionOutput.allow().",
        )
    return output
