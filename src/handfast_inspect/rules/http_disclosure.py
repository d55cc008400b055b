"""Rules about what a site tells of itself: banners, versions, error pages, listings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.end_of_life import (
    END_OF_LIFE,
    EXPLOITED,
    SNAPSHOT,
    end_of_support,
    exploited_vulnerabilities,
)
from handfast_inspect.rules.product_version import SelfNamed, self_named
from handfast_inspect.rules.reproduce import curl_body, curl_headers
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed
from handfast_inspect.rules.web import NO_ANSWER, answers, headers, origin_asset

_BANNERS = (
    "server",
    "x-powered-by",
    "x-aspnet-version",
    "x-aspnetmvc-version",
    "x-generator",
    "x-drupal-cache",
    "x-php-version",
    "x-powered-cms",
)
_DEBUG_HEADERS = (
    "x-debug-token",
    "x-debug-token-link",
    "x-chromelogger-data",
    "x-chromephp-data",
    "x-backend-server",
    "x-debug",
)
_VERSION = re.compile(r"[0-9]+\.[0-9]+|[/ ]v?[0-9]")

_TRACES = (
    ("Python traceback", re.compile(r"Traceback \(most recent call last\)")),
    (
        "Django debug page",
        re.compile(r"You(’|'|&#x27;|&#39;)re seeing this error because you have"),
    ),
    ("Werkzeug debugger", re.compile(r"Werkzeug Debugger|__debugger__=yes")),
    (
        "PHP error",
        re.compile(r"(Fatal|Parse) error(</b>)?: [\s\S]{1,300} on line "),
    ),
    ("PHP stack trace", re.compile(r"Stack trace:\s*(<br ?/?>)?\s*#0 ")),
    ("Laravel debug page", re.compile(r"Illuminate\\[A-Za-z]+\\|Whoops, looks like something")),
    ("Symfony exception", re.compile(r"Symfony Exception|Symfony\\Component\\")),
    ("Java stack trace", re.compile(r"\bat [\w$.]+\([\w$]+\.java:[0-9]+\)")),
    (
        ".NET stack trace",
        re.compile(r"\[[A-Za-z.]+Exception: |Server Error in '.{0,80}' Application"),
    ),
    ("Ruby on Rails debug page", re.compile(r"Action Controller: Exception caught|Rails\.root: /")),
    (
        "Node.js stack trace",
        re.compile(r"\bat .{1,120} \((/|file:|node:|[A-Z]:\\).{1,200}:\d+:\d+\)"),
    ),
    ("Go stack trace", re.compile(r"goroutine [0-9]+ \[running\]")),
    (
        "database error",
        re.compile(r"SQL syntax.{1,80}MySQL|ORA-[0-9]{5}|PG::[A-Za-z]+Error|SQLSTATE\["),
    ),
)
_LISTINGS = re.compile(
    r"<title>\s*(Index of|Directory listing (for|of)|Directory:|Listing directory) ?/"
    r"|\[To Parent Directory\]|>Parent Directory</a>|<h1>Index of /",
    re.IGNORECASE,
)
_LISTING_TITLE = re.compile(
    r"\s*(Index of|Directory listing (for|of)|Directory:) ?/", re.IGNORECASE
)
_OK = 200


def check_banner(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note headers that name software, versions or debugging (OWASP Secure Headers)."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        problems = [*_banners(fact), *_debug_headers(fact)]
        for severity, location, shown, words in problems:
            yield failed(fact, severity, location, words, observed=shown, asset=site)
        if not problems:
            yield passed(fact, "no header names the software", asset=site)


def _banners(fact: HttpResponseFact) -> Iterator[tuple[Severity, str, str, str]]:
    for name in _BANNERS:
        for value in headers(fact, name):
            if not value.strip():
                continue
            versioned = bool(_VERSION.search(value))
            words = f"The header {name} names the software{' and its version' * versioned}."
            severity = Severity.LOW if versioned else Severity.INFO
            yield (severity, f"header:{name}/banner", f"{name}: {value}", words)


def _debug_headers(fact: HttpResponseFact) -> Iterator[tuple[Severity, str, str, str]]:
    for name in _DEBUG_HEADERS:
        for value in headers(fact, name):
            words = f"The header {name} is meant for development."
            yield (Severity.LOW, f"header:{name}/debug", f"{name}: {value}", words)


def check_end_of_life(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Compare self-named versions with the end-of-life snapshot.

    A vulnerability that is used in attacks makes it high, unless it needs a condition that
    cannot be seen from outside.
    """
    for seen in self_named(facts):
        if seen.product not in END_OF_LIFE and seen.product not in EXPLOITED:
            continue
        exploited = exploited_vulnerabilities(seen.product, seen.version)
        end = end_of_support(seen.product, seen.version)
        if exploited:
            yield _exploited(seen, now)
        elif end is not None and end < now.date():
            yield failed(
                seen.source,
                Severity.MEDIUM,
                f"product/{seen.product}",
                f"{_name(seen)} has had no security fixes since {end:%Y-%m-%d}.",
                observed=seen.shown,
                asset=seen.asset,
                doubt=_backports(),
            )
        else:
            words = f"{_name(seen)} is not past its end of life (snapshot of {SNAPSHOT})"
            yield passed(seen.source, words, asset=seen.asset)


