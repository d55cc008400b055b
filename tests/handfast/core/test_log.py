from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.core.log import Log


def test_an_older_log_stays_as_it_was() -> None:
    old = Log([1])
    new = old.extended([2, 3])
    assert (list(old), list(new)) == ([1], [1, 2, 3])


def test_two_continuations_of_one_log_do_not_meet() -> None:
    root = Log([1])
    left, right = root.extended([2]), root.extended([3])
    assert (list(left), list(right)) == ([1, 2], [1, 3])
    assert left.grows_from(root)
    assert not right.grows_from(left)


def test_nothing_added_is_the_same_log() -> None:
    log = Log([1])
    assert log.extended([]) is log


def test_reading_beyond_its_length_is_an_error_even_when_a_longer_log_exists() -> None:
    log = Log([1])
    log.extended([2])
    with pytest.raises(IndexError):
        log[1]
    with pytest.raises(IndexError):
        log[-2]
    assert log[-1] == 1
    assert log[0:9] == (1,)
    assert log.since(0) == [1]


def test_another_ending_leaves_the_log_as_it_was() -> None:
    log = Log([1, 2, 3])
    assert log.ending(1, [9]) == Log([1, 9])
    assert log.ending(1, ()) == Log([1])
    assert log.ending(7, [4]) == Log([1, 2, 3, 4])
    assert log == Log([1, 2, 3])
    assert log.ending(1, (2, 3)) is log


def test_logs_are_compared_by_content() -> None:
    assert Log([1, 2]) == Log([1]).extended([2])
    assert hash(Log([1])) == hash(Log([1]))
    assert Log([1]) != [1]
    assert repr(Log([1])) == "Log([1])"


@given(st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(), max_size=3)), max_size=20))
def test_a_log_behaves_like_a_tuple(steps: list[tuple[int, list[int]]]) -> None:
    logs: list[Log[int]] = [Log()]
    tuples: list[tuple[int, ...]] = [()]
    for pick, added in steps:
        source = pick % len(logs)
        logs.append(logs[source].extended(added))
        tuples.append((*tuples[source], *added))
    for log, expected in zip(logs, tuples, strict=True):
        assert tuple(log) == expected
        assert log[:] == expected
        assert log[1:] == expected[1:]
        assert log[:-1] == expected[:-1]
        assert log[::-1] == expected[::-1]
        assert log[::2] == expected[::2]
        assert len(log) == len(expected)
