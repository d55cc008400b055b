"""The rule about Content-Security-Policy."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.csp import (
    Policy,
    allows_eval,
    allows_inline,
    broad_sources,
    every_policy,
    parse_policies,
    plain_http_sources,
)
from handfast_inspect.rules.reproduce import curl_headers
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed
from handfast_inspect.rules.web import NO_ANSWER, answers, headers, is_html, origin_asset

_WHERE = "header:content-security-policy"
_HTTP_DIRECTIVES = ("script-src", "style-src", "img-src", "frame-src", "connect-src")


class Problem(NamedTuple):
    """One weakness of a page's policies."""

    severity: Severity
    name: str
    words: str


def check_csp(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the policies of each page (CSP Level 3; Observatory "content-security-policy")."""
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        if not is_html(fact):
            yield passed(fact, "the answer is not a page", asset=site)
            continue
        problems = _missing(fact) or _weaknesses(policies_of(fact))
        line = _shown(fact)
        for problem in problems:
            location = f"{_WHERE}/{problem.name}"
            yield failed(fact, problem.severity, location, problem.words, observed=line, asset=site)
        if not problems:
            yield passed(fact, "a policy without a known weakness", asset=site)


def policies_of(fact: HttpResponseFact) -> tuple[Policy, ...]:
    """Every enforced policy of an answer, from headers and meta elements."""
    meta = fact.page.meta_csp if fact.page is not None else ()
    return parse_policies(headers(fact, "content-security-policy"), meta)


def _missing(fact: HttpResponseFact) -> list[Problem]:
    if policies_of(fact):
        return []
    if headers(fact, "content-security-policy") or (fact.page and fact.page.meta_csp):
        words = "The policy has no directive that browsers know, so nothing is enforced."
        return [Problem(Severity.MEDIUM, "invalid", words)]
    if headers(fact, "content-security-policy-report-only"):
        words = "The policy only reports; it blocks nothing."
        return [Problem(Severity.MEDIUM, "report-only", words)]
    words = "The page has no Content-Security-Policy."
    return [Problem(Severity.MEDIUM, "missing", words)]


def _weaknesses(policies: tuple[Policy, ...]) -> list[Problem]:
    return [*_script_problems(policies), *_other_problems(policies)]


def _script_problems(policies: tuple[Policy, ...]) -> Iterator[Problem]:
    if not any(policy.sources("script-src") is not None for policy in policies):
        words = "Neither script-src nor default-src is given: scripts may come from anywhere."
        yield Problem(Severity.MEDIUM, "script-anything", words)
        return
    if every_policy(policies, "script-src", allows_inline):
        words = "'unsafe-inline' lets injected scripts run, which a policy is there to stop."
        yield Problem(Severity.MEDIUM, "unsafe-inline", words)
    if every_policy(policies, "script-src", broad_sources):
        words = "Scripts may come from nearly any host (a wildcard or a bare scheme)."
        yield Problem(Severity.MEDIUM, "broad-script", words)
    if every_policy(policies, "script-src", allows_eval):
        words = "'unsafe-eval' lets strings be run as code."
        yield Problem(Severity.LOW, "unsafe-eval", words)


def _other_problems(policies: tuple[Policy, ...]) -> Iterator[Problem]:
    if any(every_policy(policies, name, plain_http_sources) for name in _HTTP_DIRECTIVES):
        words = "The policy allows content over http, which can be changed on the way."
        yield Problem(Severity.LOW, "http-sources", words)
    if all(policy.sources("object-src") is None for policy in policies):
        words = "Neither object-src nor default-src is given: plug-in content may load."
        yield Problem(Severity.LOW, "no-object-src", words)
    for name, words in (
        ("base-uri", "base-uri is not given: an injected base element redirects relative URLs."),
        ("form-action", "form-action is not given: an injected form may send data anywhere."),
    ):
        if not any(name in policy.directives for policy in policies):
            yield Problem(Severity.LOW, f"no-{name}", words)


def _shown(fact: HttpResponseFact) -> str:
    lines = [f"Content-Security-Policy: {v}" for v in headers(fact, "content-security-policy")]
    if fact.page is not None:
        lines += [f"meta Content-Security-Policy: {value}" for value in fact.page.meta_csp]
    lines += [
        f"Content-Security-Policy-Report-Only: {value}"
        for value in headers(fact, "content-security-policy-report-only")
    ]
    return "\n".join(lines) or f"GET {fact.final_url}: no Content-Security-Policy"


HTTP_CSP = Rule(
    id="http.csp",
    title="The Content-Security-Policy is missing or weak",
    probe_class=ProbeClass.READ,
    check=check_csp,
    needs=NO_ANSWER,
    impact="A flaw that lets an attacker write into a page becomes a takeover of the session.",
    remediation="Start in report-only mode, then enforce a policy with nonces.",
    config=(
        "Content-Security-Policy: default-src 'self'; script-src 'nonce-{random}' "
        "'strict-dynamic'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    reproduce=curl_headers,
    references=(
        "https://www.w3.org/TR/CSP3/",
        "https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP",
    ),
    cwe=693,
    effort=Effort.MEDIUM,
    would_change="A static site without scripts, forms and cookies has little to protect here.",
)
