"""The web site of a target: its two front doors, and how answers become evidence and text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from handfast.errors import EgressDenied
from handfast.network.failure import FailureKind
from handfast.network.http import Answer, Fetched, FetchRequest, Method
from handfast_inspect.facts.asset import Asset
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import curl_line

MAX_PAGE: Final = 64 * 1024
"""Bytes read of a page that is not the front page."""

Scheme: TypeAlias = Literal["http", "https"]
"""What a front door speaks."""

MAX_HEADERS: Final = 200
"""Headers kept of one answer."""

_TLS_FAILURES: Final = frozenset({FailureKind.CERTIFICATE, FailureKind.TLS})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_COOKIE_VALUE: Final = re.compile(rb"(?im)^(set-cookie:[ \t]*[^=;\r\n]*=)([^;\r\n]*)")
_CHARSETS: Final = frozenset(
    {
        *("utf-8", "us-ascii", "iso-8859-1", "iso-8859-2", "iso-8859-15", "windows-1250"),
        *("windows-1251", "windows-1252", "gb2312", "gbk", "gb18030", "big5", "shift_jis"),
        *("euc-jp", "iso-2022-jp", "euc-kr", "koi8-r", "utf-16", "utf-16le", "utf-16be"),
    }
)
"""Character sets that pages are read in (Encoding standard); others are read as UTF-8."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a site's pages are, and how its TLS has to be spoken."""

    url: str
    """Scheme, host and port, without a path."""
    verify: bool = True
    """Whether its certificate may be checked."""
    old_tls: bool = False
    """Whether only versions and suites of long ago are spoken."""

    @property
    def scheme(self) -> Scheme:
        """`http` or `https`."""
        return "https" if self.url.startswith("https:") else "http"

    def request(
        self,
        path: str,
        *,
        method: Method = "GET",
        headers: tuple[tuple[str, str], ...] = (),
        max_bytes: int = MAX_PAGE,
        follow: bool = False,
    ) -> FetchRequest:
        """A request for one of its paths, or for an absolute URL."""
        return FetchRequest(
            path if "://" in path else f"{self.url}{path}",
            method,
            headers,
            max_bytes,
            verify=self.verify,
            old_tls=self.old_tls,
            follow=follow,
        )


def origin_url(target: Target, scheme: Scheme) -> str:
    """The root of the target's site in one scheme, without a path.

    Args:
        target: The target.
        scheme: `http` or `https`.
    """
    port = target.https_port if scheme == "https" else target.http_port
    host = f"[{target.host}]" if ":" in target.host else target.host
    return f"{scheme}://{host}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{host}:{port}"


async def fetch_home(context: ProbeContext, target: Target, scheme: Scheme) -> Fetched:
    """Fetches the front page of one scheme, again with less demands where TLS fails.

    Returns:
        What came. Where old TLS or no trust was needed for an answer, `request.old_tls` and
        `request.verify` say so: headers are worth a look all the same.

    Raises:
        EgressDenied: The scheme's port is not in scope.
    """
    url = f"{origin_url(target, scheme)}/"
    fetched = await context.client.fetch(FetchRequest(url))
    for request in (FetchRequest(url, old_tls=True), FetchRequest(url, verify=False, old_tls=True)):
        if fetched.failure is None or fetched.failure.kind not in _TLS_FAILURES:
            return fetched
        again = await context.client.fetch(request)
        fetched = again if again.answers or again.failure != fetched.failure else fetched
    return fetched


async def find_origin(context: ProbeContext, target: Target) -> Origin | None:
    """Where the site's pages are: https where it answers, else http; None where nothing does."""
    schemes: tuple[Scheme, ...] = ("https", "http")
    for scheme in schemes:
        try:
            fetched = await fetch_home(context, target, scheme)
        except EgressDenied:
            continue
        if fetched.answers:
            sent = fetched.request
            return Origin(origin_url(target, scheme), sent.verify, sent.old_tls)
    return None


def asset_of(target: Target, fetched: Fetched, url: str = "") -> Asset:
    """The asset that an answer is about: host, address, port and URL.

    Args:
        target: The target.
        fetched: What came.
        url: The URL, where it is not the one asked for.
    """
    shown = url or fetched.request.url
    parts = urlsplit(shown)
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    peer = fetched.answers[0].peer if fetched.answers else None
    return Asset(target.host, peer, port, shown)


def prove_fetch(notes: Notes, asset: Asset, fetched: Fetched) -> tuple[str, ...]:
    """Keeps every answer's head, and the last one's body, as evidence; cookie values are not."""
    found: tuple[str, ...] = ()
    for position, answer in enumerate(fetched.answers, start=1):
        last = position == len(fetched.answers)
        body = fetched.body if last else b""
        shown = _COOKIE_VALUE.sub(_blot, answer.head)
        found += notes.prove(
            asset,
            f"{fetched.request.method} {answer.url} answered {answer.status}",
            answer.head + body,
            shown=None if shown == answer.head else shown + body,
            reproduce=curl_line(_as_sent(fetched.request, answer)),
        )
    if not found and fetched.failure is not None:
        found = notes.prove(
            asset,
            f"{fetched.request.method} {fetched.request.url}: {fetched.failure}",
            b"",
            reproduce=curl_line(fetched.request),
        )
    return found


def trouble_of(fetched: Fetched) -> str:
    """Why there is no whole final answer; empty where there is one."""
    if fetched.refused:
        return f"a redirect was not followed: {fetched.refused}"
    return str(fetched.failure) if fetched.failure else ""


def text_of(fetched: Fetched) -> str:
    """The body as text, in the character set that its headers name where we know it."""
    content_type = fetched.last.header("content-type") if fetched.last else None
    _, _, rest = (content_type or "").lower().partition("charset=")
    charset = rest.split(";", 1)[0].strip("\"' ")
    return fetched.body.decode(charset if charset in _CHARSETS else "utf-8", "replace")


def kept_headers(answer: Answer) -> tuple[tuple[str, str], ...]:
    """The headers of an answer as facts may hold them: a cookie's value is only its length."""
    return tuple(
        (name, _blot_cookie(value) if name.lower() == "set-cookie" else value)
        for name, value in answer.headers[:MAX_HEADERS]
    )


def _blot_cookie(line: str) -> str:
    pair, semicolon, rest = line.partition(";")
    name, equals, value = pair.partition("=")
    value = value if equals else name
    shown = name if equals else ""
    return f"{shown}=[{len(value)} bytes]{semicolon}{rest}"


def _blot(match: re.Match[bytes]) -> bytes:
    return match.group(1) + b"[%d bytes]" % len(match.group(2))


def _as_sent(request: FetchRequest, answer: Answer) -> FetchRequest:
    return replace(request, url=answer.url)
