"""The grade's tests about transport: CORS, redirection, HSTS."""

from __future__ import annotations

from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import HttpResponseFact
from handfast_inspect.findings.grade import GradeItem
from handfast_inspect.rules.hsts import Hsts, InvalidHsts, parse_hsts
from handfast_inspect.rules.http_transport import SIX_MONTHS
from handfast_inspect.rules.web import headers, host_of, is_https, redirect_chain


def grade_cors(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """CORS: 0, or -50 when any origin may read answers with credentials."""
    del now
    seen = [fact for fact in facts.cors if fact.asset.host == host_of(home.final_url)]
    if not seen:
        return GradeItem("cors", "not tested", 0)
    for fact in seen:
        if fact.allow_origin == fact.sent_origin and fact.allow_credentials == "true":
            return GradeItem("cors", "any origin with credentials", -50)
    return GradeItem("cors", "none, public or restricted", 0)


def grade_redirection(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """Redirection: 0 to -20."""
    del now
    host = host_of(home.final_url)
    if is_preloaded(facts, host):
        return GradeItem("redirection", "preloaded", 0)
    asked = [
        fact
        for fact in facts.responses
        if fact.purpose == "http_home" and host in {fact.asset.host, host_of(fact.final_url)}
    ]
    answered = [fact for fact in asked if fact.hops]
    if not answered:
        words = "nothing answers over http" if asked else "not tested"
        return GradeItem("redirection", words, 0)
    result, modifier = min(map(_redirection, answered), key=lambda item: item[1])
    return GradeItem("redirection", result, modifier)


def _redirection(fact: HttpResponseFact) -> tuple[str, int]:
    chain = redirect_chain(fact)
    if fact.certificate_valid is False:
        return ("invalid certificate", -20)
    if not is_https(chain[-1]):
        return ("never reaches https", -20)
    first = chain[min(1, len(chain) - 1)]
    if not is_https(first):
        return ("first hop stays on http", -10)
    if host_of(first) != host_of(chain[0]):
        return ("first hop goes to another host", -5)
    return ("to https on the same host", 0)


def grade_hsts(facts: Facts, home: HttpResponseFact, now: datetime) -> GradeItem:
    """HSTS: +5 to -20."""
    del now
    if is_preloaded(facts, host_of(home.final_url)):
        return GradeItem("hsts", "preloaded", 5)
    if not is_https(home.final_url):
        return GradeItem("hsts", "no https", -20)
    if home.certificate_valid is False:
        return GradeItem("hsts", "invalid certificate", -20)
    policy = _hsts(home)
    if isinstance(policy, InvalidHsts) or policy.max_age == 0:
        return GradeItem("hsts", "missing or invalid", -20)
    if policy.max_age < SIX_MONTHS:
        return GradeItem("hsts", "less than six months", -10)
    return GradeItem("hsts", "six months or more", 0)


def has_hsts(facts: Facts, home: HttpResponseFact) -> bool:
    """Whether HSTS protects the cookies of a site."""
    policy = _hsts(home)
    return is_preloaded(facts, host_of(home.final_url)) or (
        is_https(home.final_url)
        and home.certificate_valid is not False
        and isinstance(policy, Hsts)
        and policy.max_age > 0
    )


def is_preloaded(facts: Facts, host: str) -> bool:
    """Whether the preload list that was looked at has the host."""
    return any(fact.preloaded for fact in facts.preload if fact.asset.host == host)


def _hsts(home: HttpResponseFact) -> Hsts | InvalidHsts:
    values = headers(home, "strict-transport-security")
    return parse_hsts(values[0]) if values else InvalidHsts("missing")
