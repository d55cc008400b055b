"""The answers of a web site on which everything is wrong that a visitor can see."""

from __future__ import annotations

from typing import Final

from handfast_inspect.lab.http_message import Exchange, Headers, Response
from handfast_inspect.lab.pages_good import page
from handfast_inspect.lab.site import OUTSIDE, ServiceKind

_METHODS: Final = "GET, HEAD, POST, PUT, DELETE, OPTIONS, TRACE"

_BANNERS: Final[Headers] = (
    ("Server", "Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips PHP/5.4.16"),
    ("X-Powered-By", "PHP/5.4.16"),
    ("X-AspNet-Version", "4.0.30319"),
    ("X-Debug-Token", "7c1f0a"),
    ("Public-Key-Pins", 'pin-sha256="d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="; max-age=60'),
)

_COOKIES: Final[Headers] = (
    ("Set-Cookie", "PHPSESSID=d41d8cd98f00b204; path=/; domain=.lab.example"),
    ("Set-Cookie", "tracking=1; SameSite=None; Path=/"),
    ("Set-Cookie", "theme=dark; SameSite=Sometimes"),
)

_DIRECTORIES: Final = frozenset(
    {"/uploads/", "/images/", "/files/", "/backup/", "/assets/", "/static/", "/icons/"}
)

_LISTING: Final = (
    "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'><html><head><title>Index of {path}"
    "</title></head><body><h1>Index of {path}</h1><table>"
    '<tr><th><a href="?C=N;O=D">Name</a></th><th>Last modified</th><th>Size</th></tr>'
    '<tr><td><a href="/">Parent Directory</a></td><td>&nbsp;</td><td>-</td></tr>'
    '<tr><td><a href="customers.csv">customers.csv</a></td><td>2019-04-01 09:12</td>'
    "<td>1.2M</td></tr>"
    "</table><address>Apache/2.4.6 (CentOS) Server</address></body></html>"
)

_STACK_TRACE: Final = (
    "<html><head><title>Error</title></head><body><pre>Traceback (most recent call last):\n"
    '  File "/srv/app/views.py", line 88, in dispatch\n'
    "    return self.handlers[path](request)\n"
    "KeyError: '{path}'\n\n"
    "You're seeing this error because you have <code>DEBUG = True</code> in your settings file."
    "</pre></body></html>"
)


def respond(exchange: Exchange) -> Response:
    """Answers for the bad site, over http and https alike: nothing redirects."""
    if exchange.request.method == "OPTIONS":
        return Response(204, headers=(*_headers(exchange), ("Allow", _METHODS)))
    if exchange.request.method not in {"GET", "HEAD", "POST"}:
        return Response(405, headers=_headers(exchange), body=page("Not that way"))
    if exchange.path == "/":
        return Response(headers=(*_headers(exchange), *_COOKIES), body=_front_page(exchange))
    if exchange.path in _DIRECTORIES:
        return Response(headers=_BANNERS, body=_LISTING.format(path=exchange.path).encode())
    if exchange.path in {"/.well-known/security.txt", "/security.txt"}:
        return _security_txt()
    if exchange.path == "/robots.txt":
        robots = b"User-agent: *\nDisallow: /admin/\nDisallow: /backup/\n"
        return Response(headers=_BANNERS, body=robots, content_type="text/plain")
    return Response(500, headers=_BANNERS, body=_STACK_TRACE.format(path="unknown").encode())


def _headers(exchange: Exchange) -> Headers:
    origin = exchange.request.header("origin")
    if not origin:
        return _BANNERS
    return (
        *_BANNERS,
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true"),
    )


def _front_page(exchange: Exchange) -> bytes:
    plain = exchange.url(ServiceKind.HTTP, "")
    outside = exchange.book.port(OUTSIDE, ServiceKind.HTTP)
    return (
        "<!doctype html><html><head><title>Members</title>"
        '<meta http-equiv="X-Frame-Options" content="DENY">'
        '<meta name="generator" content="WordPress 4.7.1">'
        f'<script src="{plain}/app.js"></script>'
        f'<script src="https://cdn.{OUTSIDE}/jquery.js"></script>'
        f'<script src="http://{OUTSIDE}:{outside}/tracker.js"></script>'
        f'<link rel="stylesheet" href="{plain}/site.css"></head><body>'
        f'<img src="{plain}/images/logo.png" alt="logo">'
        f'<form action="{plain}/login" method="post">'
        '<input name="user"><input type="password" name="password"><button>Log in</button></form>'
        '<a href="/uploads/">uploads</a><script>document.cookie="seen=1"</script>'
        "</body></html>\n"
    ).encode()


def _security_txt() -> Response:
    body = b"Expires: 2019-01-01T00:00:00Z\nAcknowledgments: none\n"
    return Response(headers=_BANNERS, body=body, content_type="text/html")
