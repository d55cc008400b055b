"""How a domain protects mail in its name and on its way: SPF, DMARC, DKIM, MTA-STS, DANE."""

from __future__ import annotations

import asyncio
from typing import Final

from handfast.errors import EgressDenied
from handfast.network.http import FetchRequest
from handfast_inspect.facts.mail import DaneFact, MtaStsFact, SpfFact
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.lookup import Lookup, Questions, mail_hosts
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import curl_line
from handfast_inspect.probes.spf import SpfRecord, read_spf
from handfast_inspect.probes.spf_evaluation import evaluate_spf, spf_records
from handfast_inspect.probes.sts_policy import StsPolicy, read_sts_policy
from handfast_inspect.probes.tag_list import has_version

MAX_MAIL_HOSTS: Final = 10
"""Mail exchangers whose TLSA records are looked up."""

MAX_POLICY: Final = 64 * 1024
"""Bytes of an MTA-STS policy that are read (RFC 8461, section 3.2 says 64 KB)."""


async def look_at_spf(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Reads the SPF record of a domain and follows it."""
    questions = Questions(context, notes, target.asset)
    text, mx = await asyncio.gather(*(questions.ask(target.host, kind) for kind in ("TXT", "MX")))
    if text.trouble:
        notes.gap(target.asset, ("dns.spf",), text.trouble, "error")
        return
    records = spf_records(text)
    record = read_spf(records[0]) if records else SpfRecord((), "")
    found = await evaluate_spf(questions, target.host, record)
    if found.trouble:
        notes.gap(target.asset, ("dns.spf",), f"not every term was followed: {found.trouble}")
    counted = bool(records) and not found.trouble
    notes.fact(
        SpfFact(
            asset=target.asset,
            evidence=tuple(dict.fromkeys([*text.evidence, *mx.evidence, *found.evidence])),
            domain=target.host,
            records=records,
            receives_mail=_receives_mail(mx),
            terms=record.terms,
            effective_all=found.effective_all,
            lookups=found.lookups if counted else None,
            void_lookups=found.void_lookups if counted else None,
            error=found.error,
        )
    )


async def look_at_mail_transport(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Looks for MTA-STS and TLS reporting, and for TLSA records of the mail exchangers."""
    questions = Questions(context, notes, target.asset)
    mx, sts, reporting = await asyncio.gather(
        questions.ask(target.host, "MX"),
        questions.ask(f"_mta-sts.{target.host}", "TXT"),
        questions.ask(f"_smtp._tls.{target.host}", "TXT"),
    )
    trouble = mx.trouble or sts.trouble or reporting.trouble
    if trouble:
        notes.gap(target.asset, ("dns.mta_sts",), trouble, "error")
        return
    record = _versioned(sts, "STSv1")
    policy = None if record is None else await _fetch_policy(target, questions)
    hosts = mail_hosts(mx.answer)
    read = policy or StsPolicy()
    notes.fact(
        MtaStsFact(
            asset=target.asset,
            evidence=(*mx.evidence, *sts.evidence, *reporting.evidence, *read.evidence),
            domain=target.host,
            mx_hosts=hosts,
            record=record,
            policy_fetched=None if policy is None else policy.fetched,
            mode=read.mode,
            mx_patterns=read.mx,
            max_age=read.max_age,
            policy_error=read.error,
            tls_rpt=_versioned(reporting, "TLSRPTv1"),
        )
    )
    for host in hosts[:MAX_MAIL_HOSTS]:
        await _look_at_dane(questions, host)


async def _look_at_dane(questions: Questions, host: str) -> None:
    lookup = await questions.ask(f"_25._tcp.{host}", "TLSA", dnssec=True)
    if lookup.trouble:
        questions.notes.gap(questions.asset, ("dns.mta_sts",), lookup.trouble, "error")
        return
    # The AD bit is the resolver's word. Without it, a resolver that validates nothing looks the
    # same as a zone that is not signed; that the zone has no keys is seen by another probe.
    authenticated = True if lookup.answer.authenticated else None
    if authenticated is None and lookup.values:
        authenticated = await _is_signed(questions, host)
    notes = questions.notes
    notes.fact(DaneFact(questions.asset, lookup.evidence, host, lookup.values, authenticated))


async def _is_signed(questions: Questions, host: str) -> bool | None:
    """False where the zone above the host has no DS record at all; None where it may be signed."""
    name = host
    while "." in name:
        if (await questions.ask(name, "DS", dnssec=True)).values:
            return None
        name = name.partition(".")[2]
    return False


async def _fetch_policy(target: Target, questions: Questions) -> StsPolicy | None:
    """Fetches the policy; None where that was not allowed."""
    context, notes = questions.context, questions.notes
    if not context.permits(ProbeClass.READ):
        return None
    host = f"mta-sts.{target.host}"
    port = "" if target.https_port == 443 else f":{target.https_port}"  # noqa: PLR2004 - https
    request = FetchRequest(
        f"https://{host}{port}/.well-known/mta-sts.txt", max_bytes=MAX_POLICY, follow=False
    )
    try:
        fetched = await context.client.fetch(request)
    except EgressDenied as error:
        notes.gap(target.asset, ("dns.mta_sts",), f"the policy was not fetched: {error.reason}")
        return None
    answer = fetched.last
    if answer is None:
        return StsPolicy(error=str(fetched.failure), fetched=False)
    content = answer.head + fetched.body
    summary = f"GET {request.url} answered {answer.status}"
    evidence = notes.prove(target.asset, summary, content, reproduce=curl_line(request))
    if answer.status != 200:  # noqa: PLR2004 - RFC 8461, section 3.3: anything else is a failure
        return StsPolicy(error=f"status {answer.status}", fetched=False, evidence=evidence)
    return read_sts_policy(fetched.body.decode("utf-8", "replace"), evidence)


def _versioned(lookup: Lookup, version: str) -> str | None:
    records = [value for value in lookup.values if has_version(value, version)]
    return records[0] if len(records) == 1 else None  # RFC 8461, section 3.1: exactly one counts


def _receives_mail(mx: Lookup) -> bool | None:
    if mx.trouble:
        return None
    return bool(mail_hosts(mx.answer))
