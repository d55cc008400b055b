from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.sts_policy import MAX_PATTERNS, StsPolicy, read_sts_policy

GOOD = (
    "version: STSv1\r\nmode: enforce\r\nmx: mail.site.test\r\nmx: *.site.test\r\n"
    "max_age: 604800\r\n"
)


def test_a_policy_is_read() -> None:
    assert read_sts_policy(GOOD, ("e:1",)) == StsPolicy(
        "enforce", ("mail.site.test", "*.site.test"), 604800, evidence=("e:1",)
    )


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        (GOOD.replace("STSv1", "STSv2"), "version"),
        ("", "version"),
        (GOOD.replace("enforce", "sometimes"), "mode"),
        (GOOD.replace("604800", "-1"), "max_age"),
        (GOOD.replace("604800", "9" * 11), "max_age"),
        (GOOD.replace("mx:", "my:"), "no mx"),
        ("<html>not a policy</html>", "version"),
    ],
)
def test_what_makes_a_policy_unusable_is_named(changed: str, error: str) -> None:
    assert error in read_sts_policy(changed).error


def test_mode_none_needs_no_mx() -> None:
    assert read_sts_policy("version:STSv1\nmode:none\nmax_age:1").error == ""


def test_of_repeated_fields_the_first_counts() -> None:
    assert read_sts_policy("version: STSv1\nmode: none\nmode: enforce\nmax_age: 1").mode == "none"


def test_patterns_are_capped() -> None:
    assert len(read_sts_policy(GOOD + "mx: a\n" * 500).mx) == MAX_PATTERNS


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    read_sts_policy(text)
