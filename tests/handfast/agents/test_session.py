from __future__ import annotations

from typing import Any

import pytest

from handfast import InMemorySession, Session, SessionSettings, UserError
from handfast.agents.session import settings_of


def test_a_session_is_whatever_has_its_methods() -> None:
    assert isinstance(InMemorySession("a"), Session)
    assert not isinstance(object(), Session)


def test_settings_resolve_field_by_field() -> None:
    assert SessionSettings(3).resolve(None) == SessionSettings(3)
    assert SessionSettings(3).resolve(SessionSettings()) == SessionSettings(3)
    assert SessionSettings(3).resolve(SessionSettings(1)) == SessionSettings(1)
    assert SessionSettings(3).resolve({"limit": 1}) == SessionSettings(1)
    with pytest.raises(TypeError, match="limt"):
        SessionSettings(3).resolve({"limt": 1})
    assert SessionSettings(3).to_dict() == {"limit": 3}


def test_settings_can_be_a_mapping() -> None:
    assert settings_of(None) == SessionSettings()
    assert settings_of({"limit": 2}) == SessionSettings(2)


@pytest.mark.parametrize("given", [{"limt": 1}, {"limit": "2"}, {"limit": True}, 7])
def test_settings_that_are_none_are_refused(given: Any) -> None:
    with pytest.raises((TypeError, UserError)):
        settings_of(given)
