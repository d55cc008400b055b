"""The rule about framing: X-Frame-Options and frame-ancestors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.finding import ProbeClass, Severity
from handfast_inspect.rules.csp import frame_ancestors, protects_framing
from handfast_inspect.rules.http_csp import policies_of
from handfast_inspect.rules.reproduce import curl_headers
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed
from handfast_inspect.rules.session_cookie import is_session_cookie
from handfast_inspect.rules.web import NO_ANSWER, answers, headers, is_html, origin_asset

_WHERE = "header:x-frame-options"
_VALID = {"deny", "sameorigin"}


def check_framing(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge who may put a page into a frame.

    An enforced frame-ancestors in a header makes X-Frame-Options unnecessary, and browsers then
    ignore it (CSP Level 3, section 6.4.2.2). In a meta element neither of them counts.
    """
    del now
    for fact in answers(facts):
        site = origin_asset(fact)
        if not is_html(fact):
            yield passed(fact, "the answer is not a page", asset=site)
            continue
        problem = framing_problem(fact)
        if problem is None:
            yield passed(fact, "strangers cannot frame the page", asset=site)
            continue
        name, words = problem
        yield failed(
            fact, _severity(fact), f"{_WHERE}/{name}", words, observed=_shown(fact), asset=site
        )


def framing_problem(fact: HttpResponseFact) -> tuple[str, str] | None:
    """What is wrong with the framing protection of an answer.

    Args:
        fact: An answer with a page.

    Returns:
        A stable name and a sentence, or None when strangers cannot frame the page.
    """
    policies = policies_of(fact)
    if protects_framing(policies):
        return None
    if frame_ancestors(policies) is not None:
        return ("ancestors-open", "frame-ancestors lets nearly anybody frame the page.")
    values = _frame_options(fact)
    if not values:
        words = "Neither frame-ancestors nor X-Frame-Options is sent; any site can frame the page."
        if fact.page is not None and fact.page.meta_framing:
            words += " X-Frame-Options in a meta element is ignored by browsers."
        return ("missing", words)
    if values <= _VALID or (len(values) > 1 and values & _VALID):
        return None
    if any(value.startswith("allow-from") for value in values):
        return ("allow-from", "ALLOW-FROM is obsolete and ignored by browsers.")
    return ("invalid", "The X-Frame-Options value is not known, so browsers ignore it.")


def _frame_options(fact: HttpResponseFact) -> set[str]:
    """The set of values, as HTML demands: split at commas, trimmed, lower case."""
    joined = ",".join(headers(fact, "x-frame-options"))
    return {part.strip().lower() for part in joined.split(",") if part.strip()}


def _severity(fact: HttpResponseFact) -> Severity:
    has_form = fact.page is not None and bool(fact.page.forms or fact.page.has_password_field)
    has_session = any(is_session_cookie(cookie) for cookie in fact.cookies)
    return Severity.MEDIUM if has_form or has_session else Severity.LOW


def _shown(fact: HttpResponseFact) -> str:
    lines = [f"X-Frame-Options: {value}" for value in headers(fact, "x-frame-options")]
    lines += [
        f"Content-Security-Policy: {value}"
        for value in headers(fact, "content-security-policy")
        if "frame-ancestors" in value.lower()
    ]
    return "\n".join(lines) or f"GET {fact.final_url}: no X-Frame-Options, no frame-ancestors"


HTTP_FRAMING = Rule(
    id="http.framing",
    title="The site can be framed by strangers",
    probe_class=ProbeClass.READ,
    check=check_framing,
    needs=NO_ANSWER,
    impact="Visitors can be tricked into clicking on the hidden page (clickjacking).",
    remediation="Send frame-ancestors; add X-Frame-Options only for very old browsers.",
    config="Content-Security-Policy: frame-ancestors 'none'",
    reproduce=curl_headers,
    references=(
        "https://www.w3.org/TR/CSP3/#directive-frame-ancestors",
        "https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header",
    ),
    cwe=1021,
    would_change="A page that is meant to be embedded needs a list of the sites that may do it.",
)
