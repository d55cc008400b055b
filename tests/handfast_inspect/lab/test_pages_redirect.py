from __future__ import annotations

import pytest

from handfast_inspect.lab.pages_redirect import METADATA_URL
from handfast_inspect.lab.site import OUTSIDE, ServiceKind
from laboratory_client import LaboratoryClient

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS


async def test_the_detour_takes_three_hops_before_https(client: LaboratoryClient) -> None:
    book = client.laboratory.book
    name = "detour.lab.example"
    seen = [(await client.get(name, path)).header("location") for path in
            ("/", "/one", "/two", "/three")]  # fmt: skip
    hops = [book.url(name, HTTP, path) for path in ("/one", "/two", "/three")]
    assert seen == [*hops, book.url(name, HTTPS, "/")]
    assert (await client.get(name, kind=HTTPS)).status == 200


@pytest.mark.parametrize("kind", [HTTP, HTTPS])
async def test_the_loop_comes_back(client: LaboratoryClient, kind: ServiceKind) -> None:
    book = client.laboratory.book
    name = "loop.lab.example"
    first = (await client.get(name, kind=kind)).header("location")
    second = (await client.get(name, "/there", kind=kind)).header("location")
    assert (first, second) == (book.url(name, kind, "/there"), book.url(name, kind))


async def test_away_leads_out_of_the_scope(client: LaboratoryClient) -> None:
    answer = await client.get("away.lab.example")
    assert answer.header("location") == client.laboratory.book.url(OUTSIDE, HTTP, "/landing")


async def test_metadata_leads_to_a_cloud_s_own_address(client: LaboratoryClient) -> None:
    assert (await client.get("metadata.lab.example")).header("location") == METADATA_URL


@pytest.mark.parametrize(
    ("path", "beginning"),
    [
        ("/file", "file:///"),
        ("/gopher", "gopher://"),
        ("/userinfo", "http://metadata.lab.example@169.254.169.254/"),
        ("/decimal", "http://2852039166/"),
    ],
)
async def test_other_paths_try_other_tricks(
    client: LaboratoryClient, path: str, beginning: str
) -> None:
    answer = await client.get("metadata.lab.example", path, kind=HTTPS)
    assert answer.header("location").startswith(beginning)


async def test_a_location_can_carry_a_header_of_its_own(client: LaboratoryClient) -> None:
    assert (await client.get("metadata.lab.example", "/split")).header("x-injected") == "yes"
