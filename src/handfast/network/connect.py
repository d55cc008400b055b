"""Connections to the address that the boundary admitted, within four deadlines.

The address of the `Admission` is the only one used; its name goes into SNI and is what the
certificate is checked against. What the target does wrong comes back as a `Failure`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handfast.boundary.egress import Admission
from handfast.network.failure import Failure, FailureKind, failure_of

READ_CHUNK: Final = 16 * 1024
"""Bytes asked for in one read."""

MAX_READS: Final = 1024
"""Reads of one `receive`: each costs a look at all that came, and a peer may send single bytes."""

MODERN_SUITES: Final = (
    "@SECLEVEL=2:ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES:DHE+AES:!aNULL:!eNULL:!aDSS:!SHA1:!AESCCM"
)
"""CPython's own choice for TLS 1.2 (bpo-43998); distributions build it with others."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long each part of a conversation may last, in seconds."""

    connect: float = 5.0
    """Until the connection stands."""
    handshake: float = 5.0
    """Until TLS is agreed."""
    read: float = 5.0
    """Until the next byte."""
    total: float = 20.0
    """From the first packet to the last byte; a target that drips cannot stretch it."""


@dataclass(frozen=True, slots=True)
class Received:
    """What was read, and why reading ended."""

    data: bytes
    failure: Failure | None
    """None where enough came; `CLOSED` at the end of the stream; a timeout."""
    cut: bool = False
    """The cap was reached."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """What TLS agreed on."""

    version: str
    """OpenSSL's name: `TLSv1.3`."""
    cipher: str
    chain: tuple[bytes, ...]
    """The certificates as served, leaf first, in DER."""


