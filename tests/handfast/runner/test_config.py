from __future__ import annotations

from typing import Any, cast

import pytest

from handfast import RunConfig, UserError
from handfast.runner.config import ToolExecutionConfig


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
    with pytest.raises(UserError, match="not callable"):
        RunConfig(handoff_input_filter=cast("Any", "filter"))
