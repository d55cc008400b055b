from __future__ import annotations

from handfast import (
    InMemorySession,
    OpenAIResponsesCompactionArgs,
    OpenAIResponsesCompactionAwareSession,
    is_openai_responses_compaction_aware_session,
)


class Shortens(InMemorySession):
    async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
        del args


def test_a_session_that_can_shorten_itself_is_told_from_others() -> None:
    assert is_openai_responses_compaction_aware_session(Shortens("s"))
    assert isinstance(Shortens("s"), OpenAIResponsesCompactionAwareSession)
    assert not is_openai_responses_compaction_aware_session(InMemorySession("s"))
    assert not is_openai_responses_compaction_aware_session(None)
