"""What the fields of an `Agent` may be: its constructor's checks, cheap for the usual types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast, get_origin

from handfast.agents.hooks import AgentHooksBase
from handfast.agents.model import Model
from handfast.agents.model_settings import ModelSettings
from handfast.agents.output import AgentOutputSchemaBase
from handfast.agents.tool_use import is_tool_use_behavior


class _Rule(NamedTuple):
    name: str
    quick: frozenset[type]
    """Types that need no further look."""
    accepts: Callable[[object], bool]
    expected: str


def check_fields(agent: object) -> None:
    """Refuse a field whose type cannot work.

    Raises:
        TypeError: The first such field, and what it may be.
    """
    values = vars(agent)
    for name, quick, accepts, expected in _RULES:
        value = values[name]
        if type(value) not in quick and not accepts(value):
            raise TypeError(f"Agent {name} must be {expected}, got {type(value).__name__}")


def model_settings_of(given: object) -> object:
    """Model settings given as a dict, made into `ModelSettings`; anything else as it is.

    Raises:
        TypeError: The dict has a key that is no setting.
    """
    if not isinstance(given, dict):
        return given
    return ModelSettings.of(cast("dict[str, object]", given))


def _no_other(value: object) -> bool:  # noqa: ARG001 - the signature of a rule
    return False


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _is_text_or_callable(value: object) -> bool:
    return isinstance(value, str) or callable(value)


def _is_mapping_or_callable(value: object) -> bool:
    return isinstance(value, Mapping) or callable(value)


def _is_model(value: object) -> bool:
    return isinstance(value, str | Model)


def _is_settings(value: object) -> bool:
    return isinstance(value, ModelSettings)


def _is_output_type(value: object) -> bool:
    return isinstance(value, type | AgentOutputSchemaBase) or get_origin(value) is not None


def _is_hooks(value: object) -> bool:
    return isinstance(value, AgentHooksBase)


_NONE = type(None)
_LIST = frozenset[type]({list})
_TEXT_OR_NONE = frozenset[type]({str, _NONE})
_HOOKS = "an AgentHooks instance or None"
_OUTPUT = "a type, AgentOutputSchemaBase, or None"
_BEHAVIOR = "'run_llm_again', 'stop_on_first_tool', StopAtTools dict, or callable"

_RULES = (
    _Rule("name", frozenset({str}), _is_text, "a string"),
    _Rule("handoff_description", _TEXT_OR_NONE, _is_text, "a string or None"),
    _Rule("tools", _LIST, _is_list, "a list"),
    _Rule("mcp_servers", _LIST, _is_list, "a list"),
    _Rule("mcp_config", frozenset({dict}), _is_dict, "a dict"),
    _Rule(
        "instructions",
        _TEXT_OR_NONE,
        _is_text_or_callable,
        "a string, callable, or None",
    ),
    _Rule(
        "prompt",
        frozenset[type]({_NONE, dict}),
        _is_mapping_or_callable,
        "a Prompt mapping, callable, or None",
    ),
    _Rule("handoffs", _LIST, _is_list, "a list"),
    _Rule("model", _TEXT_OR_NONE, _is_model, "a string, Model, or None"),
    _Rule(
        "model_settings",
        frozenset({ModelSettings}),
        _is_settings,
        "a ModelSettings instance or a dict",
    ),
    _Rule("input_guardrails", _LIST, _is_list, "a list"),
    _Rule("output_guardrails", _LIST, _is_list, "a list"),
    _Rule("output_type", frozenset[type]({_NONE, type}), _is_output_type, _OUTPUT),
    _Rule("hooks", frozenset[type]({_NONE}), _is_hooks, _HOOKS),
    _Rule("tool_use_behavior", frozenset[type](), is_tool_use_behavior, _BEHAVIOR),
    _Rule("reset_tool_choice", frozenset({bool}), _no_other, "a boolean"),
)
