from __future__ import annotations

import pytest

from handfast_inspect.probes.hosting import PROVIDERS, find_provider, provider_of


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("shop.github.io", "GitHub Pages"),
        ("github.io", "GitHub Pages"),
        ("bucket.s3.amazonaws.com", "Amazon S3"),
        ("notgithub.io", None),
        ("github.io.evil.test", None),
        ("", None),
    ],
)
def test_a_provider_is_known_by_whole_labels(name: str, provider: str | None) -> None:
    assert provider_of(name) == provider


def test_every_provider_says_something_that_is_not_found_everywhere() -> None:
    for provider in PROVIDERS:
        assert len(provider.unclaimed) >= 9
        assert find_provider(f"x.{provider.suffixes[0]}") is provider
