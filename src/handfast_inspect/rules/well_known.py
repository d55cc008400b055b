"""Rules about security.txt and robots.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import SecurityTxtFact
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity
from handfast_inspect.rules.reproduce import curl_body
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested
from handfast_inspect.rules.web import is_https

_OK = 200
_YEAR = timedelta(days=366)
_ADMIN = re.compile(
    r"admin|backup|config|console|dashboard|database|debug|dump|intern|login|manage|phpmyadmin"
    r"|private|secret|staging|backend|后台|管理",
    re.IGNORECASE,
)
_MOST_SHOWN = 20


def check_security_txt(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge /.well-known/security.txt (RFC 9116, section 2)."""
    for fact in facts.security_txt:
        if fact.status is None:
            yield untested(fact, fact.error or "no answer")
            continue
        problems = list(_absent(fact)) or list(_security_txt_problems(fact, now))
        for severity, name, words, shown in problems:
            yield failed(fact, severity, f"security.txt/{name}", words, observed=shown)
        if not problems:
            yield passed(fact, "security.txt is complete and valid")


_Problem = tuple[Severity, str, str, str]


def _absent(fact: SecurityTxtFact) -> Iterator[_Problem]:
    looks_like_a_page = "html" in fact.content_type.lower() and not fact.fields
    if fact.status != _OK or looks_like_a_page:
        words = "There is no security.txt, so finders of a hole do not know whom to tell."
        yield (Severity.INFO, "missing", words, f"GET {fact.asset.url} → {fact.status}")


def _security_txt_problems(fact: SecurityTxtFact, now: datetime) -> Iterator[_Problem]:
    contacts = _values(fact, "contact")
    if not contacts:
        yield (Severity.LOW, "no-contact", "The Contact field is missing.", "Contact: (absent)")
    if fact.error:
        yield (Severity.LOW, "syntax", "The file has a line that is no field.", fact.error)
    if not is_https(fact.final_url):
        words = "The file is not served over https."
        yield (Severity.LOW, "not-https", words, fact.final_url)
    if fact.content_type.split(";", 1)[0].strip().lower() != "text/plain":
        shown = f"Content-Type: {fact.content_type or '(absent)'}"
        yield (Severity.LOW, "content-type", "The file is not sent as text/plain.", shown)
    yield from _expires_problems(fact, now)
    yield from _wishes(fact)


def _expires_problems(fact: SecurityTxtFact, now: datetime) -> Iterator[_Problem]:
    values = _values(fact, "expires")
    if len(values) != 1:
        words = "The Expires field is missing." if not values else "Expires appears twice."
        yield (Severity.LOW, "no-expires", words, f"Expires: {', '.join(values) or '(absent)'}")
        return
    shown = f"Expires: {values[0]}"
    moment = _parse_time(values[0])
    if moment is None:
        yield (Severity.LOW, "no-expires", "The Expires field is not an RFC 3339 time.", shown)
    elif moment < now:
        yield (Severity.LOW, "expired", "The file has expired.", shown)
    elif moment - now > _YEAR:
        words = "The file expires more than a year ahead, so it may go stale."
        yield (Severity.INFO, "far-expiry", words, shown)


def _wishes(fact: SecurityTxtFact) -> Iterator[_Problem]:
    if not fact.signed:
        yield (Severity.INFO, "unsigned", "The file is not signed with OpenPGP.", "(no signature)")
    canonical = _values(fact, "canonical")
    if canonical and fact.final_url not in canonical:
        shown = f"Canonical: {', '.join(canonical)}"
        words = "The Canonical field does not name the address of the file."
        yield (Severity.INFO, "not-canonical", words, shown)


def _values(fact: SecurityTxtFact, name: str) -> list[str]:
    return [value for key, value in fact.fields if key == name]


def _parse_time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def check_robots(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note paths in robots.txt that sound private; they are never followed (WSTG-INFO-03)."""
    del now
    for fact in facts.robots:
        if fact.status is None:
            yield untested(fact, "no answer for /robots.txt")
            continue
        paths = [path for path in fact.disallow if _ADMIN.search(path)]
        if not paths:
            yield passed(fact, f"{len(fact.disallow)} paths, none that sounds private")
            continue
        more = len(paths) - _MOST_SHOWN
        lines = [f"Disallow: {path}" for path in paths[:_MOST_SHOWN]]
        yield failed(
            fact,
            Severity.INFO,
            "robots.txt/private-paths",
            f"robots.txt names {len(paths)} paths that sound private; everybody can read it.",
            observed="\n".join(lines + ([f"… and {more} more"] if more > 0 else [])),
            doubt=Doubt(Confidence.MEDIUM, "judged by the names; the paths were not opened"),
        )


FILES_SECURITYTXT = Rule(
    id="files.securitytxt",
    title="security.txt is missing or faulty",
    probe_class=ProbeClass.READ,
    check=check_security_txt,
    needs="security.txt was not asked for",
    impact="Reports about holes get lost or reach the wrong people.",
    remediation="Publish /.well-known/security.txt with Contact and Expires, and keep it fresh.",
    config="Contact: mailto:security@example.test\nExpires: 2027-06-30T00:00:00Z",
    reproduce=curl_body,
    references=("https://www.rfc-editor.org/rfc/rfc9116",),
)

FILES_ROBOTS = Rule(
    id="files.robots",
    title="robots.txt points at private paths",
    probe_class=ProbeClass.READ,
    check=check_robots,
    needs="robots.txt was not asked for",
    impact="It shows where to look; it protects nothing.",
    remediation="Protect the paths by a login, and leave their names out of the file.",
    reproduce=curl_body,
    references=("https://www.rfc-editor.org/rfc/rfc9309",),
    cwe=200,
)
