"""What the verifier thinks of a chain, one question at a time: trust, completeness, dates.

OpenSSL looks for a path to a trust anchor first and at the dates afterwards, so its first complaint
tells the two apart. The name is not its business here: `certificates.names_host` looks at that.
"""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from handfast.network.connect import Handshake, old_verified_context
from handfast.network.failure import Failure, FailureKind
from handfast_inspect.probes.certificates import CertificateDetails

_DATES: Final = frozenset({9, 10})
"""X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: there is a path."""

_NO_ISSUER: Final = frozenset({2, 20, 21})
"""X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, the same locally, X509_V_ERR_UNABLE_TO_VERIFY_LEAF."""


@dataclass(frozen=True, slots=True)
class TrustVerdict:
    """What the verifier said."""

    trusted: bool | None
    """Whether a path to a trust anchor exists; None where the handshake failed otherwise."""
    chain_complete: bool | None
    error: str = ""


def chain_context(trust: Path | None) -> ssl.SSLContext:
    """Verifies the chain and its dates, whatever the name, the version or the size of the key.

    Args:
        trust: A PEM file of trust anchors in place of the system's.
    """
    context = old_verified_context(trust)
    context.check_hostname = False
    return context


def judge_chain(
    outcome: Handshake | Failure,
    chain: Sequence[CertificateDetails],
    anchors: Sequence[str],
) -> TrustVerdict:
    """Says what a verified handshake means.

    Args:
        outcome: How it went, with a context of `chain_context`.
        chain: The certificates as served, leaf first.
        anchors: Organisations of the trust anchors.

    Returns:
        The verdict.
    """
    if isinstance(outcome, Handshake):
        return TrustVerdict(trusted=True, chain_complete=True)
    if outcome.kind is not FailureKind.CERTIFICATE:
        return TrustVerdict(None, None, str(outcome))
    if outcome.verify_code in _DATES:
        return TrustVerdict(trusted=True, chain_complete=True, error=outcome.detail)
    incomplete = outcome.verify_code in _NO_ISSUER and _lacks_intermediate(chain, anchors)
    return TrustVerdict(
        trusted=False, chain_complete=False if incomplete else None, error=outcome.detail
    )


def anchor_organizations(context: ssl.SSLContext) -> tuple[str, ...]:
    """The organisations of a context's trust anchors."""
    found: dict[str, None] = {}
    for anchor in context.get_ca_certs():
        names = cast("tuple[tuple[tuple[str, str], ...], ...]", anchor.get("subject", ()))
        for name, value in (pair for part in names for pair in part):
            if name == "organizationName":
                found[value] = None
    return tuple(found)


def _lacks_intermediate(chain: Sequence[CertificateDetails], anchors: Sequence[str]) -> bool:
    """Whether a path ends early rather than at a stranger.

    A certificate of a public authority says where its issuer's can be had, or comes from an
    organisation that is trusted. Only fetching the issuer could tell for sure, and that is a
    request to a third party.
    """
    if not chain or chain[-1].self_signed:
        return False
    last = chain[-1]
    return last.has_issuer_url or last.issuer_organization in anchors
