"""Rules about single response headers: nosniff, Referrer-Policy, isolation, obsolete ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import curl_headers
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed
from handfast_inspect.rules.web import (
    NO_ANSWER,
    answers,
    has_header,
    header,
    headers,
    is_html,
    origin_asset,
)

PRIVATE_REFERRER = frozenset(
    {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
)
UNSAFE_REFERRER = frozenset({"unsafe-url", "no-referrer-when-downgrade"})
ORIGIN_REFERRER = frozenset({"origin", "origin-when-cross-origin"})

ISOLATION_VALUES = {
    "cross-origin-opener-policy": frozenset(
        {"same-origin", "same-origin-allow-popups", "noopener-allow-popups"}
    ),
    "cross-origin-resource-policy": frozenset({"same-origin", "same-site", "cross-origin"}),
    "cross-origin-embedder-policy": frozenset({"require-corp", "credentialless"}),
}
"""The values that switch each policy on; any other leaves it off."""

_SPELLING = {
    "cross-origin-opener-policy": "Cross-Origin-Opener-Policy",
    "cross-origin-resource-policy": "Cross-Origin-Resource-Policy",
    "cross-origin-embedder-policy": "Cross-Origin-Embedder-Policy",
}

_ISOLATION_CONFIG = {
    "cross-origin-opener-policy": "Cross-Origin-Opener-Policy: same-origin",
    "cross-origin-resource-policy": "Cross-Origin-Resource-Policy: same-origin",
    "cross-origin-embedder-policy": "Cross-Origin-Embedder-Policy-Report-Only: require-corp",
    "permissions-policy": "Permissions-Policy: camera=(), geolocation=(), microphone=()",
}

_OBSOLETE = {
    "public-key-pins": "Public-Key-Pins can lock visitors out and is ignored by browsers.",
    "public-key-pins-report-only": "Public-Key-Pins-Report-Only is ignored by browsers.",
    "expect-ct": "Expect-CT has done nothing since all certificates are logged.",
    "feature-policy": "Feature-Policy is replaced by Permissions-Policy.",
    "p3p": "P3P has not been read by any browser for years.",
}


def check_nosniff(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand X-Content-Type-Options: nosniff (Fetch standard, "determine nosniff")."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        if is_nosniff(fact):
            yield passed(fact, "X-Content-Type-Options: nosniff", asset=site)
            continue
        value = header(fact, "x-content-type-options")
        yield failed(
            fact,
            Severity.LOW,
            "header:x-content-type-options/missing",
            "The answer does not carry X-Content-Type-Options: nosniff.",
            observed=f"X-Content-Type-Options: {value or '(absent)'}",
            asset=site,
        )


def is_nosniff(fact: HttpResponseFact) -> bool:
    """Whether the first value of X-Content-Type-Options is `nosniff`."""
    first = header(fact, "x-content-type-options").split(",", 1)[0]
    return first.strip().lower() == "nosniff"


def check_referrer(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge Referrer-Policy; of several values the last known one counts (W3C, section 8.1)."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        policy, shown = referrer_policy(fact)
        if policy in PRIVATE_REFERRER:
            yield passed(fact, shown, asset=site)
            continue
        severity, name, words = _referrer_problem(policy, shown)
        location = f"header:referrer-policy/{name}"
        yield failed(fact, severity, location, words, observed=shown, asset=site)


def referrer_policy(fact: HttpResponseFact) -> tuple[str, str]:
    """The policy in force and the line it was read from.

    Returns:
        The policy in lower case, empty when none is known; and the header or meta line.
    """
    known = PRIVATE_REFERRER | UNSAFE_REFERRER | ORIGIN_REFERRER
    value = header(fact, "referrer-policy")
    shown = f"Referrer-Policy: {value or '(absent)'}"
    tokens = [token.strip().lower() for token in value.split(",")]
    valid = [token for token in tokens if token in known]
    if valid:
        return (valid[-1], shown)
    meta = (fact.page.meta_referrer or "" if fact.page else "").strip()
    if meta.lower() in known:
        return (meta.lower(), f"meta referrer: {meta}")
    return ("", shown)


def _referrer_problem(policy: str, shown: str) -> tuple[Severity, str, str]:
    if policy in UNSAFE_REFERRER:
        words = f"{policy} sends the full address of pages to other sites."
        return (Severity.LOW, "unsafe", words)
    if policy in ORIGIN_REFERRER:
        words = f"{policy} sends the site's name even over http."
        return (Severity.INFO, "origin", words)
    if "(absent)" in shown:
        words = "No Referrer-Policy is sent; what is passed on depends on the browser."
        return (Severity.INFO, "missing", words)
    return (Severity.INFO, "invalid", "The Referrer-Policy has no value that browsers know.")


def check_isolation(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note absent COOP, CORP, COEP and Permissions-Policy (HTML; Fetch; OWASP Secure Headers)."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        if not is_html(fact):
            yield passed(fact, "the answer is not a page", asset=site)
            continue
        problems = list(_isolation_problems(fact))
        for name, shown, words in problems:
            location = f"header:{name}/missing"
            yield failed(
                fact,
                Severity.INFO,
                location,
                words,
                observed=shown,
                asset=site,
                config=_ISOLATION_CONFIG[name],
            )
        if not problems:
            yield passed(fact, "COOP, CORP, COEP and Permissions-Policy are set", asset=site)


def _isolation_problems(fact: HttpResponseFact) -> Iterator[tuple[str, str, str]]:
    for name in ISOLATION_VALUES:
        if not isolates(fact, name):
            value = header(fact, name)
            shown = f"{_SPELLING[name]}: {value or '(absent)'}"
            words = f"{_SPELLING[name]} is {'not valid' if value else 'not sent'}."
            yield (name, shown, words)
    if not has_header(fact, "permissions-policy"):
        words = "Permissions-Policy is not sent; camera, location and the like stay available."
        yield ("permissions-policy", "Permissions-Policy: (absent)", words)


def isolates(fact: HttpResponseFact, name: str) -> bool:
    """Whether one of the cross-origin headers has a value that switches it on."""
    value = header(fact, name).split(";", 1)[0].strip().lower()
    return value in ISOLATION_VALUES[name]


def check_obsolete(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note headers that do nothing or harm (OWASP Secure Headers, "deprecated")."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        problems = list(_obsolete_problems(fact))
        for name, shown, words in problems:
            location = f"header:{name}/obsolete"
            yield failed(fact, Severity.INFO, location, words, observed=shown, asset=site)
        if not problems:
            yield passed(fact, "no obsolete header", asset=site)


def _obsolete_problems(fact: HttpResponseFact) -> Iterator[tuple[str, str, str]]:
    for name, words in _OBSOLETE.items():
        if has_header(fact, name):
            yield (name, f"{name}: {header(fact, name)}", words)
    for value in headers(fact, "x-xss-protection"):
        if not re.match(r"\s*0\s*(;|,|$)", value):
            words = "X-XSS-Protection can open holes in old browsers; new ones ignore it."
            yield ("x-xss-protection", f"x-xss-protection: {value}", words)


HTTP_NOSNIFF = Rule(
    id="http.nosniff",
    title="Browsers may guess content types",
    probe_class=ProbeClass.READ,
    check=check_nosniff,
    needs=NO_ANSWER,
    impact="An uploaded file can be run as a script although it is labelled otherwise.",
    remediation="Send the header on every answer, with correct content types.",
    config="X-Content-Type-Options: nosniff",
    reproduce=curl_headers,
    references=("https://fetch.spec.whatwg.org/#x-content-type-options-header",),
    cwe=693,
)

HTTP_REFERRER = Rule(
    id="http.referrer",
    title="Page addresses leak to other sites",
    probe_class=ProbeClass.READ,
    check=check_referrer,
    needs=NO_ANSWER,
    impact="Addresses with names, searches or tokens reach other sites.",
    remediation="Send a Referrer-Policy that keeps paths at home.",
    config="Referrer-Policy: strict-origin-when-cross-origin",
    reproduce=curl_headers,
    references=("https://www.w3.org/TR/referrer-policy/",),
    cwe=200,
)

HTTP_ISOLATION = Rule(
    id="http.isolation",
    title="The page is not isolated from other origins",
    probe_class=ProbeClass.READ,
    check=check_isolation,
    needs=NO_ANSWER,
    impact="Defence in depth against cross-site leaks and Spectre is missing.",
    remediation="Send the headers; try Cross-Origin-Embedder-Policy in report-only mode first.",
    reproduce=curl_headers,
    references=(
        "https://owasp.org/www-project-secure-headers/",
        "https://web.dev/articles/coop-coep",
    ),
    cwe=693,
    effort=Effort.MEDIUM,
)

HTTP_OBSOLETE = Rule(
    id="http.obsolete",
    title="Obsolete headers are sent",
    probe_class=ProbeClass.READ,
    check=check_obsolete,
    needs=NO_ANSWER,
    impact="They do nothing at best, and some old browsers behave worse with them.",
    remediation="Remove the headers; X-XSS-Protection may stay with the value 0.",
    reproduce=curl_headers,
    references=("https://owasp.org/www-project-secure-headers/",),
)
