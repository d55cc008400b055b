from __future__ import annotations

import errno
import ssl

import pytest

from handfast.network.failure import Failure, FailureKind, failure_of


def certificate_error() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "verify failed")
    error.verify_code = 10
    error.verify_message = "certificate has expired"
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (certificate_error(), FailureKind.CERTIFICATE),
        (ssl.SSLError(1, "alert"), FailureKind.TLS),
        (ConnectionRefusedError(), FailureKind.REFUSED),
        (OSError(errno.ENETUNREACH, "no route"), FailureKind.UNREACHABLE),
        (OSError(errno.EHOSTUNREACH, "no route"), FailureKind.UNREACHABLE),
        (PermissionError(errno.EACCES, "no"), FailureKind.UNREACHABLE),
        (ConnectionResetError(), FailureKind.CLOSED),
        (OSError("odd"), FailureKind.CLOSED),
    ],
)
def test_an_error_of_the_network_has_a_kind(error: OSError, kind: FailureKind) -> None:
    failure = failure_of(error)
    assert failure.kind is kind
    assert failure.detail


def test_the_cause_inside_a_wrapper_is_found() -> None:
    try:
        try:
            raise certificate_error()
        except ssl.SSLError as inner:
            raise RuntimeError("wrapped") from inner
    except RuntimeError as error:
        failure = failure_of(error)
    assert failure == Failure(FailureKind.CERTIFICATE, "certificate has expired", 10)


def test_a_circle_of_causes_ends() -> None:
    first, second = RuntimeError("a"), RuntimeError("b")
    first.__cause__, second.__cause__ = second, first
    assert failure_of(first).kind is FailureKind.CLOSED


def test_a_failure_reads_as_a_clause_and_is_short() -> None:
    assert str(Failure(FailureKind.REFUSED, "")) == "refused"
    assert str(Failure(FailureKind.TLS, "no")) == "tls: no"
    assert len(failure_of(OSError("x" * 9999)).detail) == 300
