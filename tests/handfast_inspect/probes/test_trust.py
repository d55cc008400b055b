from __future__ import annotations

from datetime import UTC, datetime

import pytest

from handfast.network.connect import Handshake
from handfast.network.failure import Failure, FailureKind
from handfast_inspect.probes.certificates import CertificateDetails
from handfast_inspect.probes.trust import (
    TrustVerdict,
    anchor_organizations,
    chain_context,
    judge_chain,
)
from loopback_tls import loopback_tls

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def details(
    organization: str = "Nobody", *, self_signed: bool = False, url: bool = False
) -> CertificateDetails:
    return CertificateDetails(
        subject="CN=site.test",
        issuer=f"O={organization}",
        issuer_organization=organization,
        serial="1",
        fingerprint="00",
        not_before=DAY,
        not_after=DAY,
        dns_names=(),
        ip_names=(),
        key_type="ec",
        key_bits=256,
        signature_hash="sha256",
        self_signed=self_signed,
        sct_count=0,
        has_issuer_url=url,
    )


def refused(code: int) -> Failure:
    return Failure(FailureKind.CERTIFICATE, "words", code)


def test_a_handshake_that_verifies_is_trusted_and_complete() -> None:
    verdict = judge_chain(Handshake("TLSv1.3", "X", ()), [details()], ())
    assert verdict == TrustVerdict(trusted=True, chain_complete=True)


@pytest.mark.parametrize("code", [9, 10])
def test_wrong_dates_say_that_there_is_a_path(code: int) -> None:
    verdict = judge_chain(refused(code), [details()], ())
    assert verdict == TrustVerdict(trusted=True, chain_complete=True, error="words")


@pytest.mark.parametrize(
    ("chain", "anchors", "complete"),
    [
        ([details("Known")], ["Known"], False),
        ([details("Unknown", url=True)], [], False),
        ([details("Unknown")], ["Known"], None),
        ([details(), details("Known", self_signed=True)], ["Known"], None),
        ([], ["Known"], None),
    ],
)
def test_a_path_that_ends_early_is_told_from_a_stranger(
    chain: list[CertificateDetails], anchors: list[str], *, complete: bool | None
) -> None:
    verdict = judge_chain(refused(20), chain, anchors)
    assert verdict.trusted is False
    assert verdict.chain_complete is complete


def test_a_self_signed_certificate_is_untrusted_and_not_incomplete() -> None:
    assert judge_chain(refused(18), [details(self_signed=True)], ()).chain_complete is None


def test_a_handshake_that_failed_otherwise_says_nothing_about_trust() -> None:
    verdict = judge_chain(Failure(FailureKind.HANDSHAKE_TIMEOUT, "late"), [details()], ())
    assert (verdict.trusted, verdict.chain_complete) == (None, None)
    assert "late" in verdict.error


def test_the_organisations_of_the_trust_anchors_are_known() -> None:
    assert anchor_organizations(chain_context(loopback_tls().trust))[0].startswith("trustme")
