from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from handfast.agents.model_settings import MCPToolChoice, ModelSettings
from handfast.agents.retry_settings import ModelRetryBackoffSettings, ModelRetrySettings


def test_an_override_replaces_what_it_sets_and_nothing_else() -> None:
    settings = ModelSettings(temperature=0.1, max_tokens=100)
    resolved = settings.resolve(ModelSettings(temperature=0.9))
    assert (resolved.temperature, resolved.max_tokens) == (0.9, 100)
    assert settings.temperature == 0.1


def test_an_override_can_be_a_mapping() -> None:
    assert ModelSettings().resolve({"top_p": 0.5}).top_p == 0.5


def test_without_an_override_the_settings_are_the_same() -> None:
    settings = ModelSettings(temperature=0.1)
    assert settings.resolve(None) is settings
    assert settings.resolve(ModelSettings()) is settings


def test_false_and_0_are_settings() -> None:
    settings = ModelSettings(parallel_tool_calls=True, temperature=1.0)
    resolved = settings.resolve(ModelSettings(parallel_tool_calls=False, temperature=0.0))
    assert (resolved.parallel_tool_calls, resolved.temperature) == (False, 0.0)


def test_extra_arguments_are_merged_key_by_key() -> None:
    settings = ModelSettings(extra_args={"seed": 1, "stop": "x"})
    resolved = settings.resolve(ModelSettings(extra_args={"seed": 2}))
    assert resolved.extra_args == {"seed": 2, "stop": "x"}
    assert settings.extra_args == {"seed": 1, "stop": "x"}


def test_other_mappings_are_replaced_whole() -> None:
    settings = ModelSettings(metadata={"a": "1"}, extra_headers={"b": "2"})
    resolved = settings.resolve(ModelSettings(metadata={"c": "3"}))
    assert (resolved.metadata, resolved.extra_headers) == ({"c": "3"}, {"b": "2"})


def test_retries_are_merged_too() -> None:
    settings = ModelSettings(retry=ModelRetrySettings(max_retries=2))
    resolved = settings.resolve({"retry": {"backoff": {"initial_delay": 1.0}}})
    assert resolved.retry is not None
    assert resolved.retry.max_retries == 2
    assert resolved.retry.backoff == ModelRetryBackoffSettings(initial_delay=1.0)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"temprature": 1}, "temprature"),
        ({"retry": {"max_tries": 1}}, "max_tries"),
        ({"context_management": [{"type": "compaction", "threshold": 1}]}, "threshold"),
    ],
)
def test_a_misspelt_setting_is_named(given: dict[str, object], named: str) -> None:
    with pytest.raises(TypeError, match=named):
        ModelSettings.of(given)


def test_reasoning_given_as_a_mapping_can_be_read_as_an_object() -> None:
    assert ModelSettings(reasoning={"effort": "low"}).reasoning.effort == "low"


def test_stored_settings_are_json() -> None:
    settings = ModelSettings(
        tool_choice=MCPToolChoice("files", "read"),
        reasoning={"effort": "low"},
        retry=ModelRetrySettings(max_retries=1, policy=bool),
    )
    stored = json.loads(json.dumps(settings.to_json_dict()))
    assert stored["tool_choice"] == {"server_label": "files", "name": "read"}
    assert stored["reasoning"] == {"effort": "low"}
    assert stored["retry"]["max_retries"] == 1
    assert "policy" not in stored["retry"]


def test_a_trace_is_not_told_what_may_hold_secrets() -> None:
    settings = ModelSettings(
        extra_headers={"Authorization": "x"},
        extra_body={"key": "x"},
        extra_query={"key": "x"},
        extra_args={"key": "x"},
        temperature=0.5,
    )
    traced = settings.to_traceable_dict()
    assert traced["temperature"] == 0.5
    assert traced.keys().isdisjoint({"extra_headers", "extra_body", "extra_query", "extra_args"})


@pytest.mark.parametrize("timeout", [0, -0.1, float("inf"), float("nan")])
def test_a_deadline_that_never_or_always_passes_is_refused(timeout: float) -> None:
    with pytest.raises(ValidationError):
        ModelSettings(timeout=timeout)
