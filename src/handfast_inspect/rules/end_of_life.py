"""Which versions of which products no longer get security fixes: a dated snapshot.

Dates are those that the makers publish, as collected by endoflife.date; the exploited
vulnerabilities are from CISA's catalogue of known exploited vulnerabilities. Only products that
servers name themselves are listed. A product that is not here is not judged.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from handfast_inspect.rules.product_version import Version

SNAPSHOT = date(2026, 1, 15)
"""The day on which these tables were last compared with their sources."""


class Cycle(NamedTuple):
    """One line of releases."""

    prefix: Version
    """Versions that begin with these numbers belong to it."""
    end: date
    """The last day with security fixes."""


class Exploited(NamedTuple):
    """A vulnerability that is known to be used in attacks."""

    cve: str
    first: Version
    """The first affected version."""
    fixed: Version
    """The first version of the same line that has the fix."""
    condition: str = ""
    """What else must be true, if anything."""


END_OF_LIFE: dict[str, tuple[Cycle, ...]] = {
    "apache": (
        Cycle((1,), date(2010, 2, 3)),
        Cycle((2, 0), date(2013, 7, 10)),
        Cycle((2, 2), date(2017, 7, 11)),
    ),
    "drupal": (
        Cycle((7,), date(2025, 1, 5)),
        Cycle((8,), date(2021, 11, 2)),
        Cycle((9,), date(2023, 11, 1)),
    ),
    "iis": (
        Cycle((6,), date(2015, 7, 14)),
        Cycle((7,), date(2020, 1, 14)),
        Cycle((8,), date(2023, 10, 10)),
    ),
    "mariadb": (
        Cycle((10, 3), date(2023, 5, 25)),
        Cycle((10, 4), date(2024, 6, 18)),
        Cycle((10, 5), date(2025, 6, 24)),
        Cycle((10, 6), date(2026, 7, 6)),
    ),
    "mysql": (
        Cycle((5, 5), date(2018, 12, 3)),
        Cycle((5, 6), date(2021, 2, 5)),
        Cycle((5, 7), date(2023, 10, 21)),
        Cycle((8, 0), date(2026, 4, 30)),
    ),
    "nginx": (
        Cycle((0,), date(2012, 4, 23)),
        *(Cycle((1, minor), date(2022, 5, 24)) for minor in range(21)),
        Cycle((1, 21), date(2022, 6, 21)),
        Cycle((1, 22), date(2023, 4, 11)),
        Cycle((1, 23), date(2023, 5, 23)),
        Cycle((1, 24), date(2024, 4, 23)),
        Cycle((1, 25), date(2024, 5, 29)),
        Cycle((1, 26), date(2025, 4, 23)),
        Cycle((1, 27), date(2025, 6, 24)),
    ),
    "node": (
        Cycle((10,), date(2021, 4, 30)),
        Cycle((12,), date(2022, 4, 30)),
        Cycle((14,), date(2023, 4, 30)),
        Cycle((16,), date(2023, 9, 11)),
        Cycle((18,), date(2025, 4, 30)),
        Cycle((20,), date(2026, 4, 30)),
    ),
    "openssl": (
        Cycle((0,), date(2015, 12, 31)),
        Cycle((1, 0, 0), date(2015, 12, 31)),
        Cycle((1, 0, 1), date(2016, 12, 31)),
        Cycle((1, 0, 2), date(2019, 12, 31)),
        Cycle((1, 1, 0), date(2019, 9, 11)),
        Cycle((1, 1, 1), date(2023, 9, 11)),
        Cycle((3, 0), date(2026, 9, 7)),
        Cycle((3, 1), date(2025, 3, 14)),
        Cycle((3, 2), date(2025, 11, 23)),
        Cycle((3, 3), date(2026, 4, 9)),
        Cycle((3, 4), date(2026, 10, 22)),
    ),
    "php": (
        Cycle((4,), date(2008, 8, 7)),
        Cycle((5,), date(2018, 12, 31)),
        Cycle((7, 0), date(2019, 1, 10)),
        Cycle((7, 1), date(2019, 12, 1)),
        Cycle((7, 2), date(2020, 11, 30)),
        Cycle((7, 3), date(2021, 12, 6)),
        Cycle((7, 4), date(2022, 11, 28)),
        Cycle((8, 0), date(2023, 11, 26)),
        Cycle((8, 1), date(2025, 12, 31)),
        Cycle((8, 2), date(2026, 12, 31)),
    ),
    "postgresql": (
        Cycle((9,), date(2021, 11, 11)),
        Cycle((10,), date(2022, 11, 10)),
        Cycle((11,), date(2023, 11, 9)),
        Cycle((12,), date(2024, 11, 21)),
        Cycle((13,), date(2025, 11, 13)),
        Cycle((14,), date(2026, 11, 12)),
    ),
    "python": (
        Cycle((2,), date(2020, 1, 1)),
        *(Cycle((3, minor), date(2021, 12, 23)) for minor in range(7)),
        Cycle((3, 7), date(2023, 6, 27)),
        Cycle((3, 8), date(2024, 10, 7)),
        Cycle((3, 9), date(2025, 10, 31)),
        Cycle((3, 10), date(2026, 10, 31)),
    ),
    "tomcat": (
        Cycle((6,), date(2016, 12, 31)),
        Cycle((7,), date(2021, 3, 31)),
        Cycle((8, 0), date(2018, 6, 30)),
        Cycle((8, 5), date(2024, 3, 31)),
        Cycle((10, 0), date(2022, 10, 31)),
    ),
}

EXPLOITED: dict[str, tuple[Exploited, ...]] = {
    "apache": (
        Exploited("CVE-2021-41773", (2, 4, 49), (2, 4, 50)),
        Exploited("CVE-2021-42013", (2, 4, 49), (2, 4, 51)),
        Exploited("CVE-2021-40438", (2, 4, 0), (2, 4, 49), "mod_proxy is in use"),
    ),
    "drupal": (
        Exploited("CVE-2018-7600", (7, 0), (7, 58)),
        Exploited("CVE-2018-7600", (8, 0), (8, 5, 1)),
    ),
    "iis": (Exploited("CVE-2017-7269", (6, 0), (6, 1), "WebDAV is on"),),
    "openssl": (Exploited("CVE-2014-0160", (1, 0, 1), (1, 0, 2)),),
    "php": (
        Exploited("CVE-2019-11043", (7, 1, 0), (7, 1, 33), "PHP-FPM runs behind nginx"),
        Exploited("CVE-2019-11043", (7, 2, 0), (7, 2, 24), "PHP-FPM runs behind nginx"),
        Exploited("CVE-2019-11043", (7, 3, 0), (7, 3, 11), "PHP-FPM runs behind nginx"),
        Exploited("CVE-2024-4577", (5, 0, 0), (8, 1, 29), "PHP runs as CGI on Windows"),
        Exploited("CVE-2024-4577", (8, 2, 0), (8, 2, 20), "PHP runs as CGI on Windows"),
        Exploited("CVE-2024-4577", (8, 3, 0), (8, 3, 8), "PHP runs as CGI on Windows"),
    ),
    "tomcat": (
        Exploited("CVE-2020-1938", (7, 0, 0), (7, 0, 100), "the AJP port is reachable"),
        Exploited("CVE-2020-1938", (8, 5, 0), (8, 5, 51), "the AJP port is reachable"),
        Exploited("CVE-2020-1938", (9, 0, 0), (9, 0, 31), "the AJP port is reachable"),
        Exploited("CVE-2025-24813", (9, 0, 0), (9, 0, 99), "the default servlet may write"),
        Exploited("CVE-2025-24813", (10, 1, 0), (10, 1, 35), "the default servlet may write"),
        Exploited("CVE-2025-24813", (11, 0, 0), (11, 0, 3), "the default servlet may write"),
    ),
}


def end_of_support(product: str, version: Version) -> date | None:
    """When the line of a version stopped, or will stop, getting fixes.

    Args:
        product: Lower-case name.
        version: Its version.

    Returns:
        The last day with fixes; None when the snapshot does not know.
    """
    lines = END_OF_LIFE.get(product, ())
    return next((c.end for c in lines if version[: len(c.prefix)] == c.prefix), None)


def exploited_vulnerabilities(product: str, version: Version) -> tuple[Exploited, ...]:
    """Vulnerabilities of a version that are known to be used in attacks.

    A version with fewer than two numbers is too vague to tell.

    Args:
        product: Lower-case name.
        version: Its version.

    Returns:
        Those whose range contains the version.
    """
    if len(version) < 2:  # noqa: PLR2004 - major and minor
        return ()
    return tuple(v for v in EXPLOITED.get(product, ()) if v.first <= version < v.fixed)
