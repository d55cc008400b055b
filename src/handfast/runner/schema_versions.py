"""The versions of stored runs, in the words of the OpenAI Agents SDK: text, `major.minor`.

Our own count is one number, `schema_version` in the stored data; it is the major part.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from handfast.core.codec import SCHEMA_VERSION

SCHEMA_VERSION_SUMMARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1.0": "The run as its core knows it, with usage, decisions, session and context.",
    },
)
"""What each version that can be read holds."""

SUPPORTED_SCHEMA_VERSIONS: Final = frozenset(SCHEMA_VERSION_SUMMARIES)
"""The versions that can be read."""

CURRENT_SCHEMA_VERSION: Final = f"{SCHEMA_VERSION}.0"
"""The version that is written."""
