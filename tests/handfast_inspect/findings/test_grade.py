from __future__ import annotations

from handfast_inspect.findings.grade import SiteGrade
from stored_facts import assert_survives_storage


def test_a_grade_survives_storage() -> None:
    assert_survives_storage(SiteGrade)
