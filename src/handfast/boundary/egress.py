"""Whether a connection may be opened, and to which address: the only network door.

The order matters and is always the same: the URL is taken apart and judged, its name is looked up
once, every answer of that look-up is judged, and the connection goes to the address that was judged
while the name is kept for the Host header, SNI and the certificate. A name that answers differently
a moment later (DNS rebinding) is therefore never asked again. Redirects are followed by the caller
and judged here, hop by hop.

`check_url` and `check_answers` are pure; `EgressGuard` adds the look-up, its deadline and the
audit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Protocol

from handfast.boundary.addresses import Address, classify, parse_address
from handfast.boundary.audit import AuditSink
from handfast.boundary.hostnames import HostError, local_name_reason, normalise_host
from handfast.boundary.redaction import redact_text
from handfast.boundary.scope import DEFAULT_WEB_PORTS, Scope
from handfast.boundary.urls import (
    MAX_PORT,
    Destination,
    parse_url,
    resolve_location,
)
from handfast.errors import EgressDenied

MAX_REDIRECTS = 5
"""Hops that are followed from the first URL."""

MAX_ANSWERS = 64
"""Addresses in one look-up; a name with more is refused rather than half checked."""


class Resolver(Protocol):
    """Looks a name up, once for A and AAAA together."""

    async def resolve(self, host: str) -> Sequence[str]:
        """Gives every address of a name.

        Args:
            host: A normalised name, in A-labels, without root dot.

        Returns:
            The addresses as text, in the order of preference; empty when there are none.

        Raises:
            OSError: The look-up failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Admission:
    """Leave to open connections to one address for one request.

    Connect to `address` and `port`, send `host_header`, and check the certificate against `host`.
    """

    destination: Destination | None
    """The URL that was admitted; None for a bare host and port."""
    host: str
    """The name in A-labels, or the address as text."""
    port: int
    address: Address
    """The checked address; the only one to connect to."""
    trail: tuple[str, ...] = ()
    """The URLs that led here by redirect, oldest first, this one last."""

    @property
    def url(self) -> str:
        """The URL in its one spelling; empty for a bare host and port."""
        return self.destination.url if self.destination else ""

    @property
    def scheme(self) -> str:
        """`http` or `https`; empty for a bare host and port."""
        return self.destination.scheme if self.destination else ""

    @property
    def target(self) -> str:
        """Path and query to send; empty for a bare host and port."""
        return self.destination.target if self.destination else ""

    @property
    def host_header(self) -> str:
        """What the Host header must say; empty for a bare host and port."""
        return self.destination.authority if self.destination else ""

    @property
    def sni(self) -> str | None:
        """The name for TLS server name indication, None for an address (RFC 6066, section 3)."""
        return None if parse_address(self.host) else self.host

    @property
    def hops(self) -> int:
        """How many redirects led here."""
        return max(len(self.trail) - 1, 0)


def check_url(url: str, scope: Scope | None = None) -> Destination:
    """Judges a URL before any look-up.

    Args:
        url: An absolute URL.
        scope: What is allowed; None for the public internet on the usual web ports.

    Returns:
        Where it points.

    Raises:
        EgressDenied: The URL is malformed, ambiguous, or out of scope.
    """
    destination = parse_url(url)
    _check_destination(destination, scope)
    return destination


def check_answers(
    destination: Destination, answers: Sequence[str], scope: Scope | None = None
) -> Address:
    """Judges every answer of a look-up and picks the address to connect to.

    Args:
        destination: What was looked up.
        answers: All addresses of that one look-up.
        scope: What is allowed; None for the public internet.

    Returns:
        The first address.

    Raises:
        EgressDenied: There is no answer, or one of them may not be reached.
    """
    return _check_addresses(destination.host, answers, scope, destination.url)


def _check_destination(destination: Destination, scope: Scope | None) -> None:
    refusal = _public_refusal(destination) if scope is None else scope.refusal(destination)
    if refusal is not None:
        raise EgressDenied(refusal, url=destination.url)


def _public_refusal(destination: Destination) -> str | None:
    if destination.port not in DEFAULT_WEB_PORTS:
        return f"port {destination.port} is not allowed, only {DEFAULT_WEB_PORTS}"
    if destination.address is None:
        return local_name_reason(destination.host)
    return _address_refusal(destination.address, None)


def _address_refusal(address: Address, scope: Scope | None) -> str | None:
    if scope is not None:
        return scope.address_refusal(address)
    found = classify(address)
    return None if found.public else f"{address} is not public: {found.reason}"


def _check_addresses(host: str, answers: Sequence[str], scope: Scope | None, shown: str) -> Address:
    if not answers:
        raise EgressDenied(f"{host} has no address", url=shown)
    if len(answers) > MAX_ANSWERS:
        raise EgressDenied(f"{host} has more than {MAX_ANSWERS} addresses", url=shown)
    checked: list[Address] = []
    for answer in answers:
        address = parse_address(answer)
        if address is None:
            raise EgressDenied(f"{host} resolves to {answer!r}, which is no address", url=shown)
        refusal = _address_refusal(address, scope)
        if refusal is not None:
            raise EgressDenied(f"{host} resolves to {refusal}", url=shown)
        checked.append(address)
    return checked[0]


def _today() -> date:
    return datetime.now(UTC).date()


