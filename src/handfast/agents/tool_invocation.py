"""One call of a function tool: its handler, its timeout, and its answer where it fails."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Generator
from contextlib import contextmanager
from typing import Any, cast

from handfast.agents.context import ToolContext
from handfast.agents.signature import wants_run_context
from handfast.agents.tool import FunctionTool, ToolErrorFunction, ToolHandler
from handfast.errors import HandfastError, ModelBehaviorError, ToolTimeoutError, UserError

logger = logging.getLogger("handfast")


async def invoke(tool: FunctionTool, ctx: ToolContext, arguments: str) -> object:
    """Make one call for the runner: handler, timeout, and the answer where it fails.

    Guardrails, approval and the boundary are the caller's business and come before.

    Args:
        tool: The tool.
        ctx: The context of the call.
        arguments: JSON text as the model wrote it.

    Returns:
        What the handler returned, or the text that tells the model of a failure or timeout.

    Raises:
        ToolTimeoutError: It took too long and `timeout_behavior` is `raise_exception`.
        HandfastError: It failed and `failure_error_function` is None; a foreign exception is the
            cause of a `UserError`.
    """
    with foreign_errors(tool):
        return await _in_time(tool, ctx, _answered(tool, ctx, arguments))


async def invoke_function_tool(
    *,
    function_tool: FunctionTool,
    context: ToolContext,
    arguments: str,
) -> object:
    """Make one call by hand: as `invoke`, but exceptions come out as they are.

    Args:
        function_tool: The tool.
        context: The context of the call.
        arguments: JSON text.

    Returns:
        What the handler returned, or the text that tells the model of a failure or timeout.

    Raises:
        ToolTimeoutError: It took too long and `timeout_behavior` is `raise_exception`.
        Exception: It failed, and was written by hand or its `failure_error_function` is None.
    """
    called = _called(function_tool, context, arguments)
    return await _in_time(function_tool, context, called)


async def _in_time(tool: FunctionTool, ctx: ToolContext, call: Awaitable[object]) -> object:
    seconds = tool.timeout_seconds
    if seconds is None:
        return await call
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            return await call
    except TimeoutError:
        if not deadline.expired():
            raise
    return await _timed_out(tool, ctx, seconds)


@contextmanager
def foreign_errors(tool: FunctionTool) -> Generator[None]:
    """Give an exception of a tool that has no `failure_error_function` the name of the tool.

    What the failure function itself raises is left alone.
    """
    if tool.failure_error_function is not None:
        yield
        return
    with errors_named(tool):
        yield


@contextmanager
def errors_named(tool: FunctionTool) -> Generator[None]:
    """Give a foreign exception from around a tool, its hooks or guardrails, the tool's name."""
    try:
        yield
    except HandfastError:
        raise
    except Exception as failure:
        raise UserError(f"Error running tool {tool.name}: {failure}") from failure


async def _answered(tool: FunctionTool, ctx: ToolContext, arguments: str) -> object:
    call = _called(tool, ctx, arguments)
    if tool.answers_failures:
        return await call
    return await answer_failure(call, tool.name, tool.failure_error_function, ctx)


async def _called(tool: FunctionTool, ctx: ToolContext, arguments: str) -> object:
    given: Any = ctx.to_run_context() if _wants_run_context(tool.on_invoke_tool) else ctx
    result = await tool.on_invoke_tool(given, arguments)
    if not inspect.isawaitable(result):
        return result
    # A sync function around an async one, as a decorator makes it, gives a coroutine.
    later = cast("Awaitable[object]", result)
    if not tool.answers_failures:
        return await later
    return await answer_failure(later, tool.name, tool.failure_error_function, ctx)


def _wants_run_context(handler: object) -> bool:
    """True for a handler whose first parameter is annotated as the run's context alone."""
    return callable(handler) and not isinstance(handler, ToolHandler) and wants_run_context(handler)


async def _timed_out(tool: FunctionTool, ctx: ToolContext, seconds: float) -> object:
    error = ToolTimeoutError(tool.name, seconds)
    if tool.timeout_behavior == "raise_exception":
        raise error
    if tool.timeout_error_function is None:
        return str(error)
    text = tool.timeout_error_function(ctx, error)
    return await text if inspect.isawaitable(text) else text


async def answer_failure(
    call: Awaitable[object],
    name: str,
    answer: ToolErrorFunction | None,
    ctx: ToolContext,
) -> object:
    """Await a call; an exception becomes what `answer` makes of it.

    Args:
        call: The call.
        name: The tool's name.
        answer: Makes the answer for the model; None lets the exception out.
        ctx: The context of the call.

    Returns:
        The call's value, or the answer.

    Raises:
        Exception: There is no `answer`.
    """
    try:
        return await call
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Nobody cancelled this task: the tool did it to itself, which is a failure like any other.
        failure: Exception = RuntimeError(f"The tool cancelled itself: {error}")
        failure.__cause__ = error
    except SystemExit as error:
        # A tool that calls sys.exit, as a wrapped command line does, must not end the process.
        failure = RuntimeError(f"The tool tried to exit the process: {error}")
        failure.__cause__ = error
    except Exception as error:  # noqa: BLE001 - the edge to foreign code: any failure is an answer
        failure = error
    if answer is None:
        raise failure
    return await answer_to(failure, name, answer, ctx)


async def answer_to(
    failure: Exception,
    name: str,
    answer: ToolErrorFunction,
    ctx: ToolContext,
) -> object:
    """What the model is told of a failure.

    Args:
        failure: What went wrong.
        name: The tool's name.
        answer: Makes the answer.
        ctx: The context of the call.
    """
    _tell_developer(name, failure)
    ctx.failure = failure
    text = answer(ctx, failure)
    return await text if inspect.isawaitable(text) else text


def _tell_developer(name: str, failure: Exception) -> None:
    """Log what the model is not told."""
    if isinstance(failure, ModelBehaviorError) and failure.arguments_of is not None:
        logger.info("%s", failure)
    else:
        logger.warning("Tool %s failed", name, exc_info=failure)
