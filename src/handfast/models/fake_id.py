"""The id of an item that no provider has named. The OpenAI Agents SDK keeps the name here."""

from __future__ import annotations

from handfast.agents.raw import FAKE_RESPONSES_ID

__all__ = ["FAKE_RESPONSES_ID"]
