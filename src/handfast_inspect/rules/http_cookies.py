"""Rules about cookies (RFC 6265bis)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie, HttpResponseFact
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity
from handfast_inspect.rules.hsts import Hsts, parse_hsts
from handfast_inspect.rules.reproduce import curl_headers
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed
from handfast_inspect.rules.session_cookie import is_csrf_cookie, is_deletion, is_session_cookie
from handfast_inspect.rules.web import NO_ANSWER, is_https, split_url

_CONFIG = "Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax"
_BY_NAME = Doubt(Confidence.MEDIUM, "that the cookie holds a session is judged by its name")
_SAME_SITE = {"strict", "lax", "none"}
_RFC = "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis"


class Seen(NamedTuple):
    """A cookie with where it was seen."""

    fact: HttpResponseFact
    cookie: Cookie
    asset: Asset
    under_hsts: bool

    @property
    def session(self) -> bool:
        """Whether it seems to hold a session."""
        return is_session_cookie(self.cookie)

    def fail(self, severity: Severity, attribute: str, words: str) -> Verdict:
        """A failure about one attribute of this cookie."""
        return failed(
            self.fact,
            severity,
            f"cookie:{self.cookie.name}/{attribute}",
            words,
            observed=show_cookie(self.cookie),
            asset=self.asset,
            doubt=_BY_NAME if self.session else None,
        )


def show_cookie(cookie: Cookie) -> str:
    """The Set-Cookie line without the value."""
    parts = [f"Set-Cookie: {cookie.name}=(value not shown)"]
    parts += [f"Domain={cookie.domain}"] if cookie.domain else []
    parts += [f"Path={cookie.path}"] if cookie.path else []
    parts += ["Secure"] if cookie.secure else []
    parts += ["HttpOnly"] if cookie.http_only else []
    parts += [f"SameSite={cookie.same_site}"] if cookie.same_site is not None else []
    return "; ".join(parts)


def _cookies(facts: Facts, now: datetime) -> Iterator[Seen]:
    """Every cookie once for each host: where http and https set it, the https one counts."""
    seen: dict[tuple[str, str], Seen] = {}
    for fact in facts.responses:
        for cookie in fact.cookies:
            if is_deletion(cookie, now):
                continue
            asset = _asset(fact, cookie)
            key = (asset.host, cookie.name)
            if key not in seen or (is_https(asset.url or "") and not _is_on_https(seen[key])):
                seen[key] = Seen(fact, cookie, asset, _under_hsts(facts, asset.host))
    yield from seen.values()


def _is_on_https(seen: Seen) -> bool:
    return is_https(seen.asset.url or "")


def _asset(fact: HttpResponseFact, cookie: Cookie) -> Asset:
    parts = split_url(cookie.url or fact.final_url)
    host = cookie.host or parts.hostname or fact.asset.host
    url = f"{parts.scheme}://{parts.netloc}/" if parts.netloc else fact.asset.url
    return Asset(host, fact.asset.ip, fact.asset.port, url)


def _under_hsts(facts: Facts, host: str) -> bool:
    if any(fact.preloaded and fact.asset.host == host for fact in facts.preload):
        return True
    values = (
        hop.hsts
        for fact in facts.responses
        for hop in fact.hops
        if hop.hsts is not None and is_https(hop.url) and split_url(hop.url).hostname == host
    )
    policies = (parse_hsts(value) for value in values)
    return any(isinstance(policy, Hsts) and policy.max_age > 0 for policy in policies)


def _without_cookies(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """A pass for every answer that sets no cookie, so that "no cookies" is not "not tested"."""
    for fact in facts.responses:
        kept = [cookie for cookie in fact.cookies if not is_deletion(cookie, now)]
        if fact.status is not None and not kept:
            yield passed(fact, "no cookie is set")


def check_secure(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand Secure (RFC 6265bis, section 4.1.2.5; Observatory "cookies")."""
    yield from _without_cookies(facts, now)
    for seen in _cookies(facts, now):
        name = seen.cookie.name
        if seen.cookie.secure:
            yield passed(seen.fact, f"{name} is Secure", asset=seen.asset)
        elif not seen.session:
            yield seen.fail(Severity.LOW, "secure", f"The cookie {name} is sent over http too.")
        elif seen.under_hsts:
            words = f"The session cookie {name} is not Secure; only HSTS keeps it off http."
            yield seen.fail(Severity.MEDIUM, "secure", words)
        else:
            words = f"The session cookie {name} is sent over http too, where it can be read."
            yield seen.fail(Severity.HIGH, "secure", words)


