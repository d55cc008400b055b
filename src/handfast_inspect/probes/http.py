"""The front page over http and https: redirects, headers, cookies, what the page loads."""

from __future__ import annotations

import hashlib
import re
from typing import Final, Literal

from handfast.errors import EgressDenied
from handfast.network.failure import FailureKind
from handfast.network.http import Answer, Fetched
from handfast_inspect.facts.http import Cookie, Hop, HttpResponseFact, SchemeFact
from handfast_inspect.facts.page import Page
from handfast_inspect.facts.service import ProductFact
from handfast_inspect.probes.cookies import read_cookies
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.pages import looks_like_html, read_page
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.site import (
    asset_of,
    fetch_home,
    kept_headers,
    prove_fetch,
    text_of,
    trouble_of,
)

HOME_RULES: Final = (
    *("http.no_https", "http.redirect", "http.hsts", "http.csp", "http.framing", "http.nosniff"),
    *("http.referrer", "http.isolation", "http.obsolete", "http.mixed", "http.sri"),
    *("http.cookie.", "http.banner", "http.eol", "http.login_plain"),
)
"""What stays untested when no front page is seen."""

REFUSED_VERSIONS: Final = frozenset({"SSLv2", "SSLv3", "TLSv1", "TLSv1.1"})
"""Versions, in OpenSSL's words, that no browser speaks any more (RFC 8996)."""

ALIKE: Final = 0.5
"""The share of common words from which two pages are called the same."""

_WORD: Final = re.compile(r"\w{3,40}")
_MAX_WORDS: Final = 2000
_SUCCESS: Final = range(200, 300)
_GENERATOR: Final = re.compile(r"([A-Za-z][\w .+-]{0,40}?)[ /]v?([0-9]+(?:\.[0-9]+){0,3})")


async def look_at_home(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Fetches both front pages and writes down all that they say."""
    over_http = await _look(target, context, notes, "http")
    over_https = await _look(target, context, notes, "https")
    if over_http is None and over_https is None:
        return
    notes.fact(
        SchemeFact(
            asset=target.asset,
            evidence=(),
            http_answers=_answers(over_http),
            https_answers=_answers(over_https),
            same_content=_same_content(over_http, over_https),
            detail=_scheme_detail(over_http, over_https),
        )
    )


async def _look(
    target: Target, context: ProbeContext, notes: Notes, scheme: Literal["http", "https"]
) -> Fetched | None:
    try:
        fetched = await fetch_home(context, target, scheme)
    except EgressDenied as error:
        notes.gap(target.asset, HOME_RULES, f"{scheme} was not tried: {error.reason}")
        return None
    asset = asset_of(target, fetched)
    evidence = prove_fetch(notes, asset, fetched)
    fact = response_fact(
        target, fetched, evidence, "http_home" if scheme == "http" else "https_home"
    )
    notes.fact(fact)
    if fetched.failure is not None and not _is_closed(fetched):
        words = f"{fetched.request.url} gave no whole answer: {fetched.failure}"
        notes.gap(asset, HOME_RULES, words, "error")
    product = _generator(fact.page)
    if product is not None:
        source = "generator meta element"
        notes.fact(ProductFact(asset, evidence, product[0], product[1], source))
    return fetched


def response_fact(
    target: Target,
    fetched: Fetched,
    evidence: tuple[str, ...],
    purpose: Literal["http_home", "https_home", "page"],
) -> HttpResponseFact:
    """Turns what came into a fact.

    Args:
        target: The target.
        fetched: What came.
        evidence: Ids of what proves it.
        purpose: Which door was asked at.
    """
    last = fetched.last
    final = last if last is not None and not trouble_of(fetched) else None
    return HttpResponseFact(
        asset=asset_of(target, fetched),
        evidence=evidence,
        purpose=purpose,
        url=fetched.request.url,
        hops=tuple(map(_hop, fetched.answers)),
        final_url=final.url if final else "",
        status=final.status if final else None,
        http_version=final.http_version if final else "",
        headers=kept_headers(final) if final else (),
        cookies=_cookies(fetched.answers),
        page=_page(fetched, final),
        body_sha256=hashlib.sha256(fetched.body).hexdigest() if final else "",
        body_length=len(fetched.body) if final else 0,
        certificate_valid=_certificate_valid(fetched),
        error=trouble_of(fetched),
    )


def _hop(answer: Answer) -> Hop:
    return Hop(
        answer.url,
        answer.status,
        answer.header("location"),
        answer.peer,
        answer.header("strict-transport-security"),
    )


def _cookies(answers: tuple[Answer, ...]) -> tuple[Cookie, ...]:
    lines = ((answer.all_headers("set-cookie"), answer.url) for answer in answers)
    return tuple(cookie for values, url in lines for cookie in read_cookies(values, url))


def _page(fetched: Fetched, final: Answer | None) -> Page | None:
    if final is None or not looks_like_html(final.header("content-type") or "", fetched.body):
        return None
    return read_page(text_of(fetched), final.url)


def _certificate_valid(fetched: Fetched) -> bool | None:
    over_tls = any(answer.tls_version for answer in fetched.answers)
    refused = fetched.failure is not None and fetched.failure.kind is FailureKind.CERTIFICATE
    if refused or (over_tls and not fetched.request.verify):
        return False
    return True if over_tls else None


def _answers(fetched: Fetched | None) -> bool | None:
    """Whether a scheme answers a browser of today; None where that could not be told."""
    if fetched is None:
        return None
    if fetched.answers:
        return fetched.answers[0].tls_version not in REFUSED_VERSIONS
    return False if _is_closed(fetched) else None


def _is_closed(fetched: Fetched) -> bool:
    return fetched.failure is not None and fetched.failure.kind in {
        FailureKind.REFUSED,
        FailureKind.CLOSED,
        FailureKind.TLS,
    }


def _same_content(over_http: Fetched | None, over_https: Fetched | None) -> bool | None:
    """Compared only when both show a page of their own."""
    own = [
        fetched
        for fetched, scheme in ((over_http, "http:"), (over_https, "https:"))
        if fetched is not None
        and fetched.last is not None
        and not trouble_of(fetched)
        and fetched.last.status in _SUCCESS
        and fetched.last.url.startswith(scheme)
    ]
    if len(own) < 2:  # noqa: PLR2004 - both of them
        return None
    return alike(text_of(own[0]), text_of(own[1]))


def alike(first: str, second: str) -> bool:
    """Whether two pages show the same: half of their words are common.

    Pages differ by themselves (times, tokens, advertisements), so they are not compared byte by
    byte.
    """
    words = [set(_WORD.findall(text)[:_MAX_WORDS]) for text in (first, second)]
    union = words[0] | words[1]
    return not union or len(words[0] & words[1]) / len(union) >= ALIKE


def _scheme_detail(over_http: Fetched | None, over_https: Fetched | None) -> str:
    words = [
        f"{scheme}: {_said(fetched)}"
        for scheme, fetched in (("http", over_http), ("https", over_https))
    ]
    return ", ".join(words)


def _said(fetched: Fetched | None) -> str:
    if fetched is None:
        return "not in scope"
    if fetched.last is not None:
        version = fetched.answers[0].tls_version
        old = f" over {version}, which browsers refuse" if version in REFUSED_VERSIONS else ""
        return f"status {fetched.last.status}{old}"
    return str(fetched.failure) if fetched.failure else "no answer"


def _generator(page: Page | None) -> tuple[str, str] | None:
    match = _GENERATOR.match(page.generator) if page else None
    return (match.group(1).strip().lower(), match.group(2)) if match else None
