"""The scope files that the pages show are valid."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from docs.pages import PAGES
from handfast.boundary.scope import parse_scope

TOML = re.compile(r"^```toml\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [
    pytest.param(found["text"], id=f"{page.name}-{number}")
    for page in PAGES
    for number, found in enumerate(TOML.finditer(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("text", SHOWN)
def test_a_shown_scope_file_is_valid(text: str) -> None:
    scope = parse_scope(text, today=dt.date(2026, 12, 1))
    assert scope.targets
