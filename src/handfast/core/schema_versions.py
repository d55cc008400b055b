"""The versions of stored runs, `major.minor`: what each holds, and the way from each to the next.

The minor part is raised where data is added that an earlier version did without, the major part
where data changes its form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias, TypeGuard

from handfast.errors import UserError

VERSION_KEY: Final = "$schemaVersion"
"""Where a stored run says its version."""

SCHEMA_VERSION_SUMMARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1.0": "The run as its core knows it, with usage, decisions, session and context; the "
        "version is a number, `schema_version`.",
        "1.1": "What stays of a turn that failed, and whether results wait for output checks; the "
        "prompt cache key; the version is text, `$schemaVersion`.",
        "1.2": "Where the tools of calls come from, and what they keep for the program; "
        "how far agents used as tools had got; what a handoff carries to its receiver.",
    },
)
"""What each version that can be read holds, oldest first."""

SUPPORTED_SCHEMA_VERSIONS: Final = frozenset(SCHEMA_VERSION_SUMMARIES)
"""The versions that can be read."""

CURRENT_SCHEMA_VERSION: Final = tuple(SCHEMA_VERSION_SUMMARIES)[-1]
"""The version that is written."""

Migration: TypeAlias = Callable[[dict[str, object]], dict[str, object]]
"""Makes the data of one version that of the next."""


def _with_text_version(data: dict[str, object]) -> dict[str, object]:
    # What is new has a default that says what the older run did.
    return {key: value for key, value in data.items() if key != "schema_version"}


MIGRATIONS: Final[Mapping[str, Migration]] = MappingProxyType(
    {"1.0": _with_text_version, "1.1": dict},
)
"""By the version that it leads away from."""


def to_current(data: object) -> dict[str, object]:
    """Stored data of any version that can be read, as the current version has it.

    Args:
        data: Parsed JSON.

    Raises:
        UserError: The data is no stored run, or one of a version that this handfast cannot read.
    """
    if not _is_object(data):
        raise UserError("This is not a stored run: it is no JSON object.")
    version = _version_of(data)
    if "run" not in data:
        raise UserError("This is not a run that handfast stored: it has no `run`.")
    record, order = dict(data), tuple(SCHEMA_VERSION_SUMMARIES)
    for earlier in order[order.index(version) : -1]:
        record = MIGRATIONS[earlier](record)
    record[VERSION_KEY] = CURRENT_SCHEMA_VERSION
    return record


def _version_of(data: Mapping[str, object]) -> str:
    version = data.get(VERSION_KEY)
    number = data.get("schema_version")
    if version is None and isinstance(number, int) and not isinstance(number, bool):
        version = f"{number}.0"
    if version is None:
        raise UserError("Run state is missing schema version: this is not a stored run.")
    if not isinstance(version, str) or version not in SUPPORTED_SCHEMA_VERSIONS:
        raise UserError(
            f"Run state schema version is not supported: {version!r}. This handfast reads "
            f"{', '.join(SCHEMA_VERSION_SUMMARIES)}. Upgrade handfast to resume a newer run.",
        )
    return version


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
