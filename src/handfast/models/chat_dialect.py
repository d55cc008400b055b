"""`ChatDialect`: what one server of the chat completions protocol does differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

StructuredOutput: TypeAlias = Literal["json_schema", "json_object", "prompt"]
"""How a typed output is asked for.

`json_schema` hands the server the schema. `json_object` asks it for any JSON object and tells the
model the schema in the instructions. `prompt` only tells the model.
"""


@dataclass(frozen=True, slots=True)
class ChatDialect:
    """The differences that matter when a request is written; the defaults suit most servers."""

    max_tokens_key: str = "max_tokens"
    """The name of the limit on output tokens; OpenAI has renamed its own."""
    default_max_tokens: int | None = None
    """Sent where the user sets none: local servers generate without end otherwise."""
    structured_output: StructuredOutput = "json_schema"
    """How a typed output is asked for."""
    developer_role: bool = False
    """True when messages may have the role `developer`; it becomes `system` otherwise."""
    refusal_field: bool = False
    """True when a refusal goes back under its own key; it goes back as text otherwise."""
    strict_tools: bool = True
    """True when a tool may say `strict`."""
    call_id_length: int | None = None
    """The exact length that call ids must have, in letters and digits; None takes any."""
    reasoning_object: bool = False
    """True when `ModelSettings.reasoning` goes out as it is; else only its effort does."""
    usage_in_stream: bool = True
    """True when a stream may be asked for its usage."""


LOCAL = ChatDialect(default_max_tokens=4096)
"""Servers on one's own machine."""

OPENAI = ChatDialect(
    max_tokens_key="max_completion_tokens",
    developer_role=True,
    refusal_field=True,
)
"""OpenAI itself, and Azure."""
