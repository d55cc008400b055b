from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta

import pytest

from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient

HTTPS = ServiceKind.HTTPS
GOOD = "good.lab.example"


async def test_http_redirects_to_the_same_path_over_https(client: LaboratoryClient) -> None:
    answer = await client.get(GOOD, "/a/b")
    assert answer.status == 301
    assert answer.header("location") == client.laboratory.book.url(GOOD, HTTPS, "/a/b")


async def test_the_page_has_every_header_that_is_asked_for(client: LaboratoryClient) -> None:
    answer = await client.get(GOOD, kind=HTTPS)
    assert answer.status == 200
    assert "max-age=63072000" in answer.header("strict-transport-security")
    assert "frame-ancestors 'none'" in answer.header("content-security-policy")
    assert answer.header("x-frame-options") == ""
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("server") == ""
    (cookie,) = answer.headers_of("set-cookie")
    assert cookie.startswith("__Host-")
    assert all(flag in cookie for flag in ("Secure", "HttpOnly", "SameSite=Strict"))


@pytest.mark.parametrize("name", [GOOD, f"www.{GOOD}", f"mta-sts.{GOOD}"])
async def test_every_name_of_the_site_has_a_valid_certificate(
    client: LaboratoryClient, name: str
) -> None:
    assert (await client.get(name, kind=HTTPS)).status == 200


async def test_security_txt_is_valid_for_months(client: LaboratoryClient) -> None:
    answer = await client.get(GOOD, "/.well-known/security.txt", kind=HTTPS)
    fields = dict(line.split(": ", 1) for line in answer.body.decode().splitlines())
    assert answer.header("content-type") == "text/plain; charset=utf-8"
    assert fields["Contact"].startswith("mailto:")
    remaining = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=90) < remaining < timedelta(days=366)
    assert fields["Canonical"] == client.laboratory.book.url(
        GOOD, HTTPS, "/.well-known/security.txt"
    )


async def test_the_mail_policy_names_the_mail_server(client: LaboratoryClient) -> None:
    answer = await client.get(f"mta-sts.{GOOD}", "/.well-known/mta-sts.txt", kind=HTTPS)
    assert b"mode: enforce" in answer.body
    assert b"mx: mail.good.lab.example" in answer.body


@pytest.mark.parametrize(
    ("path", "content_type"),
    [("/style.css", "text/css"), ("/robots.txt", "text/plain; charset=utf-8")],
)
async def test_other_files_come_with_their_type(
    client: LaboratoryClient, path: str, content_type: str
) -> None:
    answer = await client.get(GOOD, path, kind=HTTPS)
    assert (answer.status, answer.header("content-type")) == (200, content_type)


async def test_unknown_paths_and_foreign_origins_give_nothing_away(
    client: LaboratoryClient,
) -> None:
    assert (await client.get(GOOD, "/.git/HEAD", kind=HTTPS)).status == 404
    foreign = await client.get(GOOD, kind=HTTPS, headers=["Origin: https://evil.example"])
    assert foreign.header("access-control-allow-origin") == ""
    options = await client.get(GOOD, kind=HTTPS, method="OPTIONS")
    assert options.header("allow") == "GET, HEAD, OPTIONS"


async def test_a_client_without_the_authority_refuses_the_certificate(
    client: LaboratoryClient,
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        await client.get(GOOD, kind=HTTPS, tls=ssl.create_default_context())


async def test_halfway_has_policies_that_are_weak(client: LaboratoryClient) -> None:
    answer = await client.get("halfway.lab.example", kind=HTTPS)
    assert answer.header("strict-transport-security") == "max-age=86400"
    assert "'unsafe-inline'" in answer.header("content-security-policy")
    assert answer.header("referrer-policy") == "unsafe-url"
    assert (await client.get("halfway.lab.example", "/x", kind=HTTPS)).status == 404


async def test_plain_asks_for_a_password_without_https(client: LaboratoryClient) -> None:
    assert client.laboratory.book.site("plain.lab.example").port(HTTPS) is None
    assert b'type="password"' in (await client.get("plain.lab.example")).body


async def test_alike_answers_every_path_with_the_same_success(client: LaboratoryClient) -> None:
    paths = ("/.git/HEAD", "/.env", "/surely-not-there")
    answers = [await client.get("alike.lab.example", path, kind=HTTPS) for path in paths]
    assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
