"""The rule about SPF."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.mail import SpfFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import dig
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed

MOST_LOOKUPS = 10
"""RFC 7208, section 4.6.4."""

MOST_VOID_LOOKUPS = 2
"""RFC 7208, section 4.6.4."""

_NO_MAIL = "v=spf1 -all"
_Problem = tuple[Severity, str, str]


def check_spf(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the SPF policy (RFC 7208; internet.nl)."""
    del now
    for fact in facts.spf:
        problems = list(spf_problems(fact))
        shown = "\n".join(fact.records) or f"TXT {fact.domain}: no v=spf1 record"
        config = _NO_MAIL if fact.receives_mail is False else None
        for severity, name, words in problems:
            yield failed(fact, severity, f"spf/{name}", words, observed=shown, config=config)
        if not problems:
            yield passed(fact, shown)


def spf_problems(fact: SpfFact) -> Iterator[_Problem]:
    """What is wrong with a policy: severity, stable name, sentence."""
    if not fact.records:
        no_mail = fact.receives_mail is False
        words = (
            f"{fact.domain} receives no mail and does not say that it sends none."
            if no_mail
            else f"{fact.domain} has no SPF record: anybody may send mail in its name."
        )
        yield (Severity.MEDIUM, "missing", words)
        return
    if len(fact.records) > 1:
        words = f"{len(fact.records)} SPF records are published; receivers then use none of them."
        yield (Severity.MEDIUM, "several-records", words)
    if fact.error:
        words = f"The record is faulty and so is not used: {fact.error}."
        yield (Severity.MEDIUM, "syntax", words)
    yield from _all_problems(fact)
    yield from _cost_problems(fact)
    if any(term.name == "ptr" for term in fact.terms):
        yield (Severity.LOW, "ptr", "The ptr mechanism is slow, unsafe and should not be used.")


def _all_problems(fact: SpfFact) -> Iterator[_Problem]:
    match fact.effective_all:
        case "+":
            yield (Severity.HIGH, "pass-all", "+all lets the whole world send in its name.")
        case "?":
            yield (Severity.MEDIUM, "neutral-all", "?all leaves it open who may send.")
        case "~":
            words = "~all only marks foreign mail; -all refuses it."
            yield (Severity.INFO, "softfail-all", words)
        case None:
            if not fact.error:
                words = "The record has no all at its end, which counts as ?all."
                yield (Severity.MEDIUM, "no-all", words)
        case _:
            return


def _cost_problems(fact: SpfFact) -> Iterator[_Problem]:
    if fact.lookups is not None and fact.lookups > MOST_LOOKUPS:
        words = (
            f"Evaluating it takes {fact.lookups} DNS lookups; above {MOST_LOOKUPS} receivers stop "
            "with a permanent error."
        )
        yield (Severity.MEDIUM, "lookups", words)
    if fact.void_lookups is not None and fact.void_lookups > MOST_VOID_LOOKUPS:
        words = (
            f"{fact.void_lookups} of its names do not exist; above {MOST_VOID_LOOKUPS} receivers "
            "stop with a permanent error."
        )
        yield (Severity.MEDIUM, "void-lookups", words)


def fails_to_protect(fact: SpfFact) -> bool:
    """Whether the policy stops nobody: a finding of medium or worse."""
    return any(severity >= Severity.MEDIUM for severity, _, _ in spf_problems(fact))


DNS_SPF = Rule(
    id="dns.spf",
    title="SPF does not say who may send mail",
    probe_class=ProbeClass.PASSIVE,
    check=check_spf,
    needs="TXT records were not looked up",
    impact="Forged mail from this domain is accepted more easily.",
    remediation="Publish one record that lists your senders and ends in -all.",
    config="v=spf1 mx include:_spf.example.test -all",
    reproduce=dig("TXT"),
    references=("https://www.rfc-editor.org/rfc/rfc7208",),
    cwe=290,
    effort=Effort.MEDIUM,
    would_change="An enforced DMARC policy lowers the weight of a soft ending.",
)
