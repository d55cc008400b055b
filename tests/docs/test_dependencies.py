"""Every dependency was decided: it has a row, with its licence, in the decision about them."""

from __future__ import annotations

import re
import tomllib

from docs.pages import ROOT

ROW = re.compile(
    r"^\| (?P<name>[\w-]+) \| (?:always|extra `\w+`) \| (?P<licence>[^|]+) \|", re.MULTILINE
)


def test_every_dependency_of_users_has_a_row_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {re.split(r"[\[<>=!~; ]", each, maxsplit=1)[0] for each in wanted} - {"handfast"}
    page = (ROOT / "docs" / "decisions" / "0007-dependencies.md").read_text(encoding="utf-8")
    assert names == {row["name"] for row in ROW.finditer(page)}
