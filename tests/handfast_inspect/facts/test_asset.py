from __future__ import annotations

from handfast_inspect.facts.asset import Asset
from stored_facts import assert_survives_storage


def test_an_asset_survives_storage() -> None:
    assert_survives_storage(Asset)


def test_assets_are_equal_when_all_their_parts_are() -> None:
    assert Asset("a.test", "192.0.2.1", 443) == Asset("a.test", "192.0.2.1", 443)
    assert Asset("a.test", port=443) != Asset("a.test", port=80)
