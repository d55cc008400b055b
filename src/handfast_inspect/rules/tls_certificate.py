"""Rules about the certificate: validity, expiry, lifetime, key and transparency."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.findings.finding import ProbeClass, Severity
from handfast_inspect.rules.reproduce import openssl_certificate
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed, untested

_NEEDS = "no certificate was seen: nothing answered a TLS handshake"
_DAY = timedelta(days=1)

_SHORT_LIVED = timedelta(days=10)
"""Up to here (CA/B: "short-lived") a certificate always has few days left; the fraction decides."""

_LIFETIME_LIMITS = (
    (datetime(2029, 3, 15, tzinfo=UTC), 47),
    (datetime(2027, 3, 15, tzinfo=UTC), 100),
    (datetime(2026, 3, 15, tzinfo=UTC), 200),
    (datetime(2020, 9, 1, tzinfo=UTC), 398),
    (datetime(2018, 3, 1, tzinfo=UTC), 825),
)
"""CA/Browser Forum SC-081v3 and its forerunners: issued from this day on, at most so many days."""

_MIN_BITS = {"rsa": 2048, "ec": 256}
_HASH_SEVERITY = {
    "md2": Severity.HIGH,
    "md4": Severity.HIGH,
    "md5": Severity.HIGH,
    "sha1": Severity.MEDIUM,
}


def check_validity(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge dates, name and chain, each by itself (RFC 5280, section 6; RFC 9525)."""
    for certificate in facts.certificates:
        problems = [
            *_date_problems(certificate, now),
            *_name_problems(certificate),
            *_chain_problems(certificate),
        ]
        yield from problems
        if certificate.trusted is None and not certificate.self_signed:
            yield untested(certificate, "the chain was not verified against a trust store")
        elif not problems:
            yield passed(
                certificate,
                f"valid for {certificate.server_name} until {certificate.not_after:%Y-%m-%d}",
            )


def _date_problems(certificate: CertificateFact, now: datetime) -> Iterator[Verdict]:
    if now > certificate.not_after:
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/expired",
            f"The certificate expired on {certificate.not_after:%Y-%m-%d %H:%M} UTC.",
            observed=f"notAfter={certificate.not_after:%Y-%m-%dT%H:%M:%SZ}",
        )
    if now < certificate.not_before:
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/not-yet-valid",
            f"The certificate is not valid before {certificate.not_before:%Y-%m-%d %H:%M} UTC.",
            observed=f"notBefore={certificate.not_before:%Y-%m-%dT%H:%M:%SZ}",
        )


def _name_problems(certificate: CertificateFact) -> Iterator[Verdict]:
    if not certificate.name_matches:
        names = ", ".join((*certificate.dns_names, *certificate.ip_names)) or "none"
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/wrong-name",
            f"The certificate does not name {certificate.server_name}.",
            observed=f"subjectAltName: {names}",
        )


def _chain_problems(certificate: CertificateFact) -> Iterator[Verdict]:
    words = certificate.verify_error or "the verifier gave no reason"
    if certificate.self_signed:
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/self-signed",
            "The certificate is signed by its own key, so no client can tell it from a forgery.",
            observed=f"issuer={certificate.issuer}",
        )
    elif certificate.chain_complete is False:
        yield failed(
            certificate,
            Severity.MEDIUM,
            "certificate/incomplete-chain",
            "The server does not send the intermediate certificates; clients that have not met "
            "them elsewhere refuse the connection.",
            observed=words,
        )
    elif certificate.trusted is False:
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/untrusted",
            "The chain does not lead to an authority in the public trust stores.",
            observed=words,
        )


