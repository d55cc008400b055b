"""The tools of an MCP server as function tools: names, schemas, calls and results."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handfast.agents.context import ToolContext
from handfast.agents.json_types import is_array, is_object
from handfast.agents.raw import to_wire
from handfast.agents.tool import FunctionTool
from handfast.agents.tool_origin import ToolOrigin, ToolOriginType
from handfast.agents.tool_output import ToolOutputImage, ToolOutputText
from handfast.errors import ModelBehaviorError, UserError
from handfast.mcp.filter import (
    MCPToolCustomDataContext,
    MCPToolCustomDataExtractor,
    MCPToolMetaContext,
    MCPToolMetaResolver,
)


@dataclass(frozen=True)
class ToolCaller:
    """How the tools of one server are called."""

    server_name: str
    call: Callable[..., Awaitable[Any]]
    """`(tool_name, arguments, meta=)`; meta is passed only where there is some."""
    structured: bool = False
    meta_resolver: MCPToolMetaResolver | None = None
    custom_data_extractor: MCPToolCustomDataExtractor | None = None

    async def invoke(self, name: str, context: ToolContext, text: str) -> object:
        """Make one call.

        Raises:
            ModelBehaviorError: The arguments are no JSON object.
        """
        arguments = _arguments(name, text)
        meta = await self._meta(name, context, arguments)
        more = {} if meta is None else {"meta": meta}
        result = await self.call(name, dict(arguments), **more)
        output = output_of(result, structured=self.structured)
        context.custom_data = await self._custom_data(name, context, result, output)
        return output

    async def _meta(
        self,
        name: str,
        context: ToolContext,
        arguments: Mapping[str, Any],
    ) -> dict[str, Any] | None:
        if self.meta_resolver is None:
            return None
        made = self.meta_resolver(
            MCPToolMetaContext(context, self.server_name, name, arguments),
        )
        return await made if inspect.isawaitable(made) else made

    async def _custom_data(
        self,
        name: str,
        context: ToolContext,
        result: object,
        output: object,
    ) -> object:
        if self.custom_data_extractor is None:
            return None
        meta = to_wire(result).get("_meta")
        made = self.custom_data_extractor(
            MCPToolCustomDataContext(
                context,
                self.server_name,
                name,
                _arguments(name, context.tool_arguments),
                result,
                meta if is_object(meta) else None,
                output,
            ),
        )
        return await made if inspect.isawaitable(made) else made


def function_tools(caller: ToolCaller, listed: Sequence[object]) -> list[FunctionTool]:
    """The tools that a server listed, one for one.

    Raises:
        UserError: One has no name, or two have the same.
    """
    tools = [function_tool_of(caller, to_wire(each)) for each in listed]
    names = [tool.name for tool in tools]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"The server {caller.server_name!r} names tools twice: {', '.join(twice)}.")
    return tools


def output_of(result: object, *, structured: bool) -> object:
    """What a model is told of a result: its text, its parts, or its structured content."""
    wire = to_wire(result)
    content = wire.get("structuredContent")
    if structured and content is not None:
        return json.dumps(content, ensure_ascii=False)
    blocks = wire.get("content")
    parts = [_part(block) for block in blocks] if is_array(blocks) else []
    if len(parts) == 1:
        only = parts[0]
        return only.text if isinstance(only, ToolOutputText) else only
    return parts


def function_tool_of(caller: ToolCaller, wire: Mapping[str, object]) -> FunctionTool:
    """One tool that a server listed.

    Raises:
        UserError: It has no name.
    """
    name, schema = wire.get("name"), wire.get("inputSchema", wire.get("input_schema"))
    if not isinstance(name, str) or not name:
        raise UserError(f"The server {caller.server_name!r} lists a tool without a name.")

    async def invoke(context: ToolContext, text: str) -> object:
        return await caller.invoke(name, context, text)

    parameters: dict[str, object] = dict(schema) if is_object(schema) else {}
    if not parameters.get("properties"):
        parameters = {**parameters, "type": "object", "properties": {}}
    return FunctionTool(
        name,
        str(wire.get("description") or ""),
        parameters,
        invoke,
        strict_json_schema=False,
        origin=ToolOrigin(ToolOriginType.MCP, mcp_server_name=caller.server_name),
    )


def _arguments(name: str, text: str) -> Mapping[str, Any]:
    try:
        arguments: object = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise _wrong_arguments(name, str(error)) from error
    if not is_object(arguments):
        raise _wrong_arguments(name, "expected a JSON object.")
    return arguments


def _wrong_arguments(name: str, why: str) -> ModelBehaviorError:
    return ModelBehaviorError(f"Invalid JSON input for tool {name}: {why}", arguments_of=name)


def _part(block: object) -> ToolOutputText | ToolOutputImage:
    wire = to_wire(block)
    kind, data = wire.get("type"), wire.get("data")
    if kind == "text":
        return ToolOutputText(str(wire.get("text", "")))
    if kind == "image" and isinstance(data, str):
        return ToolOutputImage(image_url=f"data:{wire.get('mimeType', 'image/png')};base64,{data}")
    return ToolOutputText(json.dumps(wire, ensure_ascii=False, default=str))
