from __future__ import annotations

import pytest

from handfast_inspect.lab.site import ServiceKind
from laboratory_client import LaboratoryClient

HTTP, HTTPS = ServiceKind.HTTP, ServiceKind.HTTPS
BAD = "bad.lab.example"


@pytest.mark.parametrize("kind", [HTTP, HTTPS])
async def test_the_page_is_the_same_over_http_and_https(
    client: LaboratoryClient, kind: ServiceKind
) -> None:
    answer = await client.get(BAD, kind=kind)
    assert answer.status == 200
    for missing in ("strict-transport-security", "content-security-policy", "x-frame-options"):
        assert answer.header(missing) == ""


async def test_the_banners_tell_versions(client: LaboratoryClient) -> None:
    answer = await client.get(BAD)
    assert "Apache/2.4.6" in answer.header("server")
    assert answer.header("x-powered-by") == "PHP/5.4.16"


async def test_the_cookies_are_unprotected(client: LaboratoryClient) -> None:
    session, tracking, theme = (await client.get(BAD)).headers_of("set-cookie")
    assert not any(flag in session for flag in ("Secure", "HttpOnly", "SameSite"))
    assert "domain=.lab.example" in session
    assert "SameSite=None" in tracking
    assert "SameSite=Sometimes" in theme


async def test_a_foreign_origin_is_reflected_with_credentials(client: LaboratoryClient) -> None:
    for origin in ("https://evil.example", "null"):
        answer = await client.get(BAD, kind=HTTPS, headers=[f"Origin: {origin}"])
        assert answer.header("access-control-allow-origin") == origin
        assert answer.header("access-control-allow-credentials") == "true"


async def test_the_secure_page_loads_and_posts_in_the_clear(client: LaboratoryClient) -> None:
    body = (await client.get(BAD, kind=HTTPS)).body.decode()
    plain = client.laboratory.book.url(BAD, HTTP, "")
    assert f'<script src="{plain}/app.js">' in body
    assert f'<form action="{plain}/login" method="post">' in body
    assert 'type="password"' in body


async def test_a_directory_is_listed(client: LaboratoryClient) -> None:
    assert b"<title>Index of /uploads/</title>" in (await client.get(BAD, "/uploads/")).body


async def test_an_unknown_path_shows_a_stack_trace(client: LaboratoryClient) -> None:
    answer = await client.get(BAD, "/surely-not-there")
    assert answer.status == 500
    assert b"Traceback (most recent call last)" in answer.body


async def test_options_allows_trace_but_trace_is_refused(client: LaboratoryClient) -> None:
    options = await client.get(BAD, method="OPTIONS")
    assert {"TRACE", "PUT", "DELETE"} <= set(options.header("allow").split(", "))
    assert (await client.get(BAD, method="DELETE")).status == 405


async def test_security_txt_is_expired_and_of_the_wrong_type(client: LaboratoryClient) -> None:
    answer = await client.get(BAD, "/.well-known/security.txt", kind=HTTPS)
    assert answer.header("content-type") == "text/html"
    assert b"Expires: 2019" in answer.body
    assert b"Contact" not in answer.body


async def test_robots_names_what_it_hides(client: LaboratoryClient) -> None:
    assert b"Disallow: /admin/" in (await client.get(BAD, "/robots.txt")).body
