"""Whether a hosting provider says that nobody holds the name that an alias points at.

The provider's "no such site" page is read over the target's own name; claiming the name is never
tried.
"""

from __future__ import annotations

from handfast.errors import EgressDenied
from handfast_inspect.facts.dns import PointerFact
from handfast_inspect.probes.hosting import find_provider
from handfast_inspect.probes.lookup import Questions
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.site import Scheme, asset_of, fetch_home, prove_fetch, text_of


async def look_for_unclaimed(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Reads the page behind an alias of a provider that lets names be claimed."""
    questions = Questions(context, notes, target.asset)
    lookup = await questions.ask(target.host, "CNAME")
    if lookup.trouble:
        notes.gap(target.asset, ("dns.dangling",), lookup.trouble, "error")
        return
    for pointed_at in lookup.values:
        provider = find_provider(pointed_at)
        if provider is None:
            continue
        signature, evidence = await _signature(target, context, notes, provider.unclaimed)
        notes.fact(
            PointerFact(
                asset=target.asset,
                evidence=(*lookup.evidence, *evidence),
                name=target.host,
                rtype="CNAME",
                target=pointed_at,
                target_exists=True if evidence else None,
                provider=provider.name,
                unclaimed_signature=signature,
            )
        )


async def _signature(
    target: Target, context: ProbeContext, notes: Notes, unclaimed: str
) -> tuple[str | None, tuple[str, ...]]:
    """The provider's words, where a page has them, with what proves it."""
    schemes: tuple[Scheme, ...] = ("https", "http")
    evidence: tuple[str, ...] = ()
    for scheme in schemes:
        try:
            fetched = await fetch_home(context, target, scheme)
        except EgressDenied as error:
            notes.gap(target.asset, ("dns.dangling",), f"{scheme} was not tried: {error.reason}")
            continue
        if fetched.last is None:
            continue
        evidence += prove_fetch(notes, asset_of(target, fetched), fetched)
        if unclaimed in text_of(fetched):
            return unclaimed, evidence
    return None, evidence
