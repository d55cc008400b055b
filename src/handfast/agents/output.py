"""Typed final output: the schema that a model is asked to follow, and reading what it wrote."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping


class AgentOutputSchemaBase(ABC):
    """What an agent's final output looks like; write one to use a schema of your own."""

    @abstractmethod
    def is_plain_text(self) -> bool:
        """True when the output is text, with no schema."""

    @abstractmethod
    def name(self) -> str:
        """A name for the type, for traces and messages."""

    @abstractmethod
    def json_schema(self) -> Mapping[str, object]:
        """The JSON schema that the model is asked to follow.

        Raises:
            UserError: The output is plain text.
        """

    @abstractmethod
    def is_strict_json_schema(self) -> bool:
        """True when the provider shall hold the model to the schema."""

    @abstractmethod
    def validate_json(self, json_str: str) -> object:
        """The value in the model's text.

        Raises:
            ModelBehaviorError: The text holds no value of this type; the message says why.
        """
