"""What a transcript is made of.

Each item holds the few facts that the loop decides by, and `raw`: the provider's own form of the
item, which the core copies and never reads. Reasoning, signatures and kinds of item that nobody
here has heard of survive in it to the byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["user", "assistant", "system", "developer", "tool"]

CallKind: TypeAlias = Literal["function", "agent", "handoff", "unknown"]
"""What a call is answered by: a tool, an agent used as a tool, a change of agent, or nobody."""


@dataclass(frozen=True, slots=True)
class Message:
    """Words: from a user, a developer or a model."""

    role: Role
    """Who speaks."""
    text: str
    """The plain text of it, parts joined; a refusal is not text."""
    raw: object
    """The provider's form."""
    agent: str = ""
    """The agent that produced it; empty for input."""
    refusal: str = ""
    """The model's refusal, where it refused."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A reasoning item: bound to the item that follows it, given back verbatim or not at all."""

    raw: object
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model asks for."""

    call_id: str
    """Never empty and unique in a run: adapters and the loop repair what is not."""
    name: str
    """The name the model used."""
    arguments: str
    """JSON text as the model wrote it; not validated here."""
    raw: object
    agent: str = ""
    kind: CallKind = "function"
    origin: object = None
    """Where the tool comes from, for the program; never read here."""


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a call."""

    call_id: str
    raw: object
    agent: str = ""
    value: object = None
    """What the tool returned, before it was made into text for the model."""
    failed: bool = False
    """True when the answer tells of an error, a refusal or a rejection."""
    custom_data: object = None
    """What the program keeps with the answer; no model sees it."""
    origin: object = None
    """As for the call."""


@dataclass(frozen=True, slots=True)
class HandoffResult:
    """The answer to a handoff call: from here on another agent speaks."""

    call_id: str
    raw: object
    source: str
    target: str

    @property
    def agent(self) -> str:
        """The agent that handed over."""
        return self.source


@dataclass(frozen=True, slots=True)
class Opaque:
    """Anything else that a provider sends: its own tools' items, and kinds not known yet."""

    kind: str
    """The provider's `type`."""
    role: Literal["call", "output", "other"]
    """What it is in a conversation, whatever it is called."""
    raw: object
    agent: str = ""


Item: TypeAlias = Message | Reasoning | Call | Result | HandoffResult | Opaque