class EgressGuard:
    """Admits connections one by one, with exactly one look-up for each name.

    Args:
        scope: What is allowed; None for the public internet on ports 80, 443, 8080 and 8443.
        resolver: Who looks names up.
        audit: Where each decision is written; None to write none.
        timeout: Seconds that a look-up may take.
        today: Gives the current day, by which the scope's validity is judged at each admission.
    """

    def __init__(
        self,
        scope: Scope | None,
        resolver: Resolver,
        *,
        audit: AuditSink | None = None,
        timeout: float = 5.0,
        today: Callable[[], date] = _today,
    ) -> None:
        self._scope = scope
        self._resolver = resolver
        self._audit = audit
        self._timeout = timeout
        self._today = today

    @property
    def scope(self) -> Scope | None:
        """What is allowed."""
        return self._scope

    async def admit(self, url: str) -> Admission:
        """Admits a request to a URL.

        Raises:
            EgressDenied: The URL, its port or one of its addresses is not allowed.
        """
        return await self._decide(url, lambda: self._admit_url(url, ()))

    async def admit_redirect(self, admission: Admission, location: str) -> Admission:
        """Admits the next hop of a redirect, judged as if it were the first URL.

        Args:
            admission: The admission of the request that was answered with a redirect.
            location: The Location header as received.

        Raises:
            EgressDenied: The hop is not allowed, is one too many, or was visited before.
        """
        return await self._decide(location, lambda: self._admit_hop(admission, location))

    async def admit_host(self, host: str, port: int) -> Admission:
        """Admits a raw connection (TCP, TLS, UDP) to a host and port.

        Args:
            host: A name, or an address without brackets.
            port: The port; without a scope it must be one of the usual web ports.

        Raises:
            EgressDenied: The host, the port or one of its addresses is not allowed.
        """
        return await self._decide(f"{host}:{port}", lambda: self._admit_host(host, port))

    async def admit_name_server(self, address: str, port: int = 53) -> Admission:
        """Admits a DNS query to a server: one that the scope lists, or a target on port 53.

        Raises:
            EgressDenied: The server may not be asked; without a scope, any.
        """
        return await self._decide(
            f"dns://{address}:{port}", lambda: self._admit_name_server(address, port)
        )

    async def _decide(
        self, asked: str, admit: Callable[[], Coroutine[object, object, Admission]]
    ) -> Admission:
        shown = redact_text(asked)
        try:
            self._check_day()
            admission = await admit()
        except EgressDenied as error:
            self._record({"asked": shown, "verdict": "deny", "reason": error.reason})
            raise
        self._record(
            {
                "asked": shown,
                "verdict": "allow",
                "host": admission.host,
                "port": admission.port,
                "address": str(admission.address),
                "hops": admission.hops,
            }
        )
        return admission

    def _check_day(self) -> None:
        refusal = self._scope.authorisation.refusal(self._today()) if self._scope else None
        if refusal is not None:
            raise EgressDenied(refusal)

    async def _admit_url(self, url: str, trail: tuple[str, ...]) -> Admission:
        destination = check_url(url, self._scope)
        if destination.url in trail:
            raise EgressDenied("the redirect goes in a circle", url=destination.url)
        address = destination.address or check_answers(
            destination, await self._look_up(destination.host), self._scope
        )
        trail = (*trail, destination.url)
        return Admission(destination, destination.host, destination.port, address, trail)

    async def _admit_hop(self, admission: Admission, location: str) -> Admission:
        if admission.destination is None:
            raise EgressDenied("only a request to a URL can be redirected", url=location)
        if admission.hops >= MAX_REDIRECTS:
            raise EgressDenied(f"more than {MAX_REDIRECTS} redirects", url=location)
        url = resolve_location(admission.destination, location)
        return await self._admit_url(url, admission.trail)

    async def _admit_host(self, host: str, port: int) -> Admission:
        if not 1 <= port <= MAX_PORT:
            raise EgressDenied(f"{port} is not a port between 1 and {MAX_PORT}", url=host)
        try:
            found = normalise_host(host)
        except HostError as error:
            raise EgressDenied(str(error), url=host) from error
        shown = f"{host}:{port}"
        if isinstance(found, str):
            _check_destination(Destination("http", found, port, "/"), self._scope)
            answers = await self._look_up(found)
            address = _check_addresses(found, answers, self._scope, shown)
        else:
            _check_destination(Destination("http", str(found), port, "/", found), self._scope)
            address = found
        return Admission(None, str(found), port, address)

    async def _admit_name_server(self, text: str, port: int) -> Admission:
        shown = f"{text}:{port}"
        address = parse_address(text)
        if address is None:
            raise EgressDenied("a name server is named by its address", url=shown)
        if self._scope is None or not self._scope.covers_name_server(address, port):
            raise EgressDenied("the name server is not in the scope", url=shown)
        refusal = _address_refusal(address, self._scope)
        if refusal is not None:
            raise EgressDenied(refusal, url=shown)
        return Admission(None, str(address), port, address)

    async def _look_up(self, host: str) -> Sequence[str]:
        try:
            async with asyncio.timeout(self._timeout):
                return await self._resolver.resolve(host)
        except TimeoutError as error:
            raise EgressDenied(f"{host} was not resolved in {self._timeout:g} seconds") from error
        except OSError as error:
            raise EgressDenied(f"{host} does not resolve") from error

    def _record(self, data: Mapping[str, object]) -> None:
        if self._audit is not None:
            self._audit.record("egress", data)
