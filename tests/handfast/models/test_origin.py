"""Marks of where an item came from."""

from __future__ import annotations

import pytest

from handfast.models.origin import MARK, Origin, family, provider_of, shown_url, without_mark

HERE = Origin("api.example.com", "gpt-5")


def test_an_item_knows_who_made_it() -> None:
    item = {"type": "reasoning", MARK: HERE.mark(more=1)}
    assert HERE.made(item)
    assert not Origin("api.example.com", "gpt-5-mini").made(item)
    assert not Origin("other.example.com", "gpt-5").made(item)
    assert not HERE.made({"type": "reasoning"})


def test_models_of_one_family_at_one_provider_are_kin() -> None:
    item = {MARK: Origin("h", "deepseek-chat").mark()}
    assert Origin("h", "deepseek-reasoner").is_kin_of(item)
    assert not Origin("h", "qwen3-max").is_kin_of(item)
    assert not Origin("g", "deepseek-chat").is_kin_of(item)
    assert not HERE.is_kin_of({MARK: "odd"})
    assert not HERE.is_kin_of({MARK: {"provider": "api.example.com", "model": 5}})


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-5-mini", "gpt"),
        ("anthropic/claude-x", "anthropic"),
        ("Qwen3-32B", "qwen"),
        ("4o", "4o"),
        ("", ""),
    ],
)
def test_the_family_of_a_model(model: str, expected: str) -> None:
    assert family(model) == expected


def test_a_provider_goes_by_host_and_port() -> None:
    assert provider_of("https://user:pw@API.example.com/v1") == "api.example.com"
    assert provider_of("http://localhost:8000/v1") == "localhost:8000"


def test_marks_are_taken_off() -> None:
    assert without_mark({"a": 1, MARK: {}}) == {"a": 1}
    item = {"a": 1}
    assert without_mark(item) is item


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://api.example/v1", "https://api.example/v1"),
        ("https://me:secret@api.example:8443/v1?key=secret#secret", "https://api.example:8443/v1"),
        ("http://secret@[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(url: str, shown: str) -> None:
    assert shown_url(url) == shown
