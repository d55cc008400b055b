"""What holds for every kind of fact: it is frozen, hashable and survives storage as JSON."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from handfast_inspect.plain_json import from_plain, to_plain

st.register_type_strategy(datetime, st.datetimes(timezones=st.just(UTC)))


T = TypeVar("T")


def records(kind: type[T]) -> st.SearchStrategy[T]:
    """Any record of a kind; times have a zone."""
    return st.from_type(kind)


def assert_survives_storage(kind: type[object]) -> None:
    """Any record of a kind is the same after a way through JSON text."""

    @settings(max_examples=20)
    @given(records(kind))
    def law(fact: object) -> None:
        stored = json.loads(json.dumps(to_plain(fact)))
        assert from_plain(kind, stored) == fact
        assert hash(fact) == hash(from_plain(kind, stored))

    law()


def assert_is_a_fact(kind: type[object]) -> None:
    """A fact says where it was seen and what proves it, and cannot be changed."""
    assert is_dataclass(kind)
    names = [field.name for field in fields(kind)]
    assert names[:2] == ["asset", "evidence"]
    assert "__slots__" in vars(kind)
