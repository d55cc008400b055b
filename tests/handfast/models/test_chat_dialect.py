"""What servers of the chat protocol do differently."""

from __future__ import annotations

from handfast.models.chat_dialect import LOCAL, OPENAI, ChatDialect


def test_local_servers_always_get_a_limit_on_output() -> None:
    assert LOCAL.default_max_tokens == 4096
    assert ChatDialect().default_max_tokens is None


def test_openai_has_its_own_name_for_the_limit() -> None:
    assert OPENAI.max_tokens_key == "max_completion_tokens"
    assert ChatDialect().max_tokens_key == "max_tokens"
