from __future__ import annotations

import pytest

from handfast.core.items import Message


@pytest.fixture
def question() -> Message:
    return Message("user", "hello", {"role": "user", "content": "hello"})
