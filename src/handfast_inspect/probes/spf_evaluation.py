"""What evaluating an SPF record costs and where it ends (RFC 7208, sections 4.6.4 and 6.1).

Every include and redirect is read, as a receiver would, up to a cap; what depends on a real mail
(macros, the sender's address) is counted but not followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from handfast_inspect.facts.mail import SpfTerm
from handfast_inspect.probes.lookup import Lookup, Questions
from handfast_inspect.probes.spf import LOOKUP_TERMS, SpfRecord, domain_of, is_spf, read_spf

MAX_LOOKUPS: Final = 20
"""Terms that are followed; receivers stop at 10, so more make no difference."""

MAX_DEPTH: Final = 10
"""Includes inside includes."""

_ADDRESS_TERMS: Final = {"a": "A", "exists": "A", "mx": "MX", "ptr": ""}


@dataclass(slots=True)
class SpfEvaluation:
    """The outcome, as far as it was got."""

    effective_all: str | None = None
    """Qualifier of the `all` that decides; None where none is reached."""
    lookups: int = 0
    void_lookups: int = 0
    error: str = ""
    """The first permanent error."""
    trouble: str = ""
    """Why counting is incomplete: a question that nobody answered."""
    evidence: list[str] = field(default_factory=list[str])


def spf_records(lookup: Lookup) -> tuple[str, ...]:
    """The SPF records of a TXT answer."""
    return tuple(sorted(value for value in lookup.values if is_spf(value)))


async def evaluate_spf(questions: Questions, domain: str, record: SpfRecord) -> SpfEvaluation:
    """Follows a record.

    Args:
        questions: Asks the DNS.
        domain: The domain that holds the record.
        record: The record.

    Returns:
        What it costs and where it ends.
    """
    evaluation = SpfEvaluation(error=record.error)
    evaluation.effective_all = await _follow(questions, evaluation, domain, record, 0)
    return evaluation


async def _follow(
    questions: Questions, state: SpfEvaluation, domain: str, record: SpfRecord, depth: int
) -> str | None:
    """Walks over the terms of one record; gives the qualifier of the `all` that it reaches."""
    for term in record.terms:
        if term.name == "all":
            return term.qualifier  # what stands behind it is never looked at
        if term.name in LOOKUP_TERMS and term.name != "redirect":
            await _count(questions, state, domain, term, depth)
    redirect = record.term("redirect")
    if redirect is None or not _may_look(state):
        return None
    state.lookups += 1
    target = domain_of(redirect, domain)
    if target is None:
        return None
    inner = await _record_at(questions, state, target, "redirect")
    if inner is None or depth >= MAX_DEPTH:
        return None
    return await _follow(questions, state, target, inner, depth + 1)


async def _count(
    questions: Questions, state: SpfEvaluation, domain: str, term: SpfTerm, depth: int
) -> None:
    if not _may_look(state):
        return
    state.lookups += 1
    target = domain_of(term, domain)
    if target is None:
        return
    if term.name == "include":
        inner = await _record_at(questions, state, target, "include")
        if inner is not None and depth < MAX_DEPTH:
            await _follow(questions, state, target, inner, depth + 1)
        return
    rtype = _ADDRESS_TERMS[term.name]
    if rtype:
        await _look_up(questions, state, target, rtype)


async def _record_at(
    questions: Questions, state: SpfEvaluation, domain: str, term: str
) -> SpfRecord | None:
    lookup = await _look_up(questions, state, domain, "TXT")
    records = spf_records(lookup)
    if len(records) == 1:
        record = read_spf(records[0])
        state.error = state.error or (record.error and f"{domain}: {record.error}")
        return record
    if not lookup.trouble:
        words = f"{len(records)} SPF records" if records else "no SPF record"
        state.error = state.error or f"{term}:{domain} has {words}"
    return None


async def _look_up(questions: Questions, state: SpfEvaluation, name: str, rtype: str) -> Lookup:
    lookup = await questions.ask(name, rtype)
    if rtype == "A" and lookup.status == "nodata":
        six = await questions.ask(name, "AAAA")
        lookup = six if six.status == "ok" else lookup
    state.evidence += lookup.evidence
    state.trouble = state.trouble or lookup.trouble
    if lookup.status in {"nxdomain", "nodata"}:
        state.void_lookups += 1
    return lookup


def _may_look(state: SpfEvaluation) -> bool:
    return state.lookups < MAX_LOOKUPS
