from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from handfast.agents.retry_settings import ModelRetryBackoffSettings, ModelRetrySettings


def test_settings_come_from_a_mapping() -> None:
    made = ModelRetrySettings.of({"max_retries": 3, "backoff": {"multiplier": 2.0}})
    assert made == ModelRetrySettings(3, ModelRetryBackoffSettings(multiplier=2.0))


@pytest.mark.parametrize(
    ("given", "place"),
    [({"retries": 3}, "in retry: retries"), ({"backoff": {"max": 3}}, "in retry.backoff: max")],
)
def test_a_misspelt_setting_is_named_with_its_place(given: dict[str, object], place: str) -> None:
    with pytest.raises(TypeError, match=place):
        ModelRetrySettings.of(given)


def test_an_override_replaces_what_it_sets_field_by_field() -> None:
    settings = ModelRetrySettings(3, ModelRetryBackoffSettings(initial_delay=1.0, jitter=True))
    override = ModelRetrySettings(0, ModelRetryBackoffSettings(jitter=False))
    resolved = settings.resolve(override)
    assert resolved.max_retries == 0
    assert resolved.backoff == ModelRetryBackoffSettings(initial_delay=1.0, jitter=False)
    assert settings.backoff == ModelRetryBackoffSettings(initial_delay=1.0, jitter=True)


def test_an_override_without_a_policy_keeps_the_policy() -> None:
    def policy(_context: object) -> bool:
        return True

    assert ModelRetrySettings(policy=policy).resolve(ModelRetrySettings(1)).policy is policy


def test_a_policy_is_not_stored() -> None:
    settings = ModelRetrySettings(1, ModelRetryBackoffSettings(max_delay=4.0), bool)
    stored = json.loads(json.dumps(settings.to_json_dict()))
    assert ModelRetrySettings.of(stored) == ModelRetrySettings(1, settings.backoff)


@pytest.mark.parametrize("name", ["initial_delay", "max_delay", "multiplier"])
def test_a_negative_wait_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        ModelRetrySettings.of({"backoff": {name: -0.1}})
    assert ModelRetrySettings.of({"backoff": {name: 0}}).backoff is not None


def test_a_negative_number_of_retries_is_refused() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        ModelRetrySettings(max_retries=-1)
