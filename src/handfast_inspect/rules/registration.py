"""Rules about the registration of a domain (RDAP, RFC 9083)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from handfast_inspect.facts.container import Facts
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity
from handfast_inspect.rules.reproduce import rdap
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_NEEDS = "the registry was not asked (RDAP)"
_URGENT = timedelta(days=30)
_SOON = timedelta(days=60)
_DAY = timedelta(days=1)


def check_registration_expiry(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Warn before the registration ends."""
    for fact in facts.registrations:
        if fact.expires is None:
            yield untested(fact, "the registry does not tell when the registration ends")
            continue
        left = fact.expires - now
        if left >= _SOON:
            yield passed(fact, f"registered until {fact.expires:%Y-%m-%d}")
            continue
        over = left < timedelta(0)
        words = (
            f"The registration of {fact.domain} ended on {fact.expires:%Y-%m-%d}."
            if over
            else f"The registration of {fact.domain} ends in {left // _DAY} days."
        )
        yield failed(
            fact,
            Severity.HIGH if left < _URGENT else Severity.MEDIUM,
            "registration/expiry",
            words,
            observed=f"expiration: {fact.expires:%Y-%m-%dT%H:%M:%SZ}",
            doubt=Doubt(Confidence.MEDIUM, "whether it renews by itself cannot be seen"),
        )


def check_transfer_lock(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Ask for a transfer lock (EPP status clientTransferProhibited; RFC 8056)."""
    del now
    for fact in facts.registrations:
        if not fact.statuses:
            yield untested(fact, "the registry gives no status")
        elif any("transfer" in s.lower() and "prohibited" in s.lower() for s in fact.statuses):
            yield passed(fact, "transfers are locked")
        else:
            yield failed(
                fact,
                Severity.LOW,
                "registration/no-lock",
                f"{fact.domain} has no transfer lock.",
                observed=f"status: {', '.join(fact.statuses)}",
                doubt=Doubt(Confidence.MEDIUM, "some registries protect transfers in other ways"),
            )


REG_EXPIRY = Rule(
    id="reg.expiry",
    title="The domain registration ends soon",
    probe_class=ProbeClass.PASSIVE,
    check=check_registration_expiry,
    needs=_NEEDS,
    impact="When it lapses, site and mail stop, and a stranger can register the name.",
    remediation="Renew it and switch automatic renewal on.",
    reproduce=rdap,
    references=("https://www.rfc-editor.org/rfc/rfc9083",),
    cwe=672,
)

REG_LOCK = Rule(
    id="reg.lock",
    title="The domain has no transfer lock",
    probe_class=ProbeClass.PASSIVE,
    check=check_transfer_lock,
    needs=_NEEDS,
    impact="A stolen registrar password is enough to move the domain away.",
    remediation="Switch the transfer lock on at the registrar.",
    reproduce=rdap,
    references=("https://www.rfc-editor.org/rfc/rfc8056",),
    cwe=284,
)
