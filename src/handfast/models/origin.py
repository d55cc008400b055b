"""Where an item came from, so that what only its maker understands goes back there alone.

Adapters write the mark under `provider_data` of the items they hand out and take it off again
before they send. Reasoning, signatures and encrypted content are refused, or worse, misread, by
any other provider and often by another model of the same one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from handfast.agents.json_types import is_object

MARK = "provider_data"
"""The key of a wire item that adapters own; never sent to a provider."""

_FAMILY = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Origin:
    """The provider and model behind one adapter."""

    provider: str
    """Host and port of the provider's address."""
    model: str
    """The model's name, as requested."""

    def mark(self, **facts: object) -> dict[str, object]:
        """The value of `provider_data` for an item made here, with further facts about it."""
        return {"provider": self.provider, "model": self.model, **facts}

    def made(self, item: Mapping[str, object]) -> bool:
        """True when this very provider and model made the item."""
        mark = item.get(MARK)
        return (
            is_object(mark)
            and mark.get("provider") == self.provider
            and mark.get("model") == self.model
        )

    def is_kin_of(self, item: Mapping[str, object]) -> bool:
        """True when this provider made the item with a model of the same family."""
        mark = item.get(MARK)
        if not is_object(mark) or mark.get("provider") != self.provider:
            return False
        model = mark.get("model")
        return isinstance(model, str) and family(model) == family(self.model)


def provider_of(base_url: str) -> str:
    """The name that an address goes by in marks: host and port."""
    return urlsplit(base_url).netloc.rpartition("@")[2].lower()


def shown_url(base_url: str) -> str:
    """An address as people may see it: without user, password and query, which can hold keys."""
    parts = urlsplit(base_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def family(model: str) -> str:
    """The line a model belongs to: `anthropic` for `anthropic/claude-x`, `gpt` for `gpt-5-mini`."""
    vendor, slash, _ = model.lower().partition("/")
    if slash:
        return vendor
    leading = _FAMILY.match(vendor)
    return leading[0] if leading else vendor


def without_mark(item: Mapping[str, object]) -> Mapping[str, object]:
    """The item as a provider may see it."""
    if MARK not in item:
        return item
    return {key: value for key, value in item.items() if key != MARK}
