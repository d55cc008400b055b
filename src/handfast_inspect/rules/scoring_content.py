"""The grade's tests about content: Content-Security-Policy, cookies, subresource integrity."""

from __future__ import annotations

from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import Cookie, HttpResponseFact
from handfast_inspect.findings.grade import GradeItem
from handfast_inspect.rules.csp import (
    Policy,
    allows_eval,
    allows_inline,
    broad_sources,
    every_policy,
    plain_http_sources,
)
from handfast_inspect.rules.http_content import has_integrity, third_party_scripts
from handfast_inspect.rules.http_csp import policies_of
from handfast_inspect.rules.scoring_transport import has_hsts
from handfast_inspect.rules.session_cookie import is_csrf_cookie, is_deletion, is_session_cookie
from handfast_inspect.rules.web import has_header, host_of, is_https, split_url

_ACTIVE = ("script-src", "object-src")
_PASSIVE = ("img-src", "media-src", "font-src")
_SAME_SITE = {"strict", "lax", "none"}


def grade_csp(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Content-Security-Policy: +10 to -25."""
    del facts, now
    policies = policies_of(home)
    if not policies:
        absent = not has_header(home, "content-security-policy-report-only")
        return GradeItem("csp", "missing or invalid" if absent else "report-only", -25)
    result, modifier = _csp_result(policies)
    return GradeItem("csp", result, modifier)


def _csp_result(policies: tuple[Policy, ...]) -> tuple[str, int]:
    worst = (
        (
            "active content over http",
            -20,
            any(every_policy(policies, name, plain_http_sources) for name in _ACTIVE),
        ),
        (
            "unsafe-inline or broad script or object sources",
            -20,
            every_policy(policies, "script-src", allows_inline)
            or any(every_policy(policies, name, broad_sources) for name in _ACTIVE),
        ),
        ("unsafe-eval", -10, every_policy(policies, "script-src", allows_eval)),
        (
            "passive content over http",
            -10,
            any(every_policy(policies, name, plain_http_sources) for name in _PASSIVE),
        ),
        ("unsafe-inline in styles only", 0, every_policy(policies, "style-src", allows_inline)),
    )
    found = next(((words, points) for words, points, applies in worst if applies), None)
    if found is not None:
        return found
    closed = any(p.directives.get("default-src") in {(), ("'none'",)} for p in policies)
    forms = any("form-action" in policy.directives for policy in policies)
    return ("default-src 'none', no unsafe", 10) if closed and forms else ("no unsafe", 5)


def grade_cookies(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Cookies: +5 to -40; the worst cookie decides."""
    cookies = [cookie for cookie in home.cookies if not is_deletion(cookie, now)]
    if not cookies:
        return GradeItem("cookies", "no cookies", 0)
    hsts = has_hsts(facts, home)
    result, modifier = min((_worst(cookie, hsts=hsts) for cookie in cookies), key=lambda r: r[1])
    return GradeItem("cookies", result, modifier)


def _worst(cookie: Cookie, *, hsts: bool) -> tuple[str, int]:
    session = is_session_cookie(cookie)
    same_site = (cookie.same_site or "").lower()
    faults = (
        (session and not cookie.secure and not hsts, "session cookie without Secure", -40),
        (session and not cookie.http_only, "session cookie without HttpOnly", -30),
        (cookie.same_site is not None and same_site not in _SAME_SITE, "invalid SameSite", -20),
        (is_csrf_cookie(cookie) and not same_site, "anti-CSRF cookie without SameSite", -20),
        (not cookie.secure and not hsts, "cookie without Secure", -20),
        (session and not cookie.secure, "session cookie without Secure, under HSTS", -10),
        (not cookie.secure, "cookie without Secure, under HSTS", -5),
        (cookie.same_site is None, "secure, without SameSite", 0),
    )
    return next(
        ((words, points) for applies, words, points in faults if applies),
        ("secure with SameSite", 5),
    )


def grade_integrity(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Subresource integrity: +5 to -50."""
    del facts, now
    page = home.page
    scripts = third_party_scripts(home, page) if page is not None else ()
    if not scripts:
        return GradeItem("sri", "no scripts of other sites", 0)
    plain = [s for s in scripts if split_url(s.url).scheme == "http"]
    if any(not has_integrity(script) for script in plain):
        return GradeItem("sri", "scripts of other sites over http without integrity", -50)
    if plain or not is_https(home.final_url):
        return GradeItem("sri", "integrity, but not over https", -20)
    if any(not has_integrity(script) for script in scripts):
        names = ", ".join(sorted({host_of(s.url) for s in scripts if not has_integrity(s)}))
        return GradeItem("sri", f"scripts without integrity from {names}", -5)
    return GradeItem("sri", "integrity on all scripts of other sites", 5)
