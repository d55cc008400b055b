from __future__ import annotations

import pytest

from handfast.sessions.openai_client import client_of


def test_the_client_that_was_given_is_used_and_one_is_made_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = object()
    assert client_of(given) is given
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert hasattr(client_of(None), "responses")
