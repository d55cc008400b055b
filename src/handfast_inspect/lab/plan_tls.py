"""The sites that are about certificates, versions and suites of TLS; their page is the good one."""

from __future__ import annotations

import ssl
from typing import Final

from handfast_inspect.lab.certificates import CertificateRecipe, Issuer, KeyKind
from handfast_inspect.lab.http_conversation import http_conversation
from handfast_inspect.lab.pages_good import redirect_to_https, respond_to_https
from handfast_inspect.lab.plan import SitePlan, StreamPlan
from handfast_inspect.lab.plan_web import over_http
from handfast_inspect.lab.site import DOMAIN, Expected, ServiceKind
from handfast_inspect.lab.tls import TlsProfile

_NO_RULES: Final = "DEFAULT:@SECLEVEL=0"


def _tls_site(label: str, description: str, profile: TlsProfile, *expected: Expected) -> SitePlan:
    secure = StreamPlan(ServiceKind.HTTPS, http_conversation(respond_to_https), tls=profile)
    services = (over_http(redirect_to_https), secure)
    return SitePlan(f"{label}.{DOMAIN}", description, services, expected, exact=True)


def _name(label: str) -> tuple[str, ...]:
    return (f"{label}.{DOMAIN}",)


CERTIFICATE_SITES: Final = (
    _tls_site(
        "expired",
        "certificate that ended ten days ago",
        TlsProfile(CertificateRecipe(_name("expired"), age_days=100)),
        Expected("tls.cert.invalid", "high"),
    ),
    _tls_site(
        "future",
        "certificate that is not valid yet",
        TlsProfile(CertificateRecipe(_name("future"), age_days=-5)),
        Expected("tls.cert.invalid", "high"),
    ),
    _tls_site(
        "wrong-name",
        "certificate for another name",
        TlsProfile(CertificateRecipe(_name("another"))),
        Expected("tls.cert.invalid", "high"),
    ),
    _tls_site(
        "self-signed",
        "certificate that vouches for itself",
        TlsProfile(CertificateRecipe(_name("self-signed"), issuer=Issuer.ITSELF, logged=False)),
        Expected("tls.cert.invalid", "high"),
    ),
    _tls_site(
        "untrusted",
        "certificate of an authority that nobody trusts",
        TlsProfile(CertificateRecipe(_name("untrusted"), issuer=Issuer.STRANGER)),
        Expected("tls.cert.invalid", "high"),
    ),
    _tls_site(
        "incomplete",
        "the intermediate certificate is not sent",
        TlsProfile(CertificateRecipe(_name("incomplete"), chain_sent=False)),
        Expected("tls.cert.invalid", "medium"),
    ),
    _tls_site(
        "ending",
        "less than a third of the certificate's lifetime is left",
        TlsProfile(CertificateRecipe(_name("ending"), age_days=70)),
        Expected("tls.cert.expiry", "medium"),
    ),
    _tls_site(
        "ending-soon",
        "three days of the certificate's lifetime are left",
        TlsProfile(CertificateRecipe(_name("ending-soon"), age_days=87)),
        Expected("tls.cert.expiry", "high"),
    ),
    _tls_site(
        "long-lived",
        "certificate for five years",
        TlsProfile(CertificateRecipe(_name("long-lived"), lifetime_days=1826)),
        Expected("tls.cert.lifetime", "low"),
    ),
    _tls_site(
        "short-key",
        "certificate with an RSA key of 1,024 bits",
        TlsProfile(
            CertificateRecipe(_name("short-key"), key=KeyKind.RSA_1024),
            ciphers="ECDHE+AESGCM:@SECLEVEL=0",
        ),
        Expected("tls.cert.key", "high"),
    ),
    _tls_site(
        "unlogged",
        "certificate without a signed timestamp of a transparency log",
        TlsProfile(CertificateRecipe(_name("unlogged"), logged=False)),
        Expected("tls.cert.ct", "low"),
    ),
)

PROTOCOL_SITES: Final = (
    _tls_site(
        "modern",
        "TLS 1.3 only",
        TlsProfile(CertificateRecipe(_name("modern")), lowest=ssl.TLSVersion.TLSv1_3),
    ),
    _tls_site(
        "tls12",
        "TLS 1.2 only",
        TlsProfile(CertificateRecipe(_name("tls12")), highest=ssl.TLSVersion.TLSv1_2),
        Expected("tls.proto.new", "low"),
    ),
    _tls_site(
        "old-tls",
        "TLS 1.0 and 1.1 only",
        TlsProfile(
            CertificateRecipe(_name("old-tls")),
            lowest=ssl.TLSVersion.TLSv1,
            highest=ssl.TLSVersion.TLSv1_1,
            ciphers=_NO_RULES,
        ),
        Expected("tls.proto.old", "medium"),
        Expected("tls.proto.new", "high"),
        Expected("http.no_https", "high"),
    ),
    _tls_site(
        "all-tls",
        "everything from TLS 1.0 to 1.3",
        TlsProfile(
            CertificateRecipe(_name("all-tls")),
            lowest=ssl.TLSVersion.TLSv1,
            ciphers=_NO_RULES,
        ),
        Expected("tls.proto.old", "medium"),
    ),
    _tls_site(
        "static-rsa",
        "TLS 1.2 without forward secrecy, with CBC",
        TlsProfile(
            CertificateRecipe(_name("static-rsa"), key=KeyKind.RSA_2048),
            highest=ssl.TLSVersion.TLSv1_2,
            ciphers="AES128-SHA:AES256-SHA256:@SECLEVEL=0",
        ),
        Expected("tls.cipher.weak", "medium"),
        Expected("tls.proto.new", "low"),
    ),
    _tls_site(
        "no-encryption",
        "TLS 1.2 with suites that encrypt nothing or authenticate nobody",
        TlsProfile(
            CertificateRecipe(_name("no-encryption")),
            highest=ssl.TLSVersion.TLSv1_2,
            ciphers="ECDHE+AESGCM:eNULL:aNULL:@SECLEVEL=0",
        ),
        Expected("tls.cipher.broken", "high"),
        Expected("tls.proto.new", "low"),
    ),
)

TLS_SITES: Final = (*CERTIFICATE_SITES, *PROTOCOL_SITES)
"""Every site of this file."""
