"""Which calls of an MCP server's tools a person has to approve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from handfast.agents.context import RunContextWrapper
from handfast.agents.json_types import is_array, is_object
from handfast.agents.tool import ToolNeedsApproval
from handfast.errors import UserError

RequireApproval: TypeAlias = bool | str | Mapping[str, object] | Callable[..., Any] | None
"""True or `always`, False or `never`, a mapping of tool names to these (or `always` and `never` to
`{"tool_names": [...]}`), or `(context, agent, tool)`, sync or async."""

_WORDS: Mapping[object, bool] = {"always": True, "never": False, True: True, False: False}


def approval_of(
    given: RequireApproval,
    tool_name: str,
    agent: object,
    tool: object,
) -> ToolNeedsApproval:
    """What `require_approval` means for one tool.

    Raises:
        UserError: It is none of the forms.
    """
    if given is None:
        return False
    if callable(given):
        ask = given

        def needs(context: RunContextWrapper, _arguments: dict[str, Any], _call_id: str) -> Any:  # noqa: ANN401 - a bool, or one to await
            return ask(context, agent, tool)

        return needs
    if isinstance(given, bool | str):
        return _word(given)
    listed = {_word(word) for word in ("always", "never") if _lists(given.get(word), tool_name)}
    if listed:
        return True in listed
    own = given.get(tool_name, False)
    return False if is_object(own) else _word(own)


def _lists(group: object, tool_name: str) -> bool:
    names = group.get("tool_names") if is_object(group) else None
    return is_array(names) and tool_name in names


def _word(given: object) -> bool:
    if isinstance(given, bool | str) and given in _WORDS:
        return _WORDS[given]
    raise UserError(f"require_approval must be 'always', 'never' or a bool, not {given!r}.")
