"""Names that Certificate Transparency logs know below a domain: an inventory, never a target.

The search is a third party's: it is asked only where the scope names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast
from urllib.parse import quote

from handfast.errors import EgressDenied
from handfast.network.http import FetchRequest
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.dns import CtNamesFact
from handfast_inspect.probes.hostile_json import read_json
from handfast_inspect.probes.lookup import zone_of
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import curl_line
from handfast_inspect.probes.site import trouble_of

MAX_ANSWER: Final = 2 * 1024 * 1024
"""Bytes read of an answer."""

MAX_NAMES: Final = 1000
"""Names kept."""

_RULES: Final = ("ct.names",)
_OK: Final = 200
_NAME: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,20}", re.ASCII)


async def look_for_ct_names(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Searches the logs for names below the target's zone."""
    domain = await zone_of(context, target.host) or target.host
    asset = Asset(domain)
    url = f"{context.ct_url}?q={quote(f'%.{domain}', safe='')}&output=json"
    request = FetchRequest(url, max_bytes=MAX_ANSWER)
    try:
        fetched = await context.client.fetch(request)
    except EgressDenied as error:
        notes.gap(asset, _RULES, f"the logs were not searched: {error.reason}")
        return
    trouble = trouble_of(fetched)
    names = read_ct_names(fetched.body, domain)
    if fetched.last is None or trouble or fetched.last.status != _OK or names is None:
        notes.gap(asset, _RULES, f"the search gave no answer: {trouble or 'not readable'}", "error")
        return
    scope = context.scope
    in_scope = tuple(name for name in names if scope is None or scope.covers_name(name))
    summary = f"{len(names)} names below {domain} in certificate logs"
    evidence = notes.prove(asset, summary, fetched.body, reproduce=curl_line(request))
    notes.fact(CtNamesFact(asset, evidence, domain, names, in_scope))


def read_ct_names(body: bytes, domain: str) -> tuple[str, ...] | None:
    """Reads a search result: a list of certificates with their names.

    Args:
        body: The JSON as received.
        domain: Names elsewhere are left out.

    Returns:
        The names in order, each once, wildcards as the name below which they stand; None where it
        is no such list.
    """
    entries = read_json(body)
    if not isinstance(entries, list):
        return None
    found: set[str] = set()
    for entry in cast("list[object]", entries):
        text = cast("Mapping[str, object]", entry).get("name_value") if _is_map(entry) else None
        for line in text.lower().split("\n") if isinstance(text, str) else ():
            name = line.strip().removeprefix("*.").rstrip(".")
            if _NAME.fullmatch(name) and (name == domain or name.endswith("." + domain)):
                found.add(name)
    return tuple(sorted(found)[:MAX_NAMES])


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)
