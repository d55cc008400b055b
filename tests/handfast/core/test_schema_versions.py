from __future__ import annotations

import pytest

from handfast.core.schema_versions import (
    CURRENT_SCHEMA_VERSION,
    MIGRATIONS,
    SCHEMA_VERSION_SUMMARIES,
    SUPPORTED_SCHEMA_VERSIONS,
    to_current,
)
from handfast.errors import UserError


def test_what_is_written_can_be_read() -> None:
    assert CURRENT_SCHEMA_VERSION in SUPPORTED_SCHEMA_VERSIONS


def test_each_version_says_what_it_holds() -> None:
    assert frozenset(SCHEMA_VERSION_SUMMARIES) == SUPPORTED_SCHEMA_VERSIONS
    assert all(SCHEMA_VERSION_SUMMARIES.values())


def test_every_earlier_version_has_its_migration() -> None:
    assert set(MIGRATIONS) == SUPPORTED_SCHEMA_VERSIONS - {CURRENT_SCHEMA_VERSION}


def test_the_first_version_becomes_the_current_one_and_is_not_changed() -> None:
    first: dict[str, object] = {"schema_version": 1, "run": {"_": "RunState"}, "agent": "a"}
    assert to_current(first) == {
        "$schemaVersion": CURRENT_SCHEMA_VERSION,
        "run": {"_": "RunState"},
        "agent": "a",
    }
    assert first["schema_version"] == 1
    assert to_current(to_current(first)) == to_current(first)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "no JSON object"),
        ({"run": {}}, "missing schema version"),
        ({"$schemaVersion": CURRENT_SCHEMA_VERSION}, "no `run`"),
        ({"$schemaVersion": "99.0", "run": {}}, "'99.0'.*Upgrade handfast"),
        ({"$schemaVersion": 1, "run": {}}, "not supported"),
        ({"$schemaVersion": None, "schema_version": True, "run": {}}, "missing schema version"),
        ({"schema_version": 0, "run": {}}, "not supported"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: object, told: str) -> None:
    with pytest.raises(UserError, match=told):
        to_current(data)
