from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.ct_names import MAX_NAMES, look_for_ct_names, read_ct_names
from loopback_dns import DnsServer
from loopback_probes import context_for, look, reasons
from loopback_tcp import Site, http_response, tcp_server


def entries(*names: object) -> bytes:
    return json.dumps([{"name_value": name} for name in names]).encode()


def test_names_are_listed_once_in_order_and_only_below_the_domain() -> None:
    body = entries("b.site.test\nA.Site.Test", "*.wild.site.test", "site.test", "evilsite.test")
    assert read_ct_names(body, "site.test") == (
        "a.site.test",
        "b.site.test",
        "site.test",
        "wild.site.test",
    )


@pytest.mark.parametrize(
    "name", ["a b.site.test", "a@site.test", "<i>.site.test", 7, None, ".site.test"]
)
def test_what_is_no_name_is_left_out(name: object) -> None:
    assert read_ct_names(entries(name), "site.test") == ()


def test_names_are_capped() -> None:
    body = entries(*[f"a{number}.site.test" for number in range(2 * MAX_NAMES)])
    assert len(read_ct_names(body, "site.test") or ()) == MAX_NAMES


@pytest.mark.parametrize("body", [b"", b"{}", b"<html>", b"null"])
def test_what_is_no_list_is_none(body: bytes) -> None:
    assert read_ct_names(body, "site.test") is None


@given(st.lists(st.none() | st.integers() | st.text(max_size=20)))
def test_any_list_is_read(items: list[object]) -> None:
    assert read_ct_names(json.dumps(items).encode(), "site.test") == ()


async def test_names_outside_the_scope_are_told_apart_and_nothing_is_visited(
    zone: DnsServer,
) -> None:
    site = Site({"*": http_response(entries("www.site.test", "site.test"))})
    async with tcp_server(site.serve) as port:
        context = replace(context_for(zone), ct_url=f"http://site.test:{port}/")
        result = await look(look_for_ct_names, context)
    (fact,) = result.facts.ct_names
    assert fact.names == ("site.test", "www.site.test")
    assert fact.in_scope == ("site.test", "www.site.test")
    assert site.paths == ["/?q=%25.site.test&output=json"]
    assert not any(name == "www.site.test" for name, _, _ in zone.asked)


async def test_a_search_that_is_out_of_scope_or_fails_is_a_gap(zone: DnsServer) -> None:
    context = context_for(zone)
    assert "the logs were not searched" in reasons(await look(look_for_ct_names, context))
    async with tcp_server(Site({"*": http_response(b"busy", "502 Bad")}).serve) as port:
        context = replace(context, ct_url=f"http://site.test:{port}/")
        assert "gave no answer" in reasons(await look(look_for_ct_names, context))
