"""Rules about how a site moves its visitors to https and keeps them there."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Hop, HttpResponseFact
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.hsts import Hsts, InvalidHsts, parse_hsts
from handfast_inspect.rules.reproduce import curl_body, curl_headers
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested
from handfast_inspect.rules.web import (
    NO_ANSWER,
    host_of,
    is_https,
    origin_asset,
    page_asset,
    pages,
    redirect_chain,
    split_url,
)

SIX_MONTHS = 15_552_000
"""Seconds; the least that Mozilla's Observatory accepts."""

ONE_YEAR = 31_536_000
"""Seconds; what the preload list asks for."""

_HSTS_CONFIG = (
    'add_header Strict-Transport-Security "max-age=63072000; includeSubDomains; preload" always;'
)
_REDIRECT_CONFIG = "return 301 https://$host$request_uri;"


def check_no_https(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand https, with the same content as http (Observatory "redirection"; internet.nl)."""
    del now
    for fact in facts.schemes:
        if fact.https_answers is None or fact.http_answers is None:
            yield untested(fact, fact.detail or "http or https could not be tried")
        elif fact.http_answers and not fact.https_answers:
            yield failed(
                fact,
                Severity.HIGH,
                "https/missing",
                "The site answers over http and not over https: everything travels in the clear.",
                observed=fact.detail or "http: answers, https: does not",
            )
        elif fact.same_content is False:
            yield failed(
                fact,
                Severity.HIGH,
                "https/other-content",
                "The site shows other content over https than over http, so visitors stay on http.",
                observed=fact.detail,
                doubt=Doubt(Confidence.MEDIUM, "pages that change by themselves can differ too"),
            )
        else:
            yield passed(fact, "https answers" if fact.https_answers else "no web server answers")


def check_redirect(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the way from http to https (Observatory "redirection")."""
    del now
    preloaded = {fact.asset.host for fact in facts.preload if fact.preloaded}
    for fact in facts.responses:
        if fact.purpose != "http_home":
            continue
        if fact.asset.host in preloaded:
            yield passed(fact, "the host is on the preload list; browsers never use http")
        elif chain := redirect_chain(fact):
            yield _redirect(fact, chain)
        else:
            yield passed(fact, f"nothing answers over http ({fact.error or 'no answer'})")


def _redirect(fact: HttpResponseFact, chain: Sequence[str]) -> Verdict:
    first = chain[1] if len(chain) > 1 else chain[0]
    shown = " → ".join(chain)
    if not is_https(chain[-1]):
        return failed(
            fact,
            Severity.MEDIUM,
            "redirect/missing",
            "A request over http is never sent on to https.",
            observed=shown,
            config=_REDIRECT_CONFIG,
        )
    if not is_https(first):
        return failed(
            fact,
            Severity.LOW,
            "redirect/first-hop-http",
            "The first redirect stays on http, where it can be changed on the way.",
            observed=shown,
        )
    if host_of(first) != host_of(chain[0]):
        return failed(
            fact,
            Severity.LOW,
            "redirect/first-hop-other-host",
            "The first redirect goes to another host, so the host asked for never gets to set "
            "its own HSTS.",
            observed=shown,
        )
    return passed(fact, shown)


def check_hsts(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge HSTS for each host that answers over https (RFC 6797)."""
    del now
    preload = {fact.asset.host: fact.preloaded for fact in facts.preload}
    for (host, _), (fact, hop) in _https_hosts(facts).items():
        if _is_address(host):
            yield passed(fact, "HSTS does not hold for address literals (RFC 6797, section 8.1.1)")
        else:
            yield from _judge_hsts(fact, hop, preload.get(host))


def _https_hosts(facts: Facts) -> dict[tuple[str, int], tuple[HttpResponseFact, Hop]]:
    """One hop for each https host: the first with the header, else the first."""
    found: dict[tuple[str, int], tuple[HttpResponseFact, Hop]] = {}
    for fact in facts.responses:
        for hop in fact.hops:
            if not is_https(hop.url):
                continue
            key = (host_of(hop.url), split_url(hop.url).port or 443)
            if key not in found or (found[key][1].hsts is None and hop.hsts is not None):
                found[key] = (fact, hop)
    return found


def _judge_hsts(fact: HttpResponseFact, hop: Hop, preloaded: bool | None) -> Iterator[Verdict]:  # noqa: FBT001 - three states
    site = origin_asset(fact, hop.url)
    if preloaded:
        yield passed(fact, "the host is on the HSTS preload list", asset=site)
        return
    where = "header:strict-transport-security"
    if hop.hsts is None:
        yield failed(
            fact,
            Severity.MEDIUM,
            f"{where}/missing",
            "The answer has no Strict-Transport-Security header.",
            observed=f"GET {hop.url} → {hop.status}, no Strict-Transport-Security",
            asset=site,
        )
        return
    line = f"Strict-Transport-Security: {hop.hsts}"
    policy = parse_hsts(hop.hsts)
    if isinstance(policy, InvalidHsts):
        yield failed(
            fact,
            Severity.MEDIUM,
            f"{where}/invalid",
            f"Browsers ignore the Strict-Transport-Security header: {policy.reason}.",
            observed=line,
            asset=site,
        )
        return
    problems = _weak_hsts(policy)
    if preloaded is False and not problems:
        problems.append((Severity.INFO, "not-preloaded", "The host is not on the preload list."))
    for severity, name, words in problems:
        yield failed(fact, severity, f"{where}/{name}", words, observed=line, asset=site)
    if not problems:
        yield passed(fact, line, asset=site)


def _weak_hsts(policy: Hsts) -> list[tuple[Severity, str, str]]:
    if policy.max_age == 0:
        return [(Severity.MEDIUM, "invalid", "max-age=0 switches HSTS off.")]
    problems: list[tuple[Severity, str, str]] = []
    if policy.max_age < SIX_MONTHS:
        words = f"HSTS lasts {policy.max_age} seconds; six months ({SIX_MONTHS}) are the least."
        problems.append((Severity.LOW, "short", words))
    elif policy.max_age < ONE_YEAR:
        words = f"HSTS lasts {policy.max_age} seconds, less than a year ({ONE_YEAR})."
        problems.append((Severity.INFO, "under-a-year", words))
    if not policy.include_subdomains:
        words = "HSTS does not cover subdomains, from which cookies of the domain can be set."
        problems.append((Severity.INFO, "subdomains", words))
    return problems


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def check_login_plain(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse password fields that are shown or sent over http (OWASP WSTG-ATHN-01)."""
    del now
    for fact, page in pages(facts):
        targets = [form.action for form in page.forms if form.has_password]
        plain = [url for url in targets if split_url(url).scheme == "http"]
        if not (page.has_password_field or targets):
            yield passed(fact, "the page asks for no password", asset=page_asset(fact))
        elif not is_https(fact.final_url):
            yield failed(
                fact,
                Severity.HIGH,
                "password/page-over-http",
                "The page asks for a password and was itself sent over http.",
                observed=f"<input type=password> on {fact.final_url}",
                asset=page_asset(fact),
            )
        elif plain:
            yield failed(
                fact,
                Severity.HIGH,
                "password/sent-over-http",
                "A form sends a password over http.",
                observed="\n".join(f"<form action={url}>" for url in plain),
                asset=page_asset(fact),
            )
        else:
            yield passed(fact, "the password stays on https", asset=page_asset(fact))


HTTP_NO_HTTPS = Rule(
    id="http.no_https",
    title="The site does not work over https",
    probe_class=ProbeClass.READ,
    check=check_no_https,
    needs="http and https were not both tried",
    impact="Everyone on the path can read and change what visitors see and send.",
    remediation="Get a certificate (ACME is free) and serve the same site over https.",
    config="listen 443 ssl;",
    reproduce=curl_headers,
    references=("https://observatory.mozilla.org/", "https://www.rfc-editor.org/rfc/rfc9110"),
    cwe=319,
    effort=Effort.MEDIUM,
)

HTTP_REDIRECT = Rule(
    id="http.redirect",
    title="http does not lead straight to https",
    probe_class=ProbeClass.READ,
    check=check_redirect,
    needs="the home page was not asked for over http",
    impact="Visitors who type the bare name can be kept on http by whoever sits on the path.",
    remediation="Answer every http request with a redirect to https on the same host.",
    config=_REDIRECT_CONFIG,
    reproduce=curl_headers,
    references=(
        "https://developer.mozilla.org/docs/Web/Security/Practical_implementation_guides/TLS",
    ),
    cwe=319,
)

HTTP_HSTS = Rule(
    id="http.hsts",
    title="HSTS is missing or weak",
    probe_class=ProbeClass.READ,
    check=check_hsts,
    needs="no answer over https was seen",
    impact="The first request of each visit can be taken over (SSL stripping).",
    remediation="Send the header on every https answer; raise max-age in steps.",
    config=_HSTS_CONFIG,
    reproduce=curl_headers,
    references=(
        "https://www.rfc-editor.org/rfc/rfc6797",
        "https://owasp.org/www-project-secure-headers/",
    ),
    cwe=523,
    would_change="Subdomains that must stay on http forbid includeSubDomains for the time being.",
)

HTTP_LOGIN_PLAIN = Rule(
    id="http.login_plain",
    title="A password travels over http",
    probe_class=ProbeClass.READ,
    check=check_login_plain,
    needs=NO_ANSWER,
    impact="Passwords can be read by everyone on the path.",
    remediation="Serve the page with the form over https and let the form post to https.",
    config=_REDIRECT_CONFIG,
    reproduce=curl_body,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
    cwe=523,
)
