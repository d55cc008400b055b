"""What a tool keeps for the program beside its answer; no model sees it."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from handfast.agents.context import ToolContext
from handfast.agents.json_types import is_object
from handfast.agents.raw import raw_view
from handfast.agents.tool import FunctionTool, ToolCustomDataContext
from handfast.agents.tool_invocation import errors_named
from handfast.core.effects import CallTool, RunAgent
from handfast.core.outcomes import ToolReturned
from handfast.core.state import is_over
from handfast.errors import UserError
from handfast.runner.as_returned import as_returned
from handfast.runner.once import answered
from handfast.runner.run import Run


async def with_custom_data(
    run: Run,
    effect: CallTool | RunAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
    outcome: ToolReturned,
) -> ToolReturned:
    """The outcome with what the tool's extractor makes of it.

    The answer has been noted before, so an extractor that fails lets no call be made twice.

    Args:
        run: The run.
        effect: The call.
        tool: The tool that answered.
        context: The context of the call; a tool of an MCP server leaves its data there.
        outcome: What came of the call.

    Raises:
        UserError: The extractor failed, or made something that JSON cannot hold.
    """
    with errors_named(tool):
        made: Any = context.custom_data
        if tool.custom_data_extractor is not None:
            made = tool.custom_data_extractor(_shown(run, effect, tool, context, outcome))
            made = await made if inspect.isawaitable(made) else made
        if made is None:
            return outcome
        kept = replace(outcome.result, custom_data=_json_object(made))
    # An extractor that outlives its run changes nothing of the record any more.
    return outcome if is_over(run.state) else answered(run, effect, kept, outcome.spend)


def _shown(
    run: Run,
    effect: CallTool | RunAgent,
    tool: FunctionTool,
    context: ToolContext[Any],
    outcome: ToolReturned,
) -> ToolCustomDataContext:
    return ToolCustomDataContext(
        run_context=run.context,
        tool=tool,
        tool_call=raw_view(effect.call.raw),
        raw_item=copy.deepcopy(outcome.result.raw),
        output=as_returned(outcome.result.value),
        tool_context=context,
    )


def _json_object(made: object) -> Mapping[str, object]:
    if not is_object(made):
        raise UserError(
            "custom_data_extractor must return JSON-compatible data in a mapping, or None, not "
            f"{type(made).__name__}.",
        )
    try:
        text = json.dumps(dict(made), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UserError(
            f"custom_data_extractor must return JSON-compatible data: {error}.",
        ) from error
    return cast("Mapping[str, object]", json.loads(text))
