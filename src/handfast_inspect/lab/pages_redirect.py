"""Redirects: a detour, a loop, one that leaves the scope, one to a cloud's metadata service."""

from __future__ import annotations

from typing import Final

from handfast_inspect.lab.http_message import Exchange, Response
from handfast_inspect.lab.pages_good import GOOD_HEADERS, page
from handfast_inspect.lab.site import OUTSIDE, ServiceKind

METADATA_URL: Final = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"
"""Where cloud machines find their credentials: the classic goal of a forged request."""

_DETOUR: Final = {"/": "/one", "/one": "/two", "/two": "/three"}


def respond_detour(exchange: Exchange) -> Response:
    """Three hops over http before the one to https."""
    if exchange.kind is ServiceKind.HTTPS:
        return Response(headers=GOOD_HEADERS, body=page("Arrived"))
    following = _DETOUR.get(exchange.path)
    if following is not None:
        return _redirect(exchange.url(ServiceKind.HTTP, following))
    return _redirect(exchange.url(ServiceKind.HTTPS, "/"))


def respond_loop(exchange: Exchange) -> Response:
    """Two pages that point at each other, for ever."""
    following = "/there" if exchange.path != "/there" else "/"
    return _redirect(exchange.url(exchange.kind, following))


def respond_away(exchange: Exchange) -> Response:
    """To a host outside the scope."""
    return _redirect(exchange.book.url(OUTSIDE, ServiceKind.HTTP, "/landing"))


def respond_metadata(exchange: Exchange) -> Response:
    """To the metadata service; other paths try other tricks."""
    tricks = {
        "/file": "file:///etc/passwd",
        "/gopher": "gopher://127.0.0.1:6379/_INFO",
        "/userinfo": f"http://{exchange.site.name}@169.254.169.254/",
        "/decimal": "http://2852039166/",
        "/split": "/\r\nX-Injected: yes",
    }
    return _redirect(tricks.get(exchange.path, METADATA_URL))


def _redirect(target: str) -> Response:
    return Response(302, headers=(("Location", target),), content_type="")
