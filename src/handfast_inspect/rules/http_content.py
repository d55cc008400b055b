"""Rules about what a page loads: mixed content and subresource integrity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.facts.page import Page, ScriptReference
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import curl_body
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed
from handfast_inspect.rules.web import (
    NO_ANSWER,
    host_of,
    is_https,
    page_asset,
    pages,
    same_site,
    split_url,
)

_INTEGRITY = re.compile(r"sha(256|384|512)-[A-Za-z0-9+/_-]+={0,2}(\?[\x21-\x7e]*)?")
_MOST_SHOWN = 20


def check_mixed(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse http content on https pages (W3C Mixed Content; Observatory; ZAP 10040, 10042)."""
    del now
    for fact, page in pages(facts):
        asset = page_asset(fact)
        if not is_https(fact.final_url):
            yield passed(fact, "the page itself is on http", asset=asset)
            continue
        problems = list(_mixed_problems(page))
        for severity, name, words, urls in problems:
            yield failed(fact, severity, f"mixed/{name}", words, observed=_shown(urls), asset=asset)
        if not problems:
            yield passed(fact, "everything on the page comes over https", asset=asset)


def _mixed_problems(page: Page) -> Iterator[tuple[Severity, str, str, list[str]]]:
    active = [s.url for s in page.subresources if s.kind == "active" and _is_http(s.url)]
    for severity, name, words, urls in (
        (
            Severity.HIGH,
            "script",
            "The https page loads scripts over http.",
            [script.url for script in page.scripts if _is_http(script.url)],
        ),
        (
            Severity.HIGH,
            "active",
            "The https page loads styles, frames or other active content over http.",
            active,
        ),
        (
            Severity.HIGH,
            "form",
            "A form on the https page sends its data over http.",
            [form.action for form in page.forms if _is_http(form.action)],
        ),
        (
            Severity.LOW,
            "passive",
            "The https page shows images or media that come over http.",
            [s.url for s in page.subresources if s.kind == "passive" and _is_http(s.url)],
        ),
    ):
        if urls:
            yield (severity, name, words, urls)


def check_integrity(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand integrity for scripts of third parties (W3C SRI; Observatory; ZAP 90003)."""
    del now
    for fact, page in pages(facts):
        asset = page_asset(fact)
        bare = [script.url for script in unprotected_scripts(fact, page)]
        if not bare:
            yield passed(fact, "no third-party script without integrity", asset=asset)
            continue
        yield failed(
            fact,
            Severity.LOW,
            "script/integrity",
            "Scripts of other sites are loaded without an integrity hash.",
            observed=_shown(bare),
            asset=asset,
            doubt=Doubt(
                Confidence.MEDIUM, "which hosts belong to the same owner is judged by their names"
            ),
        )


def third_party_scripts(fact: HttpResponseFact, page: Page) -> tuple[ScriptReference, ...]:
    """Scripts that another site serves."""
    own = host_of(fact.final_url)
    return tuple(
        script
        for script in page.scripts
        if host_of(script.url) and not same_site(own, host_of(script.url))
    )


def unprotected_scripts(fact: HttpResponseFact, page: Page) -> tuple[ScriptReference, ...]:
    """Third-party scripts without a valid integrity attribute."""
    return tuple(script for script in third_party_scripts(fact, page) if not has_integrity(script))


def has_integrity(script: ScriptReference) -> bool:
    """Whether the integrity attribute holds at least one hash that browsers know."""
    return any(_INTEGRITY.fullmatch(token) for token in script.integrity.split())


def _is_http(url: str) -> bool:
    return split_url(url).scheme == "http"


def _shown(urls: list[str]) -> str:
    unique = list(dict.fromkeys(urls))
    more = len(unique) - _MOST_SHOWN
    return "\n".join(unique[:_MOST_SHOWN] + ([f"… and {more} more"] if more > 0 else []))


HTTP_MIXED = Rule(
    id="http.mixed",
    title="An https page uses http content",
    probe_class=ProbeClass.READ,
    check=check_mixed,
    needs=NO_ANSWER,
    impact="Whoever sits on the path can change the page or read what its forms send.",
    remediation="Load everything over https.",
    config="Content-Security-Policy: upgrade-insecure-requests",
    reproduce=curl_body,
    references=("https://www.w3.org/TR/mixed-content/",),
    cwe=319,
    would_change="Current browsers block active mixed content; then the page is broken instead.",
)

HTTP_SRI = Rule(
    id="http.sri",
    title="Third-party scripts are not pinned",
    probe_class=ProbeClass.READ,
    check=check_integrity,
    needs=NO_ANSWER,
    impact="Whoever takes over the other host runs code in this site's pages.",
    remediation="Add integrity and crossorigin, or host the script yourself.",
    config='<script src="…" integrity="sha384-…" crossorigin="anonymous"></script>',
    reproduce=curl_body,
    references=("https://www.w3.org/TR/sri-2/",),
    cwe=353,
    effort=Effort.MEDIUM,
    would_change="A script that changes by design (a tag manager) cannot be pinned.",
)
