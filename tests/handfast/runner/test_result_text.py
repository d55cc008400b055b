from __future__ import annotations

from pydantic import BaseModel

from handfast.runner.result_text import agent_text, result_text


class Found(BaseModel):
    names: list[str]


def test_facts_output_and_counts_have_a_line_each() -> None:
    text = result_text("Kind", {"Agent": agent_text("a")}, {"item(s)": 2}, (None,))
    assert text.splitlines() == [
        "Kind:",
        '- Agent: Agent(name="a", ...)',
        "- Final output (NoneType):",
        "    None",
        "- 2 item(s)",
        "(See `Kind` for more details)",
    ]
    assert "output" not in result_text("Kind", {}, {})


def test_an_object_is_shown_as_json() -> None:
    text = result_text("Kind", {}, {}, (Found(names=["a"]),))
    assert '    {\n      "names": [' in text


def test_nothing_in_it_can_steer_a_terminal() -> None:
    text = result_text("Kind", {"Agent": "a\x9b31m"}, {}, ("x\x1b[2J\r\n\ty\x85\x7f",))
    assert "a\\x9b31m" in text
    assert "    x\\x1b[2J\n    \ty\\x85\\x7f" in text
    assert all(each >= " " or each in "\n\t" for each in text)
