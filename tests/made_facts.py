"""Hand-made facts for tests of the inspection: builders with harmless defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.http import Cookie, Hop, HttpResponseFact
from handfast_inspect.facts.page import Page
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.findings.finding import State
from handfast_inspect.rules.rule import Verdict

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
HOST = "www.example.test"
SITE = Asset(HOST, "192.0.2.10", 443, f"https://{HOST}/")
ZONE = Asset("example.test")
PROOF = ("web:0123456789abcdef",)

GOOD_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

GOOD_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload"),
    ("Content-Security-Policy", GOOD_CSP),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "camera=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
)
"""Headers without any finding."""


def response(
    headers: Iterable[tuple[str, str]] = (("Content-Type", "text/html"),),
    *,
    url: str = f"https://{HOST}/",
    page: Page | None = None,
    cookies: tuple[Cookie, ...] = (),
    html: bool = True,
) -> HttpResponseFact:
    """One answer with status 200, by default an empty HTML page over https."""
    sent = tuple(headers)
    hsts = next((v for k, v in sent if k.lower() == "strict-transport-security"), None)
    plain = url.startswith("http:")
    return HttpResponseFact(
        asset=replace(SITE, url=url, port=80 if plain else 443),
        evidence=PROOF,
        purpose="http_home" if plain else "https_home",
        url=url,
        hops=(Hop(url, 200, hsts=hsts),),
        final_url=url,
        status=200,
        headers=sent,
        cookies=cookies,
        page=(page or Page()) if html else None,
        certificate_valid=None if plain else True,
    )


def redirects(*steps: tuple[str, int, str | None]) -> HttpResponseFact:
    """A request for the http home page with its hops: URL, status, Location."""
    hops = tuple(Hop(url, status, location) for url, status, location in steps)
    final = hops[-1] if hops else None
    return HttpResponseFact(
        asset=Asset(HOST, "192.0.2.10", 80, f"http://{HOST}/"),
        evidence=PROOF,
        purpose="http_home",
        url=f"http://{HOST}/",
        hops=hops,
        final_url=final.url if final else "",
        status=final.status if final else None,
        error="" if hops else "connection refused",
    )


def certificate(
    *, days: int = 90, left: int = 60, issued: datetime | None = None
) -> CertificateFact:
    """A valid public certificate that lives `days` days and has `left` of them before it."""
    start = issued or NOW - timedelta(days=days - left)
    return CertificateFact(
        asset=SITE,
        evidence=("tls:0123456789abcdef",),
        server_name=HOST,
        subject=f"CN={HOST}",
        issuer="CN=R13,O=Let's Encrypt,C=US",
        issuer_organization="Let's Encrypt",
        serial="03ab",
        fingerprint="ab" * 32,
        not_before=start,
        not_after=start + timedelta(days=days) - timedelta(seconds=1),
        dns_names=(HOST,),
        ip_names=(),
        key_type="ec",
        key_bits=256,
        signature_hash="sha256",
        self_signed=False,
        name_matches=True,
        chain_complete=True,
        trusted=True,
        sct_count=2,
    )


def failures(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Locations of failed verdicts with their severities."""
    return {
        verdict.location: verdict.severity.value
        for verdict in verdicts
        if verdict.state is State.FAIL and verdict.severity is not None
    }


def states(verdicts: Iterable[Verdict]) -> list[str]:
    """The states of verdicts, in order."""
    return [verdict.state.value for verdict in verdicts]
