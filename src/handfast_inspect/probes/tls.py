"""The certificate of an endpoint: what it presents, and what a verifier thinks of it.

Two handshakes: one that accepts anything, to see the certificates as served, and one that verifies
them. Where the certificate itself has no signed timestamp, a third, unfinished one asks for those
that come in the handshake.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Final

from handfast import Admission
from handfast.network.connect import Handshake, open_connection, unverified_context
from handfast.network.failure import Failure
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.probes.certificates import (
    CertificateDetails,
    names_host,
    read_certificate,
)
from handfast_inspect.probes.cipher_suites import UP_TO_TLS12
from handfast_inspect.probes.client_hello import TLS12, TLS13, Offer
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import openssl_line
from handfast_inspect.probes.tls_offer import make_offer
from handfast_inspect.probes.trust import (
    TrustVerdict,
    anchor_organizations,
    chain_context,
    judge_chain,
)

CERTIFICATE_RULES: Final = ("tls.cert.",)
"""What stays untested without a certificate."""

MAX_CHAIN: Final = 12
"""Certificates of a chain that are read."""


@dataclass(frozen=True, slots=True)
class Presented:
    """A chain as served, and the verdict on it."""

    details: CertificateDetails
    chain: tuple[bytes, ...]
    verdict: TrustVerdict
    name_matches: bool


async def look_at_certificate(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Looks at the certificate of the target's https port."""
    admission = await context.guard.admit_host(target.host, target.https_port)
    asset = Asset(target.host, str(admission.address), admission.port)
    served = await _handshake(context, admission, unverified_context())
    if isinstance(served, Failure):
        notes.gap(asset, CERTIFICATE_RULES, f"no certificate was seen: {served}", "error")
        return
    verifying = await asyncio.to_thread(chain_context, context.trust)
    outcome = await _handshake(context, admission, verifying)
    presented = present(admission.host, served.chain, outcome, verifying)
    if presented is None:
        notes.gap(asset, CERTIFICATE_RULES, "the certificate cannot be read", "error")
        return
    sct_count = await _sct_count(context, admission, presented.details)
    notes.fact(certificate_fact(notes, asset, presented, sct_count))


def present(
    host: str,
    chain: tuple[bytes, ...],
    outcome: Handshake | Failure,
    verifying: ssl.SSLContext,
) -> Presented | None:
    """Reads a chain and the outcome of verifying it.

    Args:
        host: The name or address that was asked for.
        chain: The certificates as served, leaf first.
        outcome: How a handshake with the verifying context went.
        verifying: That context.

    Returns:
        What is known; None where the leaf cannot be read.
    """
    read = [read_certificate(certificate) for certificate in chain[:MAX_CHAIN]]
    details = [certificate for certificate in read if certificate is not None]
    if not read or read[0] is None:
        return None
    leaf = read[0]
    verdict = judge_chain(outcome, details, anchor_organizations(verifying))
    matches = names_host(leaf.dns_names, leaf.ip_names, host)
    return Presented(leaf, chain, verdict, matches)


def certificate_fact(
    notes: Notes, asset: Asset, presented: Presented, sct_count: int | None
) -> CertificateFact:
    """Makes the fact, with the leaf in DER as its evidence."""
    leaf, verdict = presented.details, presented.verdict
    evidence = notes.prove(
        asset,
        f"certificate {leaf.fingerprint[:16]} of {asset.host}, chain of {len(presented.chain)}",
        ssl.DER_cert_to_PEM_cert(presented.chain[0]).encode("ascii"),
        reproduce=openssl_line(asset.host, asset.port or 443, "-showcerts"),
    )
    return CertificateFact(
        asset=asset,
        evidence=evidence,
        server_name=asset.host,
        subject=leaf.subject,
        issuer=leaf.issuer,
        issuer_organization=leaf.issuer_organization,
        serial=leaf.serial,
        fingerprint=leaf.fingerprint,
        not_before=leaf.not_before,
        not_after=leaf.not_after,
        dns_names=leaf.dns_names,
        ip_names=leaf.ip_names,
        key_type=leaf.key_type,
        key_bits=leaf.key_bits,
        signature_hash=leaf.signature_hash,
        self_signed=leaf.self_signed,
        name_matches=presented.name_matches,
        chain_complete=verdict.chain_complete,
        trusted=verdict.trusted,
        sct_count=sct_count,
        verify_error=verdict.error,
    )


async def _handshake(
    context: ProbeContext, admission: Admission, tls: ssl.SSLContext
) -> Handshake | Failure:
    async with (
        context.pace.request(admission.host),
        open_connection(admission, context.deadlines) as connection,
    ):
        if isinstance(connection, Failure):
            return connection
        return await connection.start_tls(tls)


async def _sct_count(
    context: ProbeContext, admission: Admission, leaf: CertificateDetails
) -> int | None:
    """Timestamps in the certificate or the handshake; None where the handshake hides them."""
    if leaf.sct_count:
        return leaf.sct_count
    offered = await make_offer(context, admission, Offer(TLS12, UP_TO_TLS12, admission.sni))
    flight = offered.flight
    if flight is None or flight.version is None or flight.version == TLS13:
        return None
    return flight.sct_count
