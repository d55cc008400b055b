from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.report.rule_texts_zh import RULES_ZH
from handfast_inspect.report.wording import impact_of, remediation_of, rule_title, wording
from handfast_inspect.rules.catalog import CATALOG
from made_inspections import sample_inspection


def test_both_languages_have_the_same_words() -> None:
    assert wording("en").keys() == wording("zh").keys()
    assert all(wording("en").values())
    assert all(wording("zh").values())


@pytest.mark.parametrize("rule", CATALOG, ids=lambda rule: rule.id)
def test_titles_come_in_the_language_asked_for(rule: object) -> None:
    rule_id = getattr(rule, "id", "")
    assert rule_title(rule_id, "en") == getattr(rule, "title", "")
    assert rule_title(rule_id, "zh") == RULES_ZH[rule_id].title


def test_an_unknown_rule_is_called_by_its_id() -> None:
    assert rule_title("later.rule", "en") == "later.rule"
    assert rule_title("later.rule", "zh") == "later.rule"


def test_impact_and_remediation_come_in_the_language_asked_for() -> None:
    finding = sample_inspection().findings[0]
    assert impact_of(finding, "en") == finding.impact
    assert remediation_of(finding, "en") == finding.remediation
    assert impact_of(finding, "zh") == RULES_ZH[finding.rule_id].impact
    assert remediation_of(finding, "zh") == RULES_ZH[finding.rule_id].remediation
    later = replace(finding, rule_id="later.rule")
    assert impact_of(later, "zh") == finding.impact
    assert remediation_of(later, "zh") == finding.remediation
