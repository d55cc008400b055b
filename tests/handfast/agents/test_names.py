"""Function names for agents called anything."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.names import MAX_NAME_LENGTH, function_name, hashed_name

VALID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Refund Agent", "transfer_to_refund_agent"),
        ("billing", "transfer_to_billing"),
        ("a.b-c/d", "transfer_to_a_b_c_d"),
        ("A\tB", "transfer_to_a_b"),
        ("x" * 52, "transfer_to_" + "x" * 52),
    ],
)
def test_an_ascii_name_keeps_the_form_that_users_of_the_sdk_know(name: str, expected: str) -> None:
    assert function_name("transfer_to_", name) == expected


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("Élodie", "transfer_to_elodie_"),
        ("退款 Refunds 🚀", "transfer_to_tui_kuan_refunds_rocket_"),
        ("规划", "transfer_to_gui_hua_"),
        ("🚀", "transfer_to_rocket_"),
        ("Агент 7", "transfer_to_agent_7_"),
        ("日本語", "transfer_to_ri_ben_yu_"),
        ("", "transfer_to_"),
        ("long name " * 20, "transfer_to_long_name_long_name_long_name_l"),
        ("\ud800", "transfer_to_"),
    ],
)
def test_any_other_name_is_written_as_it_sounds_and_gets_a_hash(name: str, beginning: str) -> None:
    made = function_name("transfer_to_", name)
    assert made.startswith(beginning)
    assert re.fullmatch(r".*[0-9a-f]{8}", made)


def test_without_a_prefix_a_name_still_begins_with_a_letter() -> None:
    assert function_name("", "3 Агента").startswith("agent_3_agenta_")
    assert function_name("", "规划").startswith("gui_hua_")
    assert function_name("", "7").startswith("7")
    assert function_name("", "\ud800").startswith("agent_")
    assert function_name("", "Élodie").startswith("elodie_")


@given(st.text())
def test_every_name_is_valid_for_every_provider(name: str) -> None:
    assert VALID.fullmatch(function_name("transfer_to_", name))
    assert VALID.fullmatch(hashed_name("", name))


@given(st.lists(st.text(alphabet=st.characters(min_codepoint=128)), unique=True, max_size=30))
def test_names_that_are_not_ascii_never_collide(names: list[str]) -> None:
    assert len({function_name("transfer_to_", name) for name in names}) == len(names)


def test_long_names_that_differ_at_the_end_differ() -> None:
    one, two = ("transfer " * 30 + end for end in ("one", "two"))
    assert function_name("t_", one) != function_name("t_", two)
    assert len(function_name("t_", one)) <= MAX_NAME_LENGTH


def test_a_name_is_the_same_in_another_process() -> None:
    code = "from handfast.agents.names import function_name; print(function_name('t_', '规划'))"
    told = subprocess.run(  # noqa: S603 - our own code in our own interpreter
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == function_name("t_", "规划")
