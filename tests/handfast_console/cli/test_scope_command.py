from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Handfast

TEXT = """
probes = ["passive"]
targets = ["example.org", { host = "git.example.org", ports = [22, 8443] }]
[authorisation]
by = "a"
contact = "b"
date = 2020-01-01
reference = "c"
"""


@pytest.fixture(name="scope")
def _scope(tmp_path: Path) -> Path:
    path = tmp_path / "scope.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("https://example.org/", 0, "in scope"),
        ("https://git.example.org:8443/x?y", 0, "in scope"),
        ("https://git.example.org/", 1, "port 443 of git.example.org is not in scope"),
        ("https://example.com/", 1, "example.com is not in scope"),
        ("http://127.0.0.1/", 1, "not in scope"),
        ("ftp://example.org/", 1, "the scheme ftp is not allowed"),
        ("example.org", 1, "refused"),
        ("https://example.org\u202e/", 1, "refused"),
    ],
)
def test_a_url_is_judged_with_the_reason(
    handfast: Handfast, scope: Path, url: str, code: int, words: str
) -> None:
    ended = handfast("scope", "test", url, "--scope", scope)
    assert ended.code == code
    assert words in ended.out
    assert len(ended.out.splitlines()) == 1
    assert "\u202e" not in ended.out


def test_several_urls_get_a_line_each(handfast: Handfast, scope: Path) -> None:
    ended = handfast(
        *("scope", "test", "http://example.org", "http://example.com", "--scope", scope)
    )
    assert ended.code == 1
    assert [line.split(": ")[1] for line in ended.out.splitlines()] == ["in scope", "refused"]


def test_a_missing_scope_is_one_clear_line(handfast: Handfast, tmp_path: Path) -> None:
    ended = handfast("scope", "test", "http://example.org", "--scope", tmp_path / "none.toml")
    assert ended.code == 2
    assert "none.toml: cannot be read: No such file or directory" in ended.complaint
    assert ended.out == ""
