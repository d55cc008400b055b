"""`AgentToolHandler`: an agent tool that a program invokes by hand runs its agent."""

from __future__ import annotations

from typing_extensions import TypeIs

from handfast.agents.agent_tool import AGENT_TOOLS, AgentToolSpec
from handfast.agents.context import RunContextWrapper, ToolContext
from handfast.agents.tool import FunctionTool, ToolErrorFunction
from handfast.agents.tool_invocation import answer_to
from handfast.errors import AgentToolPausedError


class AgentToolHandler:
    """Runs the agent behind a tool for code that calls `on_invoke_tool` itself.

    Inside a run the driver runs the agent, from the same spec; a handler that a program puts in
    place of this one is called there like that of any other tool.

    Args:
        spec: How the agent is run.
        tool: The tool that the handler works for.
    """

    __slots__ = ("_spec", "_tool")

    def __init__(self, spec: AgentToolSpec, tool: FunctionTool | None = None) -> None:
        self._spec = spec
        self._tool = tool

    def bound_to(self, tool: FunctionTool) -> AgentToolHandler:
        """The same handler for another tool."""
        return AgentToolHandler(self._spec, tool)

    def __deepcopy__(self, memo: dict[int, object]) -> AgentToolHandler:
        """A handler of the same agent, for the copy of its tool."""
        copied = None if self._tool is None else memo.get(id(self._tool))
        return self if not isinstance(copied, FunctionTool) else self.bound_to(copied)

    async def __call__(self, ctx: ToolContext, input: str) -> object:  # noqa: A002 - the SDK's name
        """Run the agent; an exception becomes what the tool's failure function makes of it.

        Raises:
            AgentToolPausedError: A call inside the agent's run waits for a person.
        """
        context = _context_of(ctx)
        name, answer = self._settings()
        try:
            return await AGENT_TOOLS.invoke(self._spec, context, input, name)
        except AgentToolPausedError:
            raise
        except Exception as failure:
            if answer is None:
                raise
            if not isinstance(context, ToolContext):
                made = ToolContext.from_agent_context
                context = made(context, "", tool_name=name, tool_arguments=input)
            return await answer_to(failure, name, answer, context)

    def _settings(self) -> tuple[str, ToolErrorFunction | None]:
        if self._tool is None:
            return self._spec.agent.name, None
        return self._tool.name, self._tool.failure_error_function


def _context_of(given: object) -> RunContextWrapper:
    """The context of a call; a program may pass its own object alone."""
    return given if _is_context(given) else RunContextWrapper(given)


def _is_context(value: object) -> TypeIs[RunContextWrapper]:
    return isinstance(value, RunContextWrapper)
