from __future__ import annotations

from handfast_inspect.lab.pages_exposed import PLANTED_SECRET, exposed_paths
from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient

HTTPS = ServiceKind.HTTPS
NAME = "exposed.lab.example"


async def test_every_exposed_path_is_served(client: LaboratoryClient) -> None:
    for path in exposed_paths():
        answer = await client.get(NAME, path, kind=HTTPS)
        assert (path, answer.status) == (path, 200)
        assert answer.body


async def test_the_repository_and_the_environment_have_their_signatures(
    client: LaboratoryClient,
) -> None:
    head = await client.get(NAME, "/.git/HEAD", kind=HTTPS)
    config = await client.get(NAME, "/.git/config", kind=HTTPS)
    environment = await client.get(NAME, "/.env", kind=HTTPS)
    assert head.body.startswith(b"ref: refs/heads/")
    assert config.body.startswith(b"[core]")
    assert f"DB_PASSWORD={PLANTED_SECRET}".encode() in environment.body


async def test_a_random_path_is_not_found(client: LaboratoryClient) -> None:
    assert (await client.get(NAME, "/surely-not-there", kind=HTTPS)).status == 404


async def test_robots_names_paths_that_look_like_administration(client: LaboratoryClient) -> None:
    assert b"/phpmyadmin/" in (await client.get(NAME, "/robots.txt", kind=HTTPS)).body


async def test_the_page_and_its_script_are_well_configured(client: LaboratoryClient) -> None:
    for path in ("/", "/app.js"):
        answer = await client.get(NAME, path, kind=HTTPS)
        assert answer.status == 200
        assert answer.header("x-content-type-options") == "nosniff"
