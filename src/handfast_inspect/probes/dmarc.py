"""Which DMARC policy applies to a domain: the tree walk of RFC 9989, section 4.10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from handfast_inspect.facts.mail import DmarcFact
from handfast_inspect.probes.lookup import Lookup, Questions
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.tag_list import has_version, read_tags, tag_value

MAX_WALK_LABELS: Final = 8
"""Names longer than this are cut to seven labels after the first question (RFC 9989, 4.10)."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One question of the walk."""

    domain: str
    lookup: Lookup
    records: tuple[str, ...]
    """Every record at the name that begins with the version."""

    @property
    def psd(self) -> str:
        """The `psd` tag of the one record: y, n or u."""
        tags = read_tags(self.records[0]) if self.usable else ()
        return (tag_value(tags, "psd") or "u").lower()

    @property
    def usable(self) -> bool:
        """Exactly one record; several count as none."""
        return len(self.records) == 1


async def look_at_dmarc(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Finds the DMARC policy that applies to the target."""
    questions = Questions(context, notes, target.asset)
    steps: list[_Step] = []
    for domain in walk(target.host):
        step = await _ask(questions, domain)
        steps.append(step)
        if step.lookup.trouble:
            notes.gap(target.asset, ("dns.dmarc",), step.lookup.trouble, "error")
            return
        if domain == target.host and step.records:
            break
        if step.psd in {"y", "n"}:
            break
    notes.fact(_fact(target, steps))


def walk(domain: str) -> tuple[str, ...]:
    """The domains whose `_dmarc` record is asked for, in order.

    Args:
        domain: Where the walk begins.

    Returns:
        The domain itself and those above it; the root is left out.
    """
    labels = domain.split(".")
    above = labels[1:] if len(labels) < MAX_WALK_LABELS else labels[-(MAX_WALK_LABELS - 1) :]
    return (domain, *(".".join(above[position:]) for position in range(len(above))))


async def _ask(questions: Questions, domain: str) -> _Step:
    lookup = await questions.ask(f"_dmarc.{domain}", "TXT")
    records = tuple(sorted(value for value in lookup.values if has_version(value, "DMARC1")))
    return _Step(domain, lookup, records)


def _fact(target: Target, steps: list[_Step]) -> DmarcFact:
    chosen = _choose(target.host, steps)
    evidence = tuple(dict.fromkeys(name for step in steps for name in step.lookup.evidence))
    if chosen is None:
        return DmarcFact(target.asset, evidence, target.host, None)
    tags = read_tags(chosen.records[0]) if chosen.usable else ()
    error = "" if chosen.usable else f"{len(chosen.records)} records: receivers use none"
    return DmarcFact(
        target.asset, evidence, target.host, chosen.domain, chosen.records, tags, error
    )


def _choose(host: str, steps: list[_Step]) -> _Step | None:
    """The step whose policy applies: the domain's own, else that of the organisation."""
    if steps[0].records:
        return steps[0]
    usable = [step for step in steps if step.usable]
    if not usable:
        return None
    last = usable[-1]
    if last.psd == "y":
        # the organisation is the name one label below the public suffix
        below = ".".join(host.split(".")[-(last.domain.count(".") + 2) :])
        return next((step for step in usable if step.domain == below), last)
    return last
