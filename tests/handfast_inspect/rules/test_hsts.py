from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.rules.hsts import Hsts, InvalidHsts, parse_hsts


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("max-age=31536000", Hsts(31536000, include_subdomains=False, preload=False)),
        ("max-age=1; includeSubDomains", Hsts(1, include_subdomains=True, preload=False)),
        ("MAX-AGE=1;INCLUDESUBDOMAINS;PRELOAD", Hsts(1, include_subdomains=True, preload=True)),
        ('max-age="600"', Hsts(600, include_subdomains=False, preload=False)),
        (" max-age = 5 ; ; preload ;", Hsts(5, include_subdomains=False, preload=True)),
        ("max-age=0", Hsts(0, include_subdomains=False, preload=False)),
        ("max-age=1; unknown=3; other", Hsts(1, include_subdomains=False, preload=False)),
    ],
)
def test_valid_headers_are_understood(value: str, expected: Hsts) -> None:
    assert parse_hsts(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        "includeSubDomains",
        "max-age",
        "max-age=",
        "max-age=-1",
        "max-age=1.5",
        "max-age=forever",
        "max-age=1; max-age=1",
        "max-age=1; includeSubDomains; includesubdomains",
        "max-age=1; includeSubDomains=true",
        "max-age=1, max-age=2",
        "max age=1",
        'max-age="1',
        "max-age=９",
    ],
)
def test_invalid_headers_are_ignored_by_browsers(value: str) -> None:
    assert isinstance(parse_hsts(value), InvalidHsts)


@given(st.text())
def test_any_header_is_a_policy_or_invalid(value: str) -> None:
    assert isinstance(parse_hsts(value), Hsts | InvalidHsts)


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
def test_what_is_written_is_read(age: int, subdomains: bool, preload: bool) -> None:  # noqa: FBT001 - drawn
    text = f"max-age={age}" + "; includeSubDomains" * subdomains + "; preload" * preload
    assert parse_hsts(text) == Hsts(age, include_subdomains=subdomains, preload=preload)
