"""Tests stand where their source stands: src/a/b.py is tested by tests/a/test_b.py."""

from __future__ import annotations

from pathlib import PurePosixPath

from architecture.figures import PACKAGES, ROOT, is_door, sources

TESTS = ROOT / "tests"
LONGEST_TEST_FILE = 600

WITHOUT_A_TEST_FILE: dict[str, str] = {}
"""Source files that need no test file of their own, each with the reason."""


def mirrored(where: str) -> str:
    """The test file of a source file."""
    path = PurePosixPath(where).relative_to("src")
    return (path.parent / f"test_{path.stem.lstrip('_')}.py").as_posix()


EXPECTED = {
    mirrored(module.where): module.where
    for module in sources()
    if not module.where.endswith("__init__.py") and not is_door(module)
}
"""Test files by source file. What only hands on names is tested by test_exports.py."""
PRESENT = {
    path.relative_to(TESTS).as_posix()
    for package in PACKAGES
    for path in (TESTS / package).rglob("test_*.py")
}


def belongs(test: str) -> bool:
    """True for a source's test file, and for a part of one: test_loop_handoffs.py tests loop.py."""
    folder, _, name = test.rpartition("/")
    words = name.removesuffix(".py").split("_")
    return any(
        f"{folder}/{'_'.join(words[:count])}.py" in EXPECTED for count in range(2, len(words) + 1)
    )


def test_every_source_file_has_a_test_file() -> None:
    missing = {source for test, source in EXPECTED.items() if test not in PRESENT}
    assert sorted(missing - WITHOUT_A_TEST_FILE.keys()) == []


def test_every_test_file_has_a_source_file() -> None:
    assert sorted(test for test in PRESENT if not belongs(test)) == []


def test_no_exception_is_stale() -> None:
    missing = {source for test, source in EXPECTED.items() if test not in PRESENT}
    assert sorted(WITHOUT_A_TEST_FILE.keys() - missing) == []


def test_no_test_file_is_too_long_to_read() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): count
        for path in TESTS.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_TEST_FILE
    }
    assert long == {}
