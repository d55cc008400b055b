from __future__ import annotations

from datetime import date

import pytest

from handfast_inspect.rules.end_of_life import (
    END_OF_LIFE,
    EXPLOITED,
    SNAPSHOT,
    end_of_support,
    exploited_vulnerabilities,
)


@pytest.mark.parametrize(
    ("product", "version", "end"),
    [
        ("php", (7, 4, 3), date(2022, 11, 28)),
        ("php", (5, 6, 40), date(2018, 12, 31)),
        ("php", (9, 0), None),
        ("nginx", (1, 18, 0), date(2022, 5, 24)),
        ("nginx", (1, 2, 0), date(2022, 5, 24)),
        ("openssl", (1, 1, 1), date(2023, 9, 11)),
        ("apache", (2, 4, 49), None),
        ("node", (2,), None),
        ("unheard-of", (1,), None),
    ],
)
def test_a_version_belongs_to_its_line(
    product: str, version: tuple[int, ...], end: date | None
) -> None:
    assert end_of_support(product, version) == end


@pytest.mark.parametrize(
    ("product", "version", "cves"),
    [
        ("apache", (2, 4, 49), {"CVE-2021-41773", "CVE-2021-42013"}),
        ("apache", (2, 4, 50), {"CVE-2021-42013"}),
        ("apache", (2, 4, 51), set[str]()),
        ("openssl", (1, 0, 1), {"CVE-2014-0160"}),
        ("openssl", (1, 0, 2), set[str]()),
        ("tomcat", (9, 0, 31), {"CVE-2025-24813"}),
        ("apache", (2,), set[str]()),
        ("unheard-of", (1, 0), set[str]()),
    ],
)
def test_a_version_is_in_the_range_of_its_vulnerabilities(
    product: str, version: tuple[int, ...], cves: set[str]
) -> None:
    assert {v.cve for v in exploited_vulnerabilities(product, version)} == cves


def test_the_tables_are_well_formed() -> None:
    assert date(2025, 1, 1) < SNAPSHOT
    for product, lines in END_OF_LIFE.items():
        assert product == product.lower()
        prefixes = [cycle.prefix for cycle in lines]
        assert len(prefixes) == len(set(prefixes))
    for ranges in EXPLOITED.values():
        assert all(item.first < item.fixed for item in ranges)
