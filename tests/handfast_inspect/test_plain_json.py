from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast.errors import UserError
from handfast_inspect.plain_json import from_plain, to_plain


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Outer:
    kind: Literal["a", "b"]
    colour: Colour
    at: datetime
    inner: Inner | None
    pair: tuple[str, int]
    many: tuple[Inner, ...] = ()
    on: bool = False
    count: int | None = None


NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PLAIN: dict[str, object] = {
    "kind": "a",
    "colour": "red",
    "at": "2026-05-01T12:00:00Z",
    "inner": {"name": "x", "share": 1},
    "pair": ["y", 2],
    "many": [{"name": "z", "share": 0.25}],
    "on": True,
    "count": None,
}
RECORD = Outer("a", Colour.RED, NOON, Inner("x", 1), ("y", 2), (Inner("z", 0.25),), on=True)


def test_a_record_becomes_plain_values_and_back() -> None:
    assert to_plain(RECORD) == PLAIN
    assert from_plain(Outer, PLAIN) == RECORD


def test_times_are_stored_in_utc() -> None:
    there = datetime(2026, 5, 1, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    assert to_plain(there) == "2026-05-01T12:00:00Z"


def test_fields_with_a_default_may_be_missing() -> None:
    small = {key: PLAIN[key] for key in ("kind", "colour", "at", "inner", "pair")}
    assert from_plain(Outer, small).many == ()


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"kind": "c"}, "$.kind"),
        ({"colour": "blue"}, "$.colour"),
        ({"colour": 3}, "$.colour"),
        ({"at": "yesterday"}, "$.at"),
        ({"at": "2026-05-01T12:00:00"}, "$.at"),
        ({"at": 5}, "$.at"),
        ({"inner": []}, "$.inner"),
        ({"inner": {"name": 1}}, "$.inner.name"),
        ({"inner": {"name": "x", "share": True}}, "$.inner.share"),
        ({"inner": {}}, "a field name"),
        ({"pair": ["y"]}, "$.pair"),
        ({"pair": ["y", "2"]}, "$.pair[1]"),
        ({"many": {}}, "$.many"),
        ({"many": [{"name": "z"}, 3]}, "$.many[1]"),
        ({"on": 1}, "$.on"),
        ({"count": True}, "$.count"),
        ({"count": "3"}, "$.count"),
        ({"extra": 1}, "no field extra"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_path(
    change: dict[str, object], path: str
) -> None:
    with pytest.raises(UserError) as caught:
        from_plain(Outer, PLAIN | change)
    assert path in str(caught.value)


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(UserError, match=r"\$: expected an object"):
        from_plain(Outer, [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=80)
@given(st.sampled_from(sorted(PLAIN)), JSON)
def test_any_json_is_a_record_or_a_user_error(key: str, value: object) -> None:
    try:
        record = from_plain(Outer, PLAIN | {key: value})
    except UserError:
        return
    assert from_plain(Outer, to_plain(record)) == record
