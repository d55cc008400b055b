"""What the registry says about a domain: expiry and status, by RDAP (RFC 9082, RFC 9083).

The registry is a third party: it is asked only where the scope names its server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, cast
from urllib.parse import quote

from handfast.errors import EgressDenied
from handfast.network.http import FetchRequest
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.registration import RegistrationFact
from handfast_inspect.probes.hostile_json import read_json
from handfast_inspect.probes.lookup import zone_of
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import curl_line
from handfast_inspect.probes.site import trouble_of

MAX_ANSWER: Final = 512 * 1024
"""Bytes read of an answer."""

MAX_STATUSES: Final = 50

_RULES: Final = ("reg.",)
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class Registration:
    """What an RDAP answer says."""

    expires: datetime | None
    statuses: tuple[str, ...]
    registrar: str


async def look_at_registration(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for the registration of the target's zone."""
    domain = await zone_of(context, target.host) or target.host
    asset = Asset(domain)
    url = f"{context.rdap_url}{quote(domain, safe='')}"
    headers = (("Accept", "application/rdap+json"),)
    request = FetchRequest(url, headers=headers, max_bytes=MAX_ANSWER)
    try:
        fetched = await context.client.fetch(request)
    except EgressDenied as error:
        notes.gap(asset, _RULES, f"the registry was not asked: {error.reason}")
        return
    trouble = trouble_of(fetched)
    if fetched.last is None or trouble or fetched.last.status != _OK:
        reason = trouble or f"status {fetched.last.status if fetched.last else 'missing'}"
        notes.gap(asset, _RULES, f"the registry gave no answer: {reason}", "error")
        return
    found = read_registration(fetched.body)
    if found is None:
        notes.gap(asset, _RULES, "the registry's answer cannot be read", "error")
        return
    summary = f"RDAP for {domain} answered {fetched.last.status}"
    evidence = notes.prove(asset, summary, fetched.body, reproduce=curl_line(request))
    notes.fact(
        RegistrationFact(asset, evidence, domain, found.expires, found.statuses, found.registrar)
    )


def read_registration(body: bytes) -> Registration | None:
    """Reads an answer about a domain (RFC 9083, section 5.3).

    Args:
        body: The JSON as received.

    Returns:
        What it says; None where it is no answer about a domain.
    """
    answer = read_json(body)
    if not isinstance(answer, Mapping):
        return None
    fields = cast("Mapping[str, object]", answer)
    if fields.get("objectClassName") != "domain":
        return None
    statuses = (word.lower()[:100] for word in _list(fields.get("status")) if isinstance(word, str))
    return Registration(_expiry(fields), tuple(statuses)[:MAX_STATUSES], _registrar(fields))


def _expiry(fields: Mapping[str, object]) -> datetime | None:
    for event in _list(fields.get("events")):
        if isinstance(event, Mapping):
            described = cast("Mapping[str, object]", event)
            if described.get("eventAction") == "expiration":
                return _time(described.get("eventDate"))
    return None


def _time(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _registrar(fields: Mapping[str, object]) -> str:
    """The name in the jCard of the entity with that role (RFC 7095)."""
    for entity in _list(fields.get("entities")):
        if not isinstance(entity, Mapping):
            continue
        described = cast("Mapping[str, object]", entity)
        if "registrar" in _list(described.get("roles")):
            card = _list(described.get("vcardArray"))
            return _full_name(_list(card[1]) if len(card) > 1 else ())
    return ""


def _full_name(properties: Sequence[object]) -> str:
    for item in properties:
        parts = _list(item)
        if len(parts) > 3 and parts[0] == "fn" and isinstance(parts[3], str):  # noqa: PLR2004 - name, parameters, type, value
            return parts[3][:200]
    return ""


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list) else ()
