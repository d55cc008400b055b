from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.notes import ProbeResult
from handfast_inspect.probes.registration import (
    Registration,
    look_at_registration,
    read_registration,
)
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons
from loopback_tcp import Site, http_response, silent, tcp_server

CARD: list[object] = ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Names Ltd"]]]
ANSWER: dict[str, object] = {
    "objectClassName": "domain",
    "status": ["Client Transfer Prohibited", 7],
    "events": [
        {"eventAction": "registration", "eventDate": "2001-01-01T00:00:00Z"},
        {"eventAction": "expiration", "eventDate": "2027-05-01T02:00:00+02:00"},
    ],
    "entities": [{"roles": ["abuse"]}, {"roles": ["registrar"], "vcardArray": CARD}],
}
PATH = "/domain/site.test"


async def asked(zone: DnsServer, response: bytes) -> ProbeResult:
    zone.add("site.test 60 SOA ns.site.test. root.site.test. 1 2 3 4 5")
    async with tcp_server(Site({PATH: response}).serve) as port:
        context = replace(context_for(zone), rdap_url=f"http://site.test:{port}/domain/")
        return await look(look_at_registration, context)


async def test_expiry_status_and_registrar_are_read(zone: DnsServer) -> None:
    result = await asked(zone, http_response(json.dumps(ANSWER).encode()))
    (fact,) = result.facts.registrations
    assert fact.domain == "site.test"
    assert fact.expires == datetime(2027, 5, 1, tzinfo=UTC)
    assert fact.statuses == ("client transfer prohibited",)
    assert fact.registrar == "Names Ltd"
    assert "application/rdap+json" in result.evidence[0].reproduce


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (http_response(b"{}"), "cannot be read"),
        (http_response(b"", "404 Not Found"), "status 404"),
        (http_response(b"", "302 Found", [("Location", "http://other.test/")]), "not in scope"),
    ],
)
async def test_an_answer_that_is_none_is_a_gap(
    zone: DnsServer, response: bytes, reason: str
) -> None:
    result = await asked(zone, response)
    assert result.facts.registrations == ()
    assert reason in reasons(result)


async def test_a_registry_that_the_scope_does_not_name_is_not_asked(zone: DnsServer) -> None:
    context = context_for(zone)
    result = await look(look_at_registration, context)
    assert "the registry was not asked" in reasons(result)
    assert context.pace.started == 0


async def test_a_silent_registry_is_a_gap(zone: DnsServer) -> None:
    async with tcp_server(silent()) as port:
        context = replace(context_for(zone), rdap_url=f"http://site.test:{port}/")
        result = await look(look_at_registration, context)
    assert "read timeout" in reasons(result)


@pytest.mark.parametrize(
    "date", ["soon", None, 7, "2027-05-01T00:00:00", "9999-12-31T23:59:59-23:59"]
)
def test_odd_dates_do_not_crash(date: object) -> None:
    events = [{"eventAction": "expiration", "eventDate": date}]
    found = read_registration(json.dumps({**ANSWER, "events": events}).encode())
    assert found is not None
    assert found.expires is None or found.expires.tzinfo is UTC


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=10)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["roles", "vcardArray", "eventAction", "eventDate", "status"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(VALUES, VALUES, VALUES)
def test_any_shape_is_read(events: object, entities: object, status: object) -> None:
    answer = {"objectClassName": "domain", "events": events, "entities": entities, "status": status}
    assert isinstance(read_registration(json.dumps(answer).encode()), Registration)