def check_expiry(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the time left as a share of the lifetime (SC-081 makes fixed day counts wrong)."""
    for certificate in facts.certificates:
        lifetime = certificate.not_after - certificate.not_before
        left = certificate.not_after - now
        if left < timedelta(0):
            yield untested(certificate, "the certificate has expired; see tls.cert.invalid")
            continue
        severity = _expiry_severity(lifetime, left)
        said = f"{left // _DAY} of {lifetime // _DAY} days are left"
        if severity is None:
            yield passed(certificate, said)
            continue
        yield failed(
            certificate,
            severity,
            "certificate/expires-soon",
            f"The certificate expires on {certificate.not_after:%Y-%m-%d}: {said}. Automatic "
            "renewal would have replaced it by now.",
            observed=f"notAfter={certificate.not_after:%Y-%m-%dT%H:%M:%SZ}",
        )


def _expiry_severity(lifetime: timedelta, left: timedelta) -> Severity | None:
    under_a_week = left < 7 * _DAY and lifetime > _SHORT_LIVED
    if left * 6 < lifetime or under_a_week:
        return Severity.HIGH
    return Severity.MEDIUM if left * 3 < lifetime else None


def check_lifetime(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Compare the lifetime with what CA/B allowed on the day of issue (SC-081v3)."""
    del now
    for certificate in facts.certificates:
        if not certificate.trusted:
            yield passed(certificate, "not from a public authority, so no public limit applies")
            continue
        limit = _lifetime_limit(certificate.not_before)
        lifetime = certificate.not_after - certificate.not_before + timedelta(seconds=1)
        days = lifetime / _DAY
        if limit is None or days <= limit:
            yield passed(certificate, f"lives {days:.0f} days")
            continue
        yield failed(
            certificate,
            Severity.LOW,
            "certificate/lifetime",
            f"The certificate lives {days:.0f} days; one issued on "
            f"{certificate.not_before:%Y-%m-%d} may live {limit}.",
            observed=(
                f"notBefore={certificate.not_before:%Y-%m-%d} "
                f"notAfter={certificate.not_after:%Y-%m-%d}"
            ),
        )


def _lifetime_limit(issued: datetime) -> int | None:
    return next((days for since, days in _LIFETIME_LIMITS if issued >= since), None)


def check_key(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge key size and signature hash (RFC 9325, section 4.5)."""
    del now
    for certificate in facts.certificates:
        problems = [*_key_problems(certificate), *_signature_problems(certificate)]
        yield from problems
        if not problems:
            said = f"{certificate.key_type} {certificate.key_bits} bits"
            yield passed(
                certificate, f"{said}, signed with {certificate.signature_hash or 'EdDSA'}"
            )


def _key_problems(certificate: CertificateFact) -> Iterator[Verdict]:
    least = _MIN_BITS.get(certificate.key_type)
    said = f"{certificate.key_type.upper()} {certificate.key_bits} bits"
    if certificate.key_type == "dsa" or (least is not None and certificate.key_bits < least):
        wanted = f"at least {least} bits" if least else "RSA or EC"
        yield failed(
            certificate,
            Severity.HIGH,
            "certificate/weak-key",
            f"The key is {said}; {wanted} is needed.",
            observed=f"Public-Key: {said}",
        )


def _signature_problems(certificate: CertificateFact) -> Iterator[Verdict]:
    severity = _HASH_SEVERITY.get(certificate.signature_hash.lower().replace("-", ""))
    if severity is not None and not certificate.self_signed:
        yield failed(
            certificate,
            severity,
            "certificate/weak-signature",
            f"The certificate is signed over {certificate.signature_hash.upper()}, for which "
            "collisions can be made.",
            observed=f"Signature hash: {certificate.signature_hash}",
        )


def check_transparency(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand a signed certificate timestamp from public certificates (RFC 9162)."""
    del now
    for certificate in facts.certificates:
        if not certificate.trusted:
            yield passed(certificate, "not from a public authority, so it need not be logged")
        elif certificate.sct_count is None:
            yield untested(certificate, "signed certificate timestamps were not looked for")
        elif certificate.sct_count == 0:
            yield failed(
                certificate,
                Severity.LOW,
                "certificate/no-sct",
                "No signed certificate timestamp came with the certificate, the handshake or the "
                "OCSP answer; Chrome and Safari refuse such certificates.",
                observed="SCT count: 0",
            )
        else:
            yield passed(certificate, f"{certificate.sct_count} signed certificate timestamps")


CERT_INVALID = Rule(
    id="tls.cert.invalid",
    title="The certificate is not valid for this host",
    probe_class=ProbeClass.READ,
    check=check_validity,
    needs=_NEEDS,
    impact="Visitors see a warning, and whoever learns to click it away can be intercepted.",
    remediation="Install a certificate for this name, with its intermediates; renew it by ACME.",
    config="ssl_certificate /etc/ssl/example.test/fullchain.pem;",
    reproduce=openssl_certificate,
    references=(
        "https://www.rfc-editor.org/rfc/rfc9525",
        "https://www.rfc-editor.org/rfc/rfc5280#section-6",
    ),
    cwe=295,
    would_change="A private trust store on every client would make a private authority acceptable.",
)

CERT_EXPIRY = Rule(
    id="tls.cert.expiry",
    title="The certificate expires soon",
    probe_class=ProbeClass.READ,
    check=check_expiry,
    needs=_NEEDS,
    impact="If renewal is broken, the site stops working for everyone on the day of expiry.",
    remediation="Check that automatic renewal runs, and renew at two thirds of the lifetime.",
    config="certbot renew --deploy-hook 'systemctl reload nginx'",
    reproduce=openssl_certificate,
    references=("https://cabforum.org/working-groups/server/baseline-requirements/",),
    cwe=298,
    would_change="A renewal that is already scheduled makes this a note.",
)

CERT_LIFETIME = Rule(
    id="tls.cert.lifetime",
    title="The certificate lives longer than public authorities may issue",
    probe_class=ProbeClass.READ,
    check=check_lifetime,
    needs=_NEEDS,
    impact="Browsers refuse certificates above the limit, and a stolen key stays useful longer.",
    remediation="Have it issued again with a lifetime inside the limit, renewed automatically.",
    reproduce=openssl_certificate,
    references=("https://cabforum.org/2025/04/11/ballot-sc081v3/",),
    cwe=298,
)

CERT_KEY = Rule(
    id="tls.cert.key",
    title="The certificate has a weak key or signature",
    probe_class=ProbeClass.READ,
    check=check_key,
    needs=_NEEDS,
    impact="The key can be broken, or a second certificate with the same signature can be made.",
    remediation="Create a new key (EC P-256 or RSA 2048 and more) and have a certificate issued.",
    config="openssl ecparam -name prime256v1 -genkey -noout -out key.pem",
    reproduce=openssl_certificate,
    references=("https://www.rfc-editor.org/rfc/rfc9325#section-4.5",),
    cwe=326,
)

CERT_CT = Rule(
    id="tls.cert.ct",
    title="The certificate is not in a transparency log",
    probe_class=ProbeClass.READ,
    check=check_transparency,
    needs=_NEEDS,
    impact="A certificate that was issued by mistake or fraud would not be noticed.",
    remediation="Have the certificate issued by an authority that embeds SCTs; all large ones do.",
    reproduce=openssl_certificate,
    references=("https://www.rfc-editor.org/rfc/rfc9162",),
    would_change="SCTs delivered in a way that the probe does not see would make this void.",
)
