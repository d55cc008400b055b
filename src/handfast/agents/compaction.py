"""`OpenAIResponsesCompactionAwareSession`: a session that can make itself shorter."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias, runtime_checkable

from typing_extensions import TypedDict, TypeIs

from handfast.agents.session import Session

CompactionMode: TypeAlias = Literal["previous_response_id", "input", "auto"]


class OpenAIResponsesCompactionArgs(TypedDict, total=False):
    """What a compaction is asked for."""

    response_id: str
    """The response that the conversation ends with, where the provider keeps it."""
    compaction_mode: CompactionMode
    store: bool
    """Whether the provider was asked to keep that response; absent where nobody said."""
    force: bool
    """Shorten it though it is not long."""


@runtime_checkable
class OpenAIResponsesCompactionAwareSession(Session, Protocol):
    """A session that a run asks to shorten itself, once it has the run's output."""

    async def run_compaction(self, args: OpenAIResponsesCompactionArgs | None = None) -> None:
        """Shorten the conversation, where it is long enough or that is forced."""
        ...


def is_openai_responses_compaction_aware_session(
    session: Session | None,
) -> TypeIs[OpenAIResponsesCompactionAwareSession]:
    """Whether a session has a `run_compaction` that can be called."""
    return callable(getattr(session, "run_compaction", None))
