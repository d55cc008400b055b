from __future__ import annotations

from types import MappingProxyType

from handfast.agents.json_types import canonical, is_array, is_object


def test_mappings_are_objects_and_lists_are_arrays() -> None:
    assert is_object({"a": 1})
    assert is_object(MappingProxyType({"a": 1}))
    assert not is_object([])
    assert is_array([])
    assert not is_array(())
    assert not is_array("a")


def test_one_text_stands_for_what_a_json_text_says() -> None:
    assert canonical('{ "b":1, "a":[true] }') == canonical('{"a": [true], "b": 1}')
    assert canonical('{"a": 1}') != canonical('{"a": true}')
    assert canonical("{") == "{"
