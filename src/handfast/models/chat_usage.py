"""Tokens of a chat completion, in the spellings of many servers."""

from __future__ import annotations

from handfast.agents.json_types import is_object
from handfast.agents.usage import InputTokensDetails, OutputTokensDetails, Usage
from handfast.models.json_text import object_in


def chat_usage(usage: object) -> Usage:
    """`Usage` of one request from the words of the chat protocol and its variants."""
    if not is_object(usage):
        return Usage(requests=1)
    prompt = object_in(usage, "prompt_tokens_details")
    completion = object_in(usage, "completion_tokens_details")
    input_tokens = _first_count(usage.get("prompt_tokens"), usage.get("input_tokens"))
    output_tokens = _first_count(usage.get("completion_tokens"), usage.get("output_tokens"))
    return Usage(
        requests=1,
        input_tokens=input_tokens,
        input_tokens_details=InputTokensDetails(
            _first_count(
                prompt.get("cached_tokens"),
                usage.get("prompt_cache_hit_tokens"),
                usage.get("cached_tokens"),
                usage.get("cache_read_input_tokens"),
            ),
            _first_count(
                prompt.get("cache_write_tokens"),
                usage.get("cache_creation_input_tokens"),
            ),
        ),
        output_tokens=output_tokens,
        output_tokens_details=OutputTokensDetails(_first_count(completion.get("reasoning_tokens"))),
        total_tokens=_first_count(usage.get("total_tokens")) or input_tokens + output_tokens,
    )


def _first_count(*values: object) -> int:
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return 0
