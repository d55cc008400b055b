"""The id of an item that no provider has named. The OpenAI Agents SDK keeps the name here."""

from __future__ import annotations

from typing import Final

FAKE_RESPONSES_ID: Final = "__fake_id__"
"""An item with this id is sent without it: it would be looked up in vain."""

__all__ = ["FAKE_RESPONSES_ID"]
