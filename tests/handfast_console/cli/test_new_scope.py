from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import Handfast
from handfast import load_scope, parse_scope
from handfast_console.cli.new_scope import DEFAULT_DAYS, scope_text

WHO = ("--by", "Ada Lovelace", "--contact", "ada@example.org")


def test_what_is_written_is_a_scope_of_those_targets_and_the_gentle_probes(
    handfast: Handfast, tmp_path: Path
) -> None:
    path = tmp_path / "scope.toml"
    ended = handfast("scope", "new", "example.org", "*.example.org", *WHO, "--out", path)
    assert (ended.code, ended.err) == (0, "")
    assert f"handfast inspect example.org --scope {path}" in ended.out
    scope = load_scope(path)
    assert scope.explain("https://www.example.org/").allow
    assert not scope.explain("https://example.com/").allow
    assert scope.probes == {"passive", "read"}
    assert scope.authorisation.by == "Ada Lovelace"
    valid_until = scope.authorisation.valid_until
    assert valid_until is not None
    assert valid_until - scope.authorisation.date == dt.timedelta(days=DEFAULT_DAYS)


def test_without_a_file_it_is_printed(handfast: Handfast) -> None:
    ended = handfast("scope", "new", "example.org", *WHO, "--consent", "--reference", "SEC-42")
    scope = parse_scope(ended.out)
    assert "consent" in scope.probes
    assert scope.authorisation.reference == "SEC-42"


def test_a_file_that_is_there_is_kept(handfast: Handfast, tmp_path: Path) -> None:
    path = tmp_path / "scope.toml"
    path.write_text("mine", encoding="utf-8")
    ended = handfast("scope", "new", "example.org", *WHO, "--out", path)
    assert ended.code == 2
    assert "is there already" in ended.complaint
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["127.0.0.1", *WHO], "127.0.0.1 is not public"),
        (["exa mple.org", *WHO], "no name may have"),
        (["example.org", "--by", "", "--contact", "x"], "authorisation.by"),
        (["example.org", "--by", "\udcff", "--contact", "x"], "UTF-8"),
        (["example.org", "--by", "x"], "--contact"),
        (["example.org", *WHO, "--days", "0"], "'0' is no number of days"),
        (["example.org", *WHO, "--days", "99999"], "'99999' is no number of days"),
    ],
)
def test_what_makes_no_scope_is_one_clear_line_and_no_file(
    handfast: Handfast, tmp_path: Path, words: list[str], complaint: str
) -> None:
    path = tmp_path / "scope.toml"
    ended = handfast("scope", "new", *words, "--out", path)
    assert ended.code == 2
    assert complaint in ended.complaint
    assert not path.exists()


def test_a_folder_that_is_not_there_is_named(handfast: Handfast, tmp_path: Path) -> None:
    path = tmp_path / "none" / "scope.toml"
    ended = handfast("scope", "new", "example.org", *WHO, "--out", path)
    assert ended.code == 2
    assert "cannot be written: No such file or directory" in ended.complaint


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back_as_it_was_given(text: str) -> None:
    day = dt.date(2026, 1, 1)
    written = scope_text(
        ["example.org"], by="a", contact="b", reference="x" + text, consent=False, days=(day, day)
    )
    assert parse_scope(written, today=day).authorisation.reference == ("x" + text).strip()
