"""Rules about DKIM keys and about protecting mail on its way: MTA-STS, TLS-RPT, DANE."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import DkimFact, MtaStsFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import dig
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed, untested

_WEAK_BITS = 1024
_GOOD_BITS = 2048
_MODES = {"enforce", "testing", "none"}


def check_dkim(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the DKIM keys that were found; a missing one is no finding (RFC 6376; RFC 8301)."""
    del now
    for fact in facts.dkim:
        if not fact.exists:
            yield untested(fact, f"no key under the selector {fact.selector}; others may be in use")
            continue
        problems = list(_dkim_problems(fact))
        where = f"dkim/{fact.selector}"
        shown = f"{fact.selector}._domainkey.{fact.domain}: {fact.key_type} {fact.key_bits or '?'}"
        for severity, name, words in problems:
            yield failed(fact, severity, f"{where}/{name}", words, observed=shown)
        if not problems:
            yield passed(fact, "revoked" if fact.revoked else shown)


def _dkim_problems(fact: DkimFact) -> Iterator[tuple[Severity, str, str]]:
    if fact.revoked:
        return
    if fact.key_type == "rsa" and fact.key_bits is not None:
        words = f"The key of selector {fact.selector} has {fact.key_bits} bits."
        if fact.key_bits < _WEAK_BITS:
            yield (Severity.HIGH, "weak-key", f"{words} It can be broken.")
        elif fact.key_bits < _GOOD_BITS:
            yield (Severity.LOW, "short-key", f"{words} 2048 are recommended.")
    if fact.test_flag:
        words = f"Selector {fact.selector} has the test flag: receivers may ignore it."
        yield (Severity.LOW, "test-flag", words)


def check_mail_transport(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge MTA-STS (RFC 8461), TLS reporting (RFC 8460) and DANE (RFC 7672)."""
    del now
    for fact in facts.mta_sts:
        if not fact.mx_hosts:
            yield passed(fact, f"{fact.domain} receives no mail")
            continue
        problems = [*_mta_sts_problems(fact), *_reporting_problems(fact)]
        shown = _shown(fact)
        for severity, name, words in problems:
            yield failed(fact, severity, f"mta-sts/{name}", words, observed=shown)
        if fact.record is not None and fact.policy_fetched is None:
            yield untested(fact, "the MTA-STS policy was not fetched")
        elif not problems:
            yield passed(fact, shown)
    for dane in facts.dane:
        if not dane.records:
            yield passed(dane, f"{dane.mx_host} has no TLSA records")
        elif dane.authenticated is None:
            yield untested(dane, f"whether DNSSEC protects {dane.mx_host} is not known")
        elif dane.authenticated:
            yield passed(dane, f"{dane.mx_host} has TLSA records under DNSSEC")
        else:
            yield failed(
                dane,
                Severity.MEDIUM,
                f"dane/{dane.mx_host}",
                f"{dane.mx_host} has TLSA records without DNSSEC, so senders ignore them.",
                observed="\n".join(f"TLSA {record}" for record in dane.records),
            )


def _mta_sts_problems(fact: MtaStsFact) -> Iterator[tuple[Severity, str, str]]:
    if fact.record is None:
        words = "There is no MTA-STS policy: mail can be forced into the clear on its way."
        yield (Severity.LOW, "missing", words)
        return
    if fact.policy_fetched is None:
        return
    if not fact.policy_fetched or fact.mode not in _MODES:
        why = fact.policy_error or fact.mode or "no mode"
        words = f"The record is there, but the policy is not usable: {why}."
        yield (Severity.LOW, "policy", words)
        return
    if fact.mode != "enforce":
        words = f"The MTA-STS mode is {fact.mode}: failures are not stopped."
        yield (Severity.INFO, "mode", words)
    unmatched = [host for host in fact.mx_hosts if not matches_mx(host, fact.mx_patterns)]
    if unmatched and fact.mode != "none":
        words = f"The policy does not name {', '.join(unmatched)}: senders will not deliver there."
        yield (Severity.MEDIUM, "mx-mismatch", words)


def _reporting_problems(fact: MtaStsFact) -> Iterator[tuple[Severity, str, str]]:
    if fact.tls_rpt is None:
        words = "No TLS reporting address is given: failures of encryption stay unseen."
        yield (Severity.LOW, "no-tls-rpt", words)


def matches_mx(host: str, patterns: tuple[str, ...]) -> bool:
    """Whether an MX host matches a pattern of the policy (RFC 8461, section 4.1).

    Args:
        host: The MX host.
        patterns: Names, or `*.` and a parent, which stands for exactly one label.

    Returns:
        True when one of them matches.
    """
    name = host.lower().rstrip(".")
    parent = name.partition(".")[2]
    wanted = {pattern.lower().rstrip(".") for pattern in patterns}
    return name in wanted or f"*.{parent}" in wanted


def _shown(fact: MtaStsFact) -> str:
    return (
        f"_mta-sts.{fact.domain}: {fact.record or '(absent)'}\n"
        f"mode: {fact.mode or '(unknown)'}, mx: {', '.join(fact.mx_patterns) or '(none)'}\n"
        f"_smtp._tls.{fact.domain}: {fact.tls_rpt or '(absent)'}\n"
        f"MX: {', '.join(fact.mx_hosts)}"
    )


DNS_DKIM = Rule(
    id="dns.dkim",
    title="A DKIM key is weak or in test mode",
    probe_class=ProbeClass.PASSIVE,
    check=check_dkim,
    needs="no DKIM selector is known; name one in the scope to have it checked",
    impact="Signatures can be forged, or receivers ignore them.",
    remediation="Publish a key of 2048 bits under a new selector and sign with that.",
    config='selector2026._domainkey IN TXT "v=DKIM1; k=rsa; p=…"',
    reproduce=dig("TXT", "SELECTOR._domainkey."),
    references=(
        "https://www.rfc-editor.org/rfc/rfc6376",
        "https://www.rfc-editor.org/rfc/rfc8301",
    ),
    cwe=326,
)

DNS_MTA_STS = Rule(
    id="dns.mta_sts",
    title="Mail to this domain is not protected on its way",
    probe_class=ProbeClass.PASSIVE,
    check=check_mail_transport,
    needs="MTA-STS, TLS reporting and DANE records were not looked up",
    impact="Whoever sits on the path can strip encryption and read mail.",
    remediation="Publish an MTA-STS policy in testing mode with TLS-RPT, then enforce it.",
    config='_mta-sts IN TXT "v=STSv1; id=20260101"',
    reproduce=dig("TXT", "_mta-sts."),
    references=(
        "https://www.rfc-editor.org/rfc/rfc8461",
        "https://www.rfc-editor.org/rfc/rfc8460",
        "https://www.rfc-editor.org/rfc/rfc7672",
    ),
    cwe=319,
    effort=Effort.MEDIUM,
)
