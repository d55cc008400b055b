"""The answers of a web site that does everything right, and of two that do it half."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from handfast_inspect.lab.http_message import Exchange, Headers, Response
from handfast_inspect.lab.site import ServiceKind

GOOD_HEADERS: Final[Headers] = (
    ("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload"),
    (
        "Content-Security-Policy",
        (
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
            "base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
        ),
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cache-Control", "no-store"),
)
"""Framing is forbidden by `frame-ancestors` alone: X-Frame-Options is not needed beside it."""

_SESSION: Final = ("Set-Cookie", "__Host-session=3q2-7w; Path=/; Secure; HttpOnly; SameSite=Strict")
_SECURITY_TXT_DAYS: Final = 180
_MTA_STS_POLICY: Final = (
    "version: STSv1\r\nmode: enforce\r\nmx: mail.good.lab.example\r\nmax_age: 604800\r\n"
)


def respond_to_https(exchange: Exchange) -> Response:
    """Answers for the good site over https."""
    if exchange.request.method == "OPTIONS":
        return Response(204, headers=(*GOOD_HEADERS, ("Allow", "GET, HEAD, OPTIONS")))
    match exchange.path:
        case "/":
            return Response(headers=(*GOOD_HEADERS, _SESSION), body=page("A good site"))
        case "/style.css":
            return Response(headers=GOOD_HEADERS, body=b"body{}", content_type="text/css")
        case "/robots.txt":
            return _text("User-agent: *\nDisallow:\n")
        case "/.well-known/security.txt":
            return _text(security_txt(exchange))
        case "/.well-known/mta-sts.txt":
            return _text(_MTA_STS_POLICY)
        case _:
            return Response(404, headers=GOOD_HEADERS, body=page("Not found"))


def redirect_to_https(exchange: Exchange) -> Response:
    """Sends every plain request to the same path over https."""
    target = exchange.url(ServiceKind.HTTPS, exchange.path)
    return Response(301, headers=(("Location", target),), content_type="")


def respond_halfway(exchange: Exchange) -> Response:
    """Answers for a site whose policies are there but weak."""
    if exchange.path != "/":
        return Response(404, headers=_HALFWAY_HEADERS, body=page("Not found"))
    return Response(headers=_HALFWAY_HEADERS, body=page("A site of good intentions"))


_HALFWAY_HEADERS: Final[Headers] = (
    ("Strict-Transport-Security", "max-age=86400"),
    ("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' http:"),
    ("X-Frame-Options", "ALLOW-FROM https://partner.lab.example"),
    ("X-Content-Type-Options", "nosnif"),
    ("Referrer-Policy", "unsafe-url"),
    ("X-XSS-Protection", "1; mode=block"),
    ("Expect-CT", "max-age=86400"),
    ("Access-Control-Allow-Origin", "*"),
    ("Server", "nginx"),
    ("Set-Cookie", "sessionid=8f14e45f; Path=/; Secure; HttpOnly"),
)


def respond_plain_only(exchange: Exchange) -> Response:
    """Answers for a site that never heard of https."""
    if exchange.path != "/":
        return Response(404, body=page("Not found"))
    form = '<form action="/login" method="post"><input name="u"><input type="password" name="p">'
    return Response(body=page("Welcome", form + "</form>"))


def respond_alike_everywhere(exchange: Exchange) -> Response:
    """Answers every path with status 200 and the same page: no file is exposed here."""
    shown = "Welcome" if exchange.path == "/" else "We could not find that, but look at this"
    return Response(headers=GOOD_HEADERS, body=page(shown))


def page(title: str, body: str = "") -> bytes:
    """Writes a small HTML page."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"</head><body><h1>{title}</h1>{body}</body></html>\n"
    ).encode()


def security_txt(exchange: Exchange) -> str:
    """A valid security.txt (RFC 9116), without a signature."""
    expires = datetime.now(UTC) + timedelta(days=_SECURITY_TXT_DAYS)
    canonical = exchange.url(ServiceKind.HTTPS, "/.well-known/security.txt")
    return (
        "Contact: mailto:security@good.lab.example\n"
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        "Preferred-Languages: en, zh\n"
        f"Canonical: {canonical}\n"
    )


def _text(body: str) -> Response:
    content_type = "text/plain; charset=utf-8"
    return Response(headers=GOOD_HEADERS, body=body.encode(), content_type=content_type)
