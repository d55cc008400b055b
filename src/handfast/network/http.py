"""HTTP as a guest: one guarded client that a whole run shares.

Every request goes to the address that the boundary admitted, keeps the name for Host, SNI and the
certificate, and ends at the total deadline and the byte cap, whatever the target does. Redirects
are followed here, each hop admitted like a first URL. Proxies, cookies, credentials and the
environment have no part in it. The same GET is sent once a run; asked again, it is remembered.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, cast

import httpx

from handfast.boundary.egress import Admission, EgressGuard
from handfast.errors import EgressDenied
from handfast.network.body import BodyReader
from handfast.network.connect import (
    Deadlines,
    old_verified_context,
    unverified_context,
    verified_context,
)
from handfast.network.failure import Failure, FailureKind, failure_of
from handfast.network.pace import Pace

MAX_REMEMBERED: Final = 512
"""Answers that a client remembers; more are fetched again."""

USER_AGENT: Final = "handfast-inspect/0.1 (authorised security inspection)"
"""Who we say we are."""

Method: TypeAlias = Literal["GET", "HEAD", "OPTIONS"]
"""The methods that change nothing (RFC 9110, section 9.2.1) and echo nothing."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """What to fetch and how much of it."""

    url: str
    method: Method = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """More headers than Host, User-Agent, Accept and Accept-Encoding."""
    max_bytes: int = 256 * 1024
    """The most decoded bytes of the last body."""
    verify: bool = True
    """Whether a certificate that a browser refuses ends the request."""
    old_tls: bool = False
    """Whether versions and suites of long ago are accepted; the certificate is checked the same."""
    follow: bool = True
    """Whether redirects are followed, as far as the boundary admits them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of one HTTP response."""

    url: str
    """What was asked for."""
    status: int
    reason: str
    http_version: str
    """`HTTP/1.1` or `HTTP/1.0`."""
    headers: tuple[tuple[str, str], ...]
    """As sent, in order, repeated names kept apart."""
    peer: str
    """The address that answered."""
    tls_version: str = ""
    """OpenSSL's name; empty without TLS."""

    def header(self, name: str) -> str | None:
        """The first header of a name; None without one."""
        return next(iter(self.all_headers(name)), None)

    def all_headers(self, name: str) -> tuple[str, ...]:
        """Every header of a name, in order."""
        return tuple(value for key, value in self.headers if key.lower() == name.lower())

    @property
    def head(self) -> bytes:
        """Status line and headers as they stood on the wire."""
        lines = [f"{self.http_version} {self.status} {self.reason}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


@dataclass(frozen=True, slots=True)
class Fetched:
    """Everything that came of one request."""

    request: FetchRequest
    answers: tuple[Answer, ...] = ()
    """One a hop, in order; the last is final unless `refused` or `failure` says why not."""
    body: bytes = b""
    """The decoded body of the last answer, up to the cap."""
    cut: bool = False
    """The body is not whole."""
    note: str = ""
    """What else to know about the body."""
    failure: Failure | None = None
    """Why the last hop gave no whole answer."""
    refused: str = ""
    """Why the boundary did not admit the next hop."""
    seconds: float = 0.0
    """Time on the network, waiting for a turn left out."""

    @property
    def last(self) -> Answer | None:
        """The last answer; None where nothing answered."""
        return self.answers[-1] if self.answers else None


@dataclass(slots=True)
class _Exchange:
    """One hop as it goes on: what is here stays when the deadline strikes."""

    answer: Answer | None = None
    reader: BodyReader = field(default_factory=lambda: BodyReader("", 0))
    failure: Failure | None = None


class GuardedClient:
    """Fetches what the boundary admits, at the pace that the run may have.

    Args:
        guard: Who admits each URL and each redirect.
        pace: What the run may spend.
        deadlines: How long each part may last.
        trust: A PEM file of trust anchors in place of the system's.
        user_agent: Who we say we are.
    """

    def __init__(
        self,
        guard: EgressGuard,
        pace: Pace,
        *,
        deadlines: Deadlines | None = None,
        trust: Path | None = None,
        user_agent: str = USER_AGENT,
    ) -> None:
        self._guard = guard
        self._pace = pace
        self._deadlines = deadlines or Deadlines()
        self._verified = verified_context(trust)
        self._old_verified = old_verified_context(trust)
        self._unverified = unverified_context()
        self._user_agent = user_agent
        self._remembered: dict[FetchRequest, Fetched] = {}
        self._under_way: dict[FetchRequest, asyncio.Lock] = {}

    async def fetch(self, request: FetchRequest) -> Fetched:
        """Fetches a URL and follows its redirects.

        Args:
            request: What to fetch.

        Returns:
            What came of it. A target's fault is a `failure` in it.

        Raises:
            EgressDenied: The first URL is not admitted.
            LimitExceeded: The run has used up its requests or bytes.
        """
        lock = self._under_way.setdefault(request, asyncio.Lock())
        try:
            async with lock:
                known = self._remembered.get(request)
                if known is not None:
                    return known
                fetched = await self._fetch(request)
                if len(self._remembered) < MAX_REMEMBERED:
                    self._remembered[request] = fetched
                return fetched
        finally:
            self._under_way.pop(request, None)

    async def _fetch(self, request: FetchRequest) -> Fetched:
        admission = await self._guard.admit(request.url)
        answers: list[Answer] = []
        spent = 0.0
        while True:
            hop, seconds = await self._exchange(admission, request, self._deadlines.total - spent)
            spent += seconds
            if hop.answer is not None:
                answers.append(hop.answer)
            next_hop = None if hop.failure else _location(hop.answer, request)
            refused = ""
            if next_hop is not None:
                try:
                    admission = await self._guard.admit_redirect(admission, next_hop)
                    continue
                except EgressDenied as error:
                    refused = error.reason
            return Fetched(
                request=request,
                answers=tuple(answers),
                body=hop.reader.body,
                cut=hop.reader.cut or hop.failure is not None,
                note=hop.reader.note,
                failure=hop.failure,
                refused=refused,
                seconds=spent,
            )

    async def _exchange(
        self, admission: Admission, request: FetchRequest, seconds: float
    ) -> tuple[_Exchange, float]:
        hop = _Exchange()
        clock = asyncio.get_running_loop().time
        async with self._pace.request(admission.host):
            started = clock()
            try:
                async with asyncio.timeout(max(seconds, 0)):
                    await self._perform(admission, request, hop)
            except TimeoutError:
                limit = self._deadlines.total
                hop.failure = Failure(FailureKind.TOTAL_TIMEOUT, f"not done in {limit:g} s")
            except (httpx.TransportError, ssl.SSLError, OSError) as error:
                hop.failure = _failure_of(error)
            return hop, clock() - started

    async def _perform(self, admission: Admission, request: FetchRequest, hop: _Exchange) -> None:
        # One transport for one hop: a pooled connection is found by address alone, and would be
        # used for another name that shares it without a look at the certificate.
        transport = httpx.AsyncHTTPTransport(
            verify=self._context(request),
            trust_env=False,
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=0),
        )
        opened = _Opened()
        sent = self._request(admission, request)
        sent.extensions["trace"] = opened.note
        async with opened, transport:
            response = await transport.handle_async_request(sent)
            hop.answer = _answer(admission, response)
            hop.reader = BodyReader(response.headers.get("content-encoding", ""), request.max_bytes)
            await self._read(response, hop.reader)
            await response.aclose()

    def _context(self, request: FetchRequest) -> ssl.SSLContext:
        if not request.verify:
            return self._unverified
        return self._old_verified if request.old_tls else self._verified

    async def _read(self, response: httpx.Response, reader: BodyReader) -> None:
        if not isinstance(response.stream, AsyncIterable):
            return
        async for chunk in response.stream:  # still encoded: httpx's own decoders know no cap
            self._pace.receive(len(chunk))
            if not reader.take(chunk):
                return

    def _request(self, admission: Admission, request: FetchRequest) -> httpx.Request:
        limits = self._deadlines
        address = f"[{admission.address}]" if ":" in str(admission.address) else admission.address
        return httpx.Request(
            request.method,
            f"{admission.scheme}://{address}:{admission.port}{admission.target}",
            headers=[
                ("Host", admission.host_header),
                ("User-Agent", self._user_agent),
                ("Accept", "*/*"),
                ("Accept-Encoding", "gzip, deflate"),
                *request.headers,
            ],
            extensions={
                "timeout": {
                    "connect": limits.connect,
                    "read": limits.read,
                    "write": limits.read,
                    "pool": limits.total,
                },
                "sni_hostname": admission.sni,
            },
        )


