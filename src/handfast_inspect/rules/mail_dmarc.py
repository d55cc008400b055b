"""The rule about DMARC."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import DmarcFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.mail_spf import fails_to_protect
from handfast_inspect.rules.reproduce import dig
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed

_STRENGTH = {"none": 0, "quarantine": 1, "reject": 2}
_REMOVED_TAGS = ("pct", "rf", "ri")
_Problem = tuple[Severity, str, str]


def check_dmarc(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the DMARC policy (RFC 9989; internet.nl)."""
    del now
    for fact in facts.dmarc:
        spf = [item for item in facts.spf if item.domain == fact.domain]
        spf_fails = bool(spf) and any(fails_to_protect(item) for item in spf)
        problems = list(dmarc_problems(fact, spf_fails=spf_fails))
        shown = "\n".join(fact.records) or f"TXT _dmarc.{fact.domain}: no record"
        for severity, name, words in problems:
            yield failed(fact, severity, f"dmarc/{name}", words, observed=shown)
        if not problems:
            yield passed(fact, shown)


def dmarc_problems(fact: DmarcFact, *, spf_fails: bool) -> Iterator[_Problem]:
    """What is wrong with a policy: severity, stable name, sentence.

    Args:
        fact: The policy that applies to a domain.
        spf_fails: Whether SPF protects nothing either, which makes a missing policy worse.
    """
    absent = Severity.HIGH if spf_fails else Severity.MEDIUM
    also = " SPF protects nothing either." if spf_fails else ""
    if fact.found_at is None or not fact.records:
        words = f"No DMARC policy applies to {fact.domain}.{also}"
        yield (absent, "missing", words)
        return
    if len(fact.records) > 1:
        words = f"{len(fact.records)} DMARC records are published; receivers then use none.{also}"
        yield (absent, "several-records", words)
        return
    tags = dict(fact.tags)
    policy = _policy(fact, tags)
    if policy not in _STRENGTH:
        words = f"The policy is not valid and so is not used: {fact.error or policy or 'no p'}."
        yield (absent, "invalid", words + also)
        return
    yield from _strength_problems(fact, tags, policy)
    if "rua" not in tags:
        words = "No rua address is given: nobody learns of failures and misuse."
        yield (Severity.INFO, "no-rua", words)
    removed = [tag for tag in _REMOVED_TAGS if tag in tags]
    if removed:
        words = f"The tags {', '.join(removed)} are no longer part of DMARC and are ignored."
        yield (Severity.INFO, "removed-tags", words)


def _policy(fact: DmarcFact, tags: dict[str, str]) -> str:
    """The policy for the domain itself; a missing `p` beside `rua` counts as none."""
    own = tags.get("p", "").strip().lower()
    if own not in _STRENGTH and "rua" in tags:
        own = "none"
    inherited = fact.found_at != fact.domain
    return tags.get("sp", own).strip().lower() if inherited else own


def _strength_problems(fact: DmarcFact, tags: dict[str, str], policy: str) -> Iterator[_Problem]:
    if policy == "none":
        yield (Severity.LOW, "p-none", "The policy is none: forged mail is only reported.")
    elif tags.get("t", "").strip().lower() == "y":
        words = "t=y asks receivers to treat the policy as one step weaker."
        yield (Severity.LOW, "test-mode", words)
    if fact.found_at != fact.domain:
        return
    for tag, who in (("sp", "existing subdomains"), ("np", "subdomains that do not exist")):
        weaker = tags.get(tag, "").strip().lower()
        if weaker in _STRENGTH and _STRENGTH[weaker] < _STRENGTH[policy]:
            words = f"{tag}={weaker} is weaker than p={policy} for {who}."
            yield (Severity.LOW, f"{tag}-weaker", words)


DNS_DMARC = Rule(
    id="dns.dmarc",
    title="DMARC does not stop forged mail",
    probe_class=ProbeClass.PASSIVE,
    check=check_dmarc,
    needs="the _dmarc record was not looked up",
    impact="Mail with a forged sender of this domain reaches its readers.",
    remediation="Start with p=none and rua, read the reports, then go to quarantine and reject.",
    config="v=DMARC1; p=reject; rua=mailto:dmarc@example.test",
    reproduce=dig("TXT", "_dmarc."),
    references=("https://www.rfc-editor.org/rfc/rfc9989",),
    cwe=290,
    effort=Effort.MEDIUM,
)
