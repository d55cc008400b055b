"""Why a target gave no answer: a value, because a target's fault is data and no exception."""

from __future__ import annotations

import errno
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class FailureKind(StrEnum):
    """What went wrong, by what a person would do next."""

    REFUSED = "refused"
    """The port is closed."""
    UNREACHABLE = "unreachable"
    """No route, or the network said no."""
    CONNECT_TIMEOUT = "connect timeout"
    """Nobody took the connection in time: the port is filtered."""
    HANDSHAKE_TIMEOUT = "handshake timeout"
    """TLS did not finish in time."""
    READ_TIMEOUT = "read timeout"
    """The connection stands and nothing comes."""
    TOTAL_TIMEOUT = "total timeout"
    """Something comes, but not all of it in time."""
    CERTIFICATE = "certificate"
    """The certificate was refused."""
    TLS = "tls"
    """The TLS handshake failed for another reason."""
    CLOSED = "closed"
    """The connection ended too early."""
    PROTOCOL = "protocol"
    """What came is not what the protocol says."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt that came to nothing."""

    kind: FailureKind
    detail: str
    """The system's or the library's words, at most 300 characters."""
    verify_code: int | None = None
    """OpenSSL's number of the certificate error (`X509_V_ERR_...`), where it was one."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else str(self.kind)


_UNREACHABLE = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EACCES, errno.EPERM, errno.EADDRNOTAVAIL}
)
_MAX_DETAIL = 300


def failure_of(error: BaseException) -> Failure:
    """Says what an exception of the network means.

    Args:
        error: What was raised; its causes are looked at too, because libraries wrap them.

    Returns:
        The failure, `CLOSED` for an error of a kind that says no more.
    """
    for cause in _causes(error):
        found = _failure_of(cause)
        if found is not None:
            return found
    return Failure(FailureKind.CLOSED, _detail(error))


def _failure_of(error: BaseException) -> Failure | None:
    match error:
        case ssl.SSLCertVerificationError():
            return Failure(FailureKind.CERTIFICATE, error.verify_message, error.verify_code)
        case ssl.SSLError():
            return Failure(FailureKind.TLS, _detail(error))
        case ConnectionRefusedError():
            return Failure(FailureKind.REFUSED, _detail(error))
        case OSError() if error.errno in _UNREACHABLE:
            return Failure(FailureKind.UNREACHABLE, _detail(error))
        case ConnectionError():
            return Failure(FailureKind.CLOSED, _detail(error))
        case _:
            return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _detail(error: BaseException) -> str:
    return (str(error) or type(error).__name__)[:_MAX_DETAIL]