def check_http_only(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand HttpOnly of session cookies (RFC 6265bis, section 4.1.2.6)."""
    yield from _without_cookies(facts, now)
    for seen in _cookies(facts, now):
        name = seen.cookie.name
        if seen.cookie.http_only:
            yield passed(seen.fact, f"{name} is HttpOnly", asset=seen.asset)
        elif seen.session:
            words = f"The session cookie {name} can be read by scripts."
            yield seen.fail(Severity.MEDIUM, "httponly", words)
        else:
            yield passed(seen.fact, f"{name} does not look like a session", asset=seen.asset)


def check_same_site(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge SameSite (RFC 6265bis, section 4.1.2.7).

    An absent attribute is low for cookies that prove something (session, anti-CSRF), info for
    others: browsers take Lax by default, but not all of them and not at once.
    """
    yield from _without_cookies(facts, now)
    for seen in _cookies(facts, now):
        yield _same_site(seen)


def _same_site(seen: Seen) -> Verdict:
    cookie, value = seen.cookie, seen.cookie.same_site
    matters = seen.session or is_csrf_cookie(cookie)
    if value is None:
        severity = Severity.LOW if matters else Severity.INFO
        return seen.fail(severity, "samesite", f"The cookie {cookie.name} has no SameSite.")
    if value.lower() not in _SAME_SITE:
        words = f"The cookie {cookie.name} has an unknown SameSite value, which counts as none."
        return seen.fail(Severity.LOW, "samesite-invalid", words)
    if value.lower() == "none" and not cookie.secure:
        words = f"The cookie {cookie.name} is SameSite=None without Secure; browsers refuse it."
        return seen.fail(Severity.MEDIUM, "samesite-none", words)
    return passed(seen.fact, f"{cookie.name} is SameSite={value}", asset=seen.asset)


def check_scope(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge how far session cookies reach (RFC 6265bis, sections 4.1.2.3 and 4.1.3.2)."""
    yield from _without_cookies(facts, now)
    for seen in _cookies(facts, now):
        cookie = seen.cookie
        domain = (cookie.domain or "").lower().lstrip(".")
        if not seen.session:
            yield passed(seen.fact, f"{cookie.name} does not look like a session", asset=seen.asset)
        elif domain and domain != cookie.host:
            words = f"The session cookie {cookie.name} is sent to every host below {domain}."
            yield seen.fail(Severity.LOW, "domain", words)
        elif not cookie.name.startswith("__Host-"):
            words = (
                f"The session cookie {cookie.name} has no __Host- prefix, so a subdomain or an "
                "http answer can overwrite it."
            )
            yield seen.fail(Severity.INFO, "prefix", words)
        else:
            yield passed(seen.fact, f"{cookie.name} is bound to its host", asset=seen.asset)


COOKIE_SECURE = Rule(
    id="http.cookie.secure",
    title="A cookie is not Secure",
    probe_class=ProbeClass.READ,
    check=check_secure,
    needs=NO_ANSWER,
    impact="A session can be stolen from the first request over http.",
    remediation="Add Secure to every cookie.",
    config=_CONFIG,
    reproduce=curl_headers,
    references=(_RFC + "#section-4.1.2.5",),
    cwe=614,
)

COOKIE_HTTPONLY = Rule(
    id="http.cookie.httponly",
    title="A session cookie can be read by scripts",
    probe_class=ProbeClass.READ,
    check=check_http_only,
    needs=NO_ANSWER,
    impact="One injected script is enough to steal sessions.",
    remediation="Add HttpOnly to session cookies.",
    config=_CONFIG,
    reproduce=curl_headers,
    references=(_RFC + "#section-4.1.2.6",),
    cwe=1004,
    would_change="A cookie that holds no session needs no HttpOnly.",
)

COOKIE_SAMESITE = Rule(
    id="http.cookie.samesite",
    title="A cookie has no valid SameSite",
    probe_class=ProbeClass.READ,
    check=check_same_site,
    needs=NO_ANSWER,
    impact="Other sites can send requests in the visitor's name (CSRF).",
    remediation="Set SameSite=Lax or Strict; None only with Secure and only where it is needed.",
    config=_CONFIG,
    reproduce=curl_headers,
    references=(_RFC + "#section-4.1.2.7",),
    cwe=1275,
)

COOKIE_SCOPE = Rule(
    id="http.cookie.scope",
    title="A session cookie reaches further than it must",
    probe_class=ProbeClass.READ,
    check=check_scope,
    needs=NO_ANSWER,
    impact="A weak host next door can read or plant sessions.",
    remediation="Leave Domain out and use the __Host- prefix.",
    config=_CONFIG,
    reproduce=curl_headers,
    references=(_RFC + "#section-4.1.3.2",),
    cwe=1275,
    would_change="A login that is shared among hosts on purpose needs the Domain attribute.",
)
