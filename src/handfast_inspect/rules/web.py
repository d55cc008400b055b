"""Reading HTTP facts: which answers count, their headers, origins and sites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, urljoin, urlsplit

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.facts.page import Page

NO_ANSWER = "no web page was seen: nothing answered over http or https"

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SHARED_SECOND_LEVEL = {"ac", "co", "com", "edu", "gov", "net", "org", "or", "ne", "go"}
_COUNTRY_LENGTH = 2
_SHARED_LABELS = 3
_REDIRECT = range(300, 400)


def split_url(url: str) -> SplitResult:
    """Split a URL that a target may have written; a malformed one comes out empty."""
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname
    except ValueError:
        return SplitResult("", "", "", "", "")
    return parts


def host_of(url: str) -> str:
    """The host of a URL, lower case; empty when there is none."""
    return split_url(url).hostname or ""


def is_https(url: str) -> bool:
    """Whether a URL uses https."""
    return split_url(url).scheme == "https"


def answers(facts: Facts) -> tuple[HttpResponseFact, ...]:
    """The answers that header rules judge.

    Answers over plain http are left out for hosts that also answer over https: there the redirect
    rule speaks, and the https answer is the one that visitors get.
    """
    final = [fact for fact in facts.responses if fact.status is not None and fact.final_url]
    secure_hosts = {host_of(fact.final_url) for fact in final if is_https(fact.final_url)}
    return tuple(
        fact
        for fact in final
        if is_https(fact.final_url) or host_of(fact.final_url) not in secure_hosts
    )


def pages(facts: Facts) -> Iterator[tuple[HttpResponseFact, Page]]:
    """Answers that are HTML, with what they contain."""
    for fact in answers(facts):
        if fact.page is not None:
            yield fact, fact.page


def is_html(fact: HttpResponseFact) -> bool:
    """Whether a browser would show the answer as a page."""
    return fact.page is not None or "html" in header(fact, "content-type").lower()


def headers(fact: HttpResponseFact, name: str) -> tuple[str, ...]:
    """Every value of one header of the final answer, in order."""
    return tuple(value for key, value in fact.headers if key.lower() == name)


def header(fact: HttpResponseFact, name: str) -> str:
    """The values of one header joined by commas, as HTTP allows; empty when it is absent."""
    return ", ".join(headers(fact, name))


def has_header(fact: HttpResponseFact, name: str) -> bool:
    """Whether the final answer has a header, an empty one included."""
    return bool(headers(fact, name))


def origin_asset(fact: HttpResponseFact, url: str = "") -> Asset:
    """The site that gave an answer: findings about headers hold for it, not for one page.

    Args:
        fact: The answer.
        url: Another URL of it, such as an earlier hop; the final one by default.

    Returns:
        An asset whose URL is the origin with the path `/`.
    """
    parts = split_url(url or fact.final_url)
    host = parts.hostname or fact.asset.host
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    return Asset(host, fact.asset.ip, port, f"{parts.scheme}://{parts.netloc}/")


def page_asset(fact: HttpResponseFact) -> Asset:
    """The page that gave an answer, without query and fragment."""
    site = origin_asset(fact)
    parts = split_url(fact.final_url)
    return Asset(site.host, site.ip, site.port, f"{parts.scheme}://{parts.netloc}{parts.path}")


def redirect_chain(fact: HttpResponseFact) -> tuple[str, ...]:
    """URLs visited, and at the end one that was pointed at but not followed.

    A redirect that leaves the scope is not followed, but where it points is known all the same.
    """
    urls = [hop.url for hop in fact.hops]
    if fact.hops:
        last = fact.hops[-1]
        if last.status in _REDIRECT and last.location:
            urls.append(_joined(last.url, last.location))
    return tuple(urls)


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        return ""


def same_site(first: str, second: str) -> bool:
    """Whether two hosts seem to belong to one registered domain.

    Without a public suffix list this is a guess that favours "same": the last two labels decide,
    three below shared second levels such as `co.uk`.
    """
    return _site(first) == _site(second)


def _site(host: str) -> tuple[str, ...]:
    if re.fullmatch(r"[0-9.]+", host) or ":" in host:
        return (host,)
    labels = tuple(host.lower().strip(".").split("."))
    shared = (
        len(labels) >= _SHARED_LABELS
        and len(labels[-1]) == _COUNTRY_LENGTH
        and labels[-2] in _SHARED_SECOND_LEVEL
    )
    return labels[-3:] if shared else labels[-2:]
