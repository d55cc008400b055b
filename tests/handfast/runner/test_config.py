from __future__ import annotations

from typing import Any, cast

import pytest

from handfast import ModelSettings, MultiProvider, RunConfig, SessionSettings, UserError
from handfast.runner.config import TRACED, ToolExecutionConfig


def test_a_config_can_be_a_mapping_of_its_fields() -> None:
    config = RunConfig.of({"workflow_name": "w", "max_calls": 3})
    assert (config.workflow_name, config.max_calls) == ("w", 3)
    assert RunConfig.of(config) is config
    assert RunConfig.of(None).workflow_name == "Agent workflow"


def test_unknown_settings_are_named() -> None:
    with pytest.raises(TypeError, match="Unknown run_config settings: colour, sise"):
        RunConfig.of({"sise": 1, "colour": 2})


def test_every_limit_is_finite_by_default() -> None:
    config = RunConfig()
    limits = (config.max_calls, config.max_tokens, config.model_timeout, config.tool_timeout)
    assert None not in limits


@pytest.mark.parametrize("limit", [0, -1])
def test_a_concurrency_below_one_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ToolExecutionConfig(max_function_tool_concurrency=limit)


def test_settings_that_cannot_work_are_refused_at_once() -> None:
    with pytest.raises(UserError, match="tool_not_found_behavior"):
        RunConfig(tool_not_found_behavior=cast("Any", "explode"))
    with pytest.raises(ValueError, match="tool_name_collision_policy"):
        RunConfig(tool_name_collision_policy=cast("Any", "explode"))
    with pytest.raises(UserError, match="choose_sandbox"):
        RunConfig(sandbox=cast("Any", {"cwd": "a"}))
    with pytest.raises(UserError, match="nothing stands in"):
        RunConfig(output_guardrail_blocked_message=cast("Any", "withheld"))
    with pytest.raises(UserError, match="not callable"):
        RunConfig(handoff_input_filter=cast("Any", "filter"))


def test_settings_inside_may_be_mappings_of_their_fields() -> None:
    given: Any = {"model_settings": {"temperature": 0.0}, "session_settings": {"limit": 5}}
    config = RunConfig(**given, tool_execution=cast("Any", {"max_function_tool_concurrency": 2}))
    assert config.model_settings == ModelSettings(temperature=0.0)
    assert config.session_settings == SessionSettings(5)
    assert config.tool_execution == ToolExecutionConfig(2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model_settings": {"temperatur": 0.2}}, "Unknown model settings: temperatur"),
        ({"session_settings": {"limitt": 2}}, "Unknown session settings: limitt"),
        ({"tool_execution": {"max": 2}}, "Unknown run_config.tool_execution settings: max"),
        ({"tool_execution": 2}, "run_config.tool_execution must be a ToolExecutionConfig or"),
    ],
)
def test_unknown_settings_inside_are_named(settings: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        RunConfig(**settings)


def test_a_flag_of_the_tools_is_a_bool() -> None:
    with pytest.raises(ValueError, match="pre_approval_tool_input_guardrails must be a bool"):
        ToolExecutionConfig(pre_approval_tool_input_guardrails=cast("Any", "true"))


def test_fields_can_be_given_by_position_in_the_order_of_the_sdk() -> None:
    begin: Any = (None, MultiProvider(), None, None, False, None, None, None, False, None, True)
    names: Any = ("w", "t", "g", {"k": "v"}, None, None, None, SessionSettings(3), "omit", None)
    given = (*begin, *names, ToolExecutionConfig(2), "raise_error", "error")
    config = RunConfig(*cast("Any", given))
    assert (config.workflow_name, config.group_id, config.trace_metadata) == ("w", "g", {"k": "v"})
    assert config.session_settings == SessionSettings(3)
    assert config.reasoning_item_id_policy == "omit"
    assert config.tool_execution == ToolExecutionConfig(2)
    assert config.tool_name_collision_policy == "error"


@pytest.mark.parametrize(("value", "told"), [("1", True), ("Yes", True), ("off", False)])
def test_the_environment_says_whether_traces_tell_inputs_and_outputs(
    value: str, monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    monkeypatch.delenv(TRACED, raising=False)
    assert RunConfig().trace_include_sensitive_data is True
    monkeypatch.setenv(TRACED, value)
    assert RunConfig().trace_include_sensitive_data is told
    assert RunConfig(trace_include_sensitive_data=not told).trace_include_sensitive_data is not told