class Connection:
    """One open connection. Made by `open_connection`."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        admission: Admission,
        deadlines: Deadlines,
        started: float,
    ) -> None:
        self.admission = admission
        self.reader = reader
        self._writer = writer
        self._deadlines = deadlines
        self._end = started + deadlines.total

    @property
    def peer(self) -> str:
        """The address connected to."""
        return str(self.admission.address)

    async def send(self, data: bytes) -> Failure | None:
        """Sends bytes; None when the system took them."""
        try:
            async with asyncio.timeout_at(self._at(self._deadlines.read)):
                self._writer.write(data)
                await self._writer.drain()
        except TimeoutError:
            return Failure(FailureKind.READ_TIMEOUT, "the peer takes no more bytes")
        except OSError as error:
            return failure_of(error)
        return None

    async def receive(self, cap: int, enough: Callable[[bytes], bool] = bool) -> Received:
        """Reads until there is enough.

        Args:
            cap: The most bytes to take; `MAX_READS` reads end it too.
            enough: Looks at all the bytes so far; by default any byte will do.

        Returns:
            What came, and why it ended before there was enough.
        """
        data = b""
        for _ in range(MAX_READS):
            if len(data) >= cap:
                break
            try:
                async with asyncio.timeout_at(self._at(self._deadlines.read)):
                    chunk = await self.reader.read(min(READ_CHUNK, cap - len(data)))
            except TimeoutError:
                return Received(data, self._timeout())
            except OSError as error:
                return Received(data, failure_of(error))
            if not chunk:
                return Received(data, Failure(FailureKind.CLOSED, "the peer closed"))
            data += chunk
            if enough(data):
                return Received(data, None)
        return Received(data, None, cut=True)

    async def start_tls(self, context: ssl.SSLContext) -> Handshake | Failure:
        """Agrees on TLS over this connection.

        Args:
            context: What to accept; `verified_context` or `unverified_context`.

        Returns:
            What was agreed, or why nothing was.
        """
        name = self.admission.sni or str(self.admission.address)
        seconds = self._deadlines.handshake
        try:
            async with asyncio.timeout_at(self._at(seconds)):
                # the timeout above is the deadline; asyncio's own only must not come first
                await self._writer.start_tls(
                    context, server_hostname=name, ssl_handshake_timeout=seconds + 1
                )
        except TimeoutError:
            return Failure(FailureKind.HANDSHAKE_TIMEOUT, f"no handshake in {seconds:g} s")
        except OSError as error:
            return failure_of(error)
        return _handshake(self._writer.get_extra_info("ssl_object"))

    def _at(self, seconds: float) -> float:
        return min(asyncio.get_running_loop().time() + seconds, self._end)

    def _timeout(self) -> Failure:
        if asyncio.get_running_loop().time() >= self._end:
            return Failure(FailureKind.TOTAL_TIMEOUT, f"not done in {self._deadlines.total:g} s")
        return Failure(FailureKind.READ_TIMEOUT, f"nothing in {self._deadlines.read:g} s")


@asynccontextmanager
async def open_connection(
    admission: Admission, deadlines: Deadlines | None = None
) -> AsyncGenerator[Connection | Failure]:
    """Connects to the admitted address and closes at the end of the block.

    Args:
        admission: The boundary's leave.
        deadlines: How long each part may last.

    Yields:
        The connection, or why there is none.
    """
    limits = deadlines or Deadlines()
    started = asyncio.get_running_loop().time()
    opened = await _connect(admission, limits)
    if isinstance(opened, Failure):
        yield opened
        return
    reader, writer = opened
    try:
        yield Connection(reader, writer, admission, limits, started)
    finally:
        # The conversation is over and nothing is worth waiting for: not a TLS goodbye, and not
        # wait_closed(), which never returns once a handshake was given up. One turn of the event
        # loop closes the socket.
        writer.transport.abort()
        await asyncio.sleep(0)


def verified_context(trust: Path | None = None) -> ssl.SSLContext:
    """Accepts what a browser would: a chain to a trust anchor, dates and name in order.

    Args:
        trust: A PEM file of trust anchors in place of the system's.
    """
    context = ssl.create_default_context(cafile=str(trust) if trust else None)
    context.set_ciphers(MODERN_SUITES)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def old_verified_context(trust: Path | None = None) -> ssl.SSLContext:
    """Checks the certificate the same way, but accepts versions and suites of long ago.

    Suites without a certificate stay refused: with them there would be nothing to check.

    Args:
        trust: A PEM file of trust anchors in place of the system's.
    """
    context = verified_context(trust)
    context.set_ciphers("ALL:!aNULL:!eNULL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    return context


def unverified_context() -> ssl.SSLContext:
    """Accepts any certificate, or none, and any version and suite that OpenSSL still can.

    For looking at what a server does; never used to fetch what is then believed.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers("ALL:eNULL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    return context


async def _connect(
    admission: Admission, deadlines: Deadlines
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | Failure:
    loop = asyncio.get_running_loop()
    family = socket.AF_INET6 if ":" in str(admission.address) else socket.AF_INET
    connecting = socket.socket(family, socket.SOCK_STREAM)
    connecting.settimeout(0)
    try:
        async with asyncio.timeout(min(deadlines.connect, deadlines.total)):
            await loop.sock_connect(connecting, (str(admission.address), admission.port))
            return await asyncio.open_connection(sock=connecting)
    except TimeoutError as error:
        connecting.close()
        if error.errno is not None:  # the system gave up before we did
            return Failure(FailureKind.CONNECT_TIMEOUT, str(error))
        seconds = min(deadlines.connect, deadlines.total)
        return Failure(FailureKind.CONNECT_TIMEOUT, f"no connection in {seconds:g} s")
    except OSError as error:
        connecting.close()
        return failure_of(error)
    except BaseException:
        connecting.close()
        raise


def _handshake(tls: ssl.SSLObject | None) -> Handshake | Failure:
    if tls is None:
        return Failure(FailureKind.TLS, "the connection has no TLS state")
    cipher = tls.cipher()
    return Handshake(tls.version() or "", cipher[0] if cipher else "", _served_chain(tls))


def _served_chain(tls: ssl.SSLObject) -> tuple[bytes, ...]:
    # Python 3.13 has SSLObject.get_unverified_chain(); before, only the object inside has it, and
    # its certificates are objects with public_bytes() where the new method gives bytes.
    source: object = tls if hasattr(tls, "get_unverified_chain") else getattr(tls, "_sslobj", None)
    get_chain: Callable[[], list[object] | None] | None = getattr(
        source, "get_unverified_chain", None
    )
    chain = (get_chain() if get_chain else None) or []
    found = tuple(_der(certificate) for certificate in chain)
    leaf = tls.getpeercert(binary_form=True)
    return found or ((leaf,) if leaf else ())


def _der(certificate: object) -> bytes:
    if isinstance(certificate, bytes):
        return certificate
    pem: str = getattr(certificate, "public_bytes", lambda: "")()
    return ssl.PEM_cert_to_DER_cert(pem)