def _exploited(seen: SelfNamed, now: datetime) -> Verdict:
    found = exploited_vulnerabilities(seen.product, seen.version)
    end = end_of_support(seen.product, seen.version)
    conditions = "; ".join(dict.fromkeys(v.condition for v in found if v.condition))
    names = ", ".join(dict.fromkeys(v.cve for v in found))
    past = f" It has had no fixes since {end:%Y-%m-%d}." if end and end < now.date() else ""
    when = f" It matters if {conditions}." if conditions else ""
    certain = any(not vulnerability.condition for vulnerability in found)
    return failed(
        seen.source,
        Severity.HIGH if certain else Severity.MEDIUM,
        f"product/{seen.product}",
        f"{_name(seen)} is in the range of {names}, used in attacks.{when}{past}",
        observed=seen.shown,
        asset=seen.asset,
        doubt=_backports(),
        cve=tuple(dict.fromkeys(v.cve for v in found)),
    )


def _name(seen: SelfNamed) -> str:
    return f"{seen.product} {'.'.join(map(str, seen.version))}"


def _backports() -> Doubt:
    return Doubt(
        Confidence.LOW,
        "judged by the version that the server states; distribution backports are possible",
    )


def check_error_page(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse stack traces and debug pages on a path that cannot exist (WSTG-ERRH-01/02)."""
    del now
    for fact in facts.error_pages:
        found = [(name, match) for name, p in _TRACES if (match := p.search(fact.excerpt))]
        if not found:
            yield passed(fact, f"an unknown path is answered with {fact.status} and no trace")
            continue
        names = ", ".join(name for name, _ in found)
        yield failed(
            fact,
            Severity.MEDIUM,
            "error-page/trace",
            f"The answer to an unknown path shows internals: {names}.",
            observed=_around(fact.excerpt, found[0][1]),
        )


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 40) : match.end() + 160]


def check_listing(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse directory listings (WSTG-CONF-04; ZAP 10033)."""
    del now
    for fact in facts.directories:
        match = _LISTINGS.search(fact.excerpt)
        titled = _LISTING_TITLE.match(fact.title)
        if fact.status == _OK and (match or titled):
            yield failed(
                fact,
                Severity.MEDIUM,
                "directory/listing",
                "The server lists the files of a directory.",
                observed=_around(fact.excerpt, match) if match else f"<title>{fact.title}</title>",
            )
        else:
            yield passed(fact, f"no listing (status {fact.status})")


HTTP_BANNER = Rule(
    id="http.banner",
    title="Headers name the software",
    probe_class=ProbeClass.READ,
    check=check_banner,
    needs=NO_ANSWER,
    impact="Attackers can pick the exploits that fit; by itself this is no hole.",
    remediation="Remove the headers or cut them down to the product name.",
    config="server_tokens off;",
    reproduce=curl_headers,
    references=("https://owasp.org/www-project-secure-headers/",),
    cwe=200,
)

HTTP_EOL = Rule(
    id="http.eol",
    title="Software past its end of life",
    probe_class=ProbeClass.READ,
    check=check_end_of_life,
    needs="no server named a product and version that the snapshot knows",
    impact="New holes in it stay open for good.",
    remediation="Move to a line that still gets security fixes.",
    reproduce=curl_headers,
    references=(
        "https://endoflife.date/",
        "https://www.cisa.gov/known-exploited-vulnerabilities-catalog",
    ),
    cwe=1104,
    effort=Effort.HIGH,
    would_change="A distribution that backports fixes under the old number makes this void.",
)

HTTP_ERROR = Rule(
    id="http.error",
    title="Error pages show internals",
    probe_class=ProbeClass.READ,
    check=check_error_page,
    needs="no request for a path that cannot exist was made",
    impact="Paths, versions, queries and sometimes secrets are given away; debuggers run code.",
    remediation="Switch debug mode off in production and show a plain error page.",
    config="DEBUG = False",
    reproduce=curl_body,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
    cwe=209,
)

HTTP_LISTING = Rule(
    id="http.listing",
    title="A directory is listed",
    probe_class=ProbeClass.READ,
    check=check_listing,
    needs="no directory was asked for",
    impact="Files that were never linked can be found and read.",
    remediation="Switch automatic indexes off.",
    config="autoindex off;",
    reproduce=curl_body,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
    cwe=548,
    would_change="A public download directory is meant to be listed.",
)