class _Closable(Protocol):
    """What httpcore opens."""

    async def aclose(self) -> None: ...


class _Opened:
    """Closes the connections of one hop, also one whose handshake was cut short.

    httpcore forgets the connection of a handshake that is cancelled; it would stay open until it is
    collected. Its `trace` extension tells of each connection that is opened.
    """

    def __init__(self) -> None:
        self._streams: list[_Closable] = []

    async def note(self, event: str, info: Mapping[str, object]) -> None:
        """Hear of an event."""
        if event == "connection.connect_tcp.complete":
            self._streams.append(cast("_Closable", info["return_value"]))

    async def __aenter__(self) -> None:
        """Nothing is open yet."""

    async def __aexit__(self, *_exception: object) -> None:
        for stream in self._streams:
            await stream.aclose()


def _answer(admission: Admission, response: httpx.Response) -> Answer:
    stream = response.extensions.get("network_stream")
    tls: ssl.SSLObject | None = stream.get_extra_info("ssl_object") if stream else None
    version: bytes = response.extensions.get("http_version", b"HTTP/1.1")
    reason: bytes = response.extensions.get("reason_phrase", b"")
    return Answer(
        url=admission.url,
        status=response.status_code,
        reason=reason.decode("latin-1"),
        http_version=version.decode("latin-1"),
        headers=tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in response.headers.raw
        ),
        peer=str(admission.address),
        tls_version=(tls.version() or "") if tls else "",
    )


def _location(answer: Answer | None, request: FetchRequest) -> str | None:
    if answer is None or not request.follow or answer.status not in _REDIRECTS:
        return None
    return answer.header("location")


def _failure_of(error: Exception) -> Failure:
    detail = str(error) or type(error).__name__
    match error:
        case httpx.ConnectTimeout():
            return Failure(FailureKind.CONNECT_TIMEOUT, "no connection or handshake in time")
        case httpx.ReadTimeout() | httpx.WriteTimeout() | httpx.PoolTimeout():
            return Failure(FailureKind.READ_TIMEOUT, "nothing came in time")
        case httpx.ProtocolError():
            return Failure(FailureKind.PROTOCOL, detail[:300])
        case _:
            return failure_of(error)
