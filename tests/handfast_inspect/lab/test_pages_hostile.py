from __future__ import annotations

import asyncio

import pytest
from cryptography import x509

from handfast_inspect.lab.injections import ANSI, BIDI, MARKER, ORDER_CHINESE, PLANTED
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient, careless

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS
NAME = "hostile.lab.example"


@pytest.mark.parametrize("kind", [HTTP, HTTPS])
async def test_the_page_holds_every_planted_text(
    client: LaboratoryClient, kind: ServiceKind
) -> None:
    body = (await client.get(NAME, kind=kind)).body.decode()
    assert [name for name, text in PLANTED.items() if text not in body] == []


async def test_headers_carry_control_characters_and_orders(client: LaboratoryClient) -> None:
    answer = await client.get(NAME)
    assert answer.header("x-terminal") == ANSI
    assert answer.header("x-direction") == BIDI
    assert answer.header("x-note") == ORDER_CHINESE
    assert MARKER in answer.header("server")
    assert len(answer.header("x-long")) == 4000


async def test_cookies_and_title_are_hostile(client: LaboratoryClient) -> None:
    answer = await client.get(NAME)
    assert all(MARKER in cookie for cookie in answer.headers_of("set-cookie"))
    title = answer.body.decode().partition("<title>")[2]
    assert title.startswith("</title></textarea></script><script>")


@pytest.mark.parametrize("path", ["/robots.txt", "/.well-known/security.txt", "/anything<script>"])
async def test_every_path_has_something_to_say(client: LaboratoryClient, path: str) -> None:
    assert MARKER in (await client.get(NAME, path)).body.decode()


async def test_the_certificate_is_hostile_too(client: LaboratoryClient) -> None:
    address, port = client.where(NAME, HTTPS)
    reader, writer = await asyncio.open_connection(address, port, ssl=careless())
    der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    organization = x509.load_der_x509_certificate(der).subject.rfc4514_string()
    assert MARKER in organization
    assert "script" in organization
    writer.transport.abort()
    assert await reader.read() == b""
