from __future__ import annotations

from handfast_inspect.report.rule_texts_zh import RULES_ZH
from handfast_inspect.report.visible import visible
from handfast_inspect.rules.catalog import CATALOG


def test_every_rule_has_chinese_texts_and_no_other_has() -> None:
    assert list(RULES_ZH) == [rule.id for rule in CATALOG]


def test_the_texts_are_chinese_and_plain() -> None:
    for text in RULES_ZH.values():
        for part in text:
            assert any("\u4e00" <= character <= "\u9fff" for character in part)
            assert visible(part) == part
        assert text.impact.endswith("。")
        assert text.remediation.endswith("。")
        assert not text.title.endswith("。")
