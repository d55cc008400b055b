from __future__ import annotations

from typing import Any

from handfast import ToolOutputText
from handfast.runner.as_returned import as_returned


class Own:
    """A program's own value, which must not be copied."""

    def __deepcopy__(self, memo: object) -> Own:
        raise AssertionError("copied")


def test_later_changes_to_containers_do_not_reach_the_copy() -> None:
    value: dict[str, Any] = {"list": [1], "tuple": ([2],), "set": {3}, "part": ToolOutputText("a")}
    copy: Any = as_returned(value)
    value["list"].append(0)
    value["tuple"][0].append(0)
    value["set"].add(0)
    value["part"].text = "b"
    assert copy == {"list": [1], "tuple": ([2],), "set": {3}, "part": ToolOutputText("a")}


def test_a_programs_own_objects_are_kept_as_they_are() -> None:
    own = Own()
    copy: Any = as_returned([own, (own,)])
    assert copy[0] is own
    assert copy[1][0] is own


def test_containers_that_hold_themselves_still_do() -> None:
    mapping: dict[str, Any] = {}
    mapping["children"] = [(mapping,)]
    copy: Any = as_returned((mapping,))
    assert copy[0] is not mapping
    assert copy[0]["children"][0][0] is copy[0]
    around: Any = ([],)
    around[0].append(around)
    again: Any = as_returned(around)
    assert again[0][0] is again


def test_a_value_that_is_nested_too_deeply_is_kept() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert as_returned(deep) is deep
