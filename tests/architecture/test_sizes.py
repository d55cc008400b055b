"""A file is one idea and a function fits on a screen; the exceptions are few, named and needed."""

from __future__ import annotations

from architecture.figures import functions, is_door, sources

LARGEST_FILE = 400
LONGEST_FUNCTION = 40

LARGE_FILES: dict[str, str] = {}
"""Files that may have more code lines, each with the reason."""

LONG_FUNCTIONS: dict[str, str] = {}
"""Functions that may have more code lines, each with the reason."""


def too_large() -> set[str]:
    return {
        module.where
        for module in sources()
        if len(module.code) > LARGEST_FILE and not is_door(module)
    }


def too_long() -> set[str]:
    return {
        body.name
        for module in sources()
        for body in functions(module)
        if body.lines > LONGEST_FUNCTION
    }


def test_no_file_is_larger_than_one_idea() -> None:
    assert sorted(too_large() - LARGE_FILES.keys()) == []


def test_no_function_is_longer_than_a_screen() -> None:
    assert sorted(too_long() - LONG_FUNCTIONS.keys()) == []


def test_no_exception_is_stale() -> None:
    assert sorted(LARGE_FILES.keys() - too_large()) == []
    assert sorted(LONG_FUNCTIONS.keys() - too_long()) == []


def test_every_exception_has_a_reason() -> None:
    assert all([*LARGE_FILES.values(), *LONG_FUNCTIONS.values()])
