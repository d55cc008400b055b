from __future__ import annotations

import pytest

from handfast_inspect.report.visible import visible
from handfast_inspect.report.wording import TITLES_ZH, rule_title, wording
from handfast_inspect.rules.catalog import CATALOG


def test_both_languages_have_the_same_words() -> None:
    assert wording("en").keys() == wording("zh").keys()
    assert all(wording("en").values())
    assert all(wording("zh").values())


def test_every_rule_has_a_chinese_title_and_no_other_has_one() -> None:
    assert TITLES_ZH.keys() == {rule.id for rule in CATALOG}
    assert all(any("\u4e00" <= c <= "\u9fff" for c in title) for title in TITLES_ZH.values())
    assert all(visible(title) == title for title in TITLES_ZH.values())


@pytest.mark.parametrize("rule", CATALOG, ids=lambda rule: rule.id)
def test_titles_come_in_the_language_asked_for(rule: object) -> None:
    rule_id = getattr(rule, "id", "")
    assert rule_title(rule_id, "en") == getattr(rule, "title", "")
    assert rule_title(rule_id, "zh") == TITLES_ZH[rule_id]


def test_an_unknown_rule_is_called_by_its_id() -> None:
    assert rule_title("later.rule", "en") == "later.rule"
    assert rule_title("later.rule", "zh") == "later.rule"
