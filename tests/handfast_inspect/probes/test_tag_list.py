from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.tag_list import MAX_TAGS, has_version, read_tags, tag_value


def test_tags_keep_their_order_and_their_values_as_written() -> None:
    tags = read_tags("v=DMARC1; P = Reject ;rua=mailto:a@b.test?x=y;; flag")
    assert tags == (
        ("v", "DMARC1"),
        ("p", "Reject"),
        ("rua", "mailto:a@b.test?x=y"),
        ("flag", ""),
    )
    assert tag_value(tags, "p") == "Reject"
    assert tag_value(tags, "sp") is None


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("v=DMARC1; p=none", True),
        ("v = DMARC1;p=none", True),
        ("v=DMARC1", True),
        ("v=dmarc1; p=none", False),
        ("v=DMARC10; p=none", False),
        ("p=none; v=DMARC1", False),
        ("DMARC1", False),
        ("", False),
    ],
)
def test_a_version_stands_first_and_is_spelt_exactly(record: str, *, expected: bool) -> None:
    assert has_version(record, "DMARC1") is expected


@given(st.text(max_size=300))
def test_any_text_is_a_list(record: str) -> None:
    assert len(read_tags(record)) <= MAX_TAGS
    has_version(record, "STSv1")
