"""Rules about TLS versions and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import ProtocolFact
from handfast_inspect.findings.finding import Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import openssl_protocols
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed, untested

_NEEDS = "no protocol versions were probed"
_CONFIG = "ssl_protocols TLSv1.2 TLSv1.3;"

_BROKEN = {"SSLv2": Severity.CRITICAL, "SSLv3": Severity.HIGH}
_OLD = {"TLSv1.0": Severity.MEDIUM, "TLSv1.1": Severity.MEDIUM}
_WITHDRAWN_BY = {
    "SSLv2": "RFC 6176",
    "SSLv3": "RFC 7568",
    "TLSv1.0": "RFC 8996",
    "TLSv1.1": "RFC 8996",
}


def check_broken_versions(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse SSL 2 (RFC 6176) and SSL 3 (RFC 7568)."""
    del now
    return _withdrawn(facts, _BROKEN)


def check_old_versions(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse TLS 1.0 and 1.1 (RFC 8996)."""
    del now
    return _withdrawn(facts, _OLD)


def _withdrawn(facts: Facts, severities: dict[str, Severity]) -> Iterator[Verdict]:
    for fact in facts.protocols:
        if fact.version not in severities:
            continue
        if fact.offered is None:
            yield untested(fact, f"{fact.version} could not be probed: {fact.reason or 'unknown'}")
        elif fact.offered:
            yield failed(
                fact,
                severities[fact.version],
                f"protocol/{fact.version}",
                f"The server negotiates {fact.version}; {_WITHDRAWN_BY[fact.version]} withdrew it.",
                observed=f"Protocol: {fact.version}",
            )
        else:
            yield passed(fact, f"{fact.version} is refused")


def check_new_versions(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand TLS 1.2 or better, and wish for TLS 1.3 (RFC 9325, section 3.1).

    A server that speaks TLS 1.3 only needs no TLS 1.2 (Mozilla's "modern" profile).
    """
    del now
    ordered = sorted(facts.protocols, key=_endpoint)
    for _, group in groupby(ordered, key=_endpoint):
        yield _newest(tuple(group))


def _newest(endpoint: Sequence[ProtocolFact]) -> Verdict:
    by_version = {fact.version: fact for fact in endpoint}
    source = by_version.get("TLSv1.3") or by_version.get("TLSv1.2") or endpoint[0]
    newest = {version: fact.offered for version, fact in by_version.items()}
    if newest.get("TLSv1.3"):
        return passed(source, "TLS 1.3 is offered")
    if newest.get("TLSv1.3") is None:
        return untested(source, "TLS 1.3 could not be probed")
    if newest.get("TLSv1.2"):
        return failed(
            source,
            Severity.LOW,
            "protocol/no-TLSv1.3",
            "TLS 1.3 is not offered; connections are slower to set up and depend on careful "
            "cipher settings.",
            observed="Newest protocol: TLSv1.2",
        )
    if newest.get("TLSv1.2") is None:
        return untested(source, "TLS 1.2 could not be probed")
    return failed(
        source,
        Severity.HIGH,
        "protocol/no-TLSv1.2",
        "Neither TLS 1.2 nor TLS 1.3 is offered; current browsers cannot connect.",
        observed="TLSv1.2: refused, TLSv1.3: refused",
    )


def _endpoint(fact: ProtocolFact) -> tuple[str, int, str]:
    return (fact.asset.host, fact.asset.port or 443, fact.asset.ip or "")


def check_features(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse compression (CRIME) and renegotiation without RFC 5746 (RFC 9325, section 3)."""
    del now
    for fact in facts.tls_features:
        if fact.compression:
            yield failed(
                fact,
                Severity.MEDIUM,
                "tls/compression",
                "TLS compression is on; its length reveals secrets such as cookies (CRIME).",
                observed="Compression: zlib",
                cve=("CVE-2012-4929",),
            )
        if fact.secure_renegotiation is False:
            yield failed(
                fact,
                Severity.MEDIUM,
                "tls/renegotiation",
                "The server does not confirm secure renegotiation (RFC 5746); an attacker can put "
                "requests in front of a victim's.",
                observed="Secure Renegotiation IS NOT supported",
                cve=("CVE-2009-3555",),
            )
        if fact.compression is None or fact.secure_renegotiation is None:
            yield untested(fact, "compression or renegotiation could not be determined")
        elif not fact.compression and fact.secure_renegotiation:
            yield passed(fact, "no compression, secure renegotiation")


PROTO_SSL = Rule(
    id="tls.proto.ssl",
    title="SSL 2 or SSL 3 is offered",
    probe_class=ProbeClass.CONSENT,
    check=check_broken_versions,
    needs=_NEEDS,
    impact="Connections can be decrypted (DROWN, POODLE), on SSL 2 even those made with newer TLS.",
    remediation="Switch SSL 2 and SSL 3 off.",
    config=_CONFIG,
    reproduce=openssl_protocols,
    references=(
        "https://www.rfc-editor.org/rfc/rfc6176",
        "https://www.rfc-editor.org/rfc/rfc7568",
    ),
    cwe=326,
)

PROTO_OLD = Rule(
    id="tls.proto.old",
    title="TLS 1.0 or TLS 1.1 is offered",
    probe_class=ProbeClass.CONSENT,
    check=check_old_versions,
    needs=_NEEDS,
    impact="Weak hashes and old padding stay reachable; PCI DSS and most policies forbid it.",
    remediation="Offer TLS 1.2 and TLS 1.3 only.",
    config=_CONFIG,
    reproduce=openssl_protocols,
    references=("https://www.rfc-editor.org/rfc/rfc8996",),
    cwe=326,
    would_change="Known clients that cannot do TLS 1.2 would be a reason to keep it for a while.",
)

PROTO_NEW = Rule(
    id="tls.proto.new",
    title="A current TLS version is missing",
    probe_class=ProbeClass.CONSENT,
    check=check_new_versions,
    needs=_NEEDS,
    impact="Clients fall back to weaker protocols or cannot connect at all.",
    remediation="Offer TLS 1.3 beside TLS 1.2; this may need a newer TLS library.",
    config=_CONFIG,
    reproduce=openssl_protocols,
    references=(
        "https://www.rfc-editor.org/rfc/rfc9325#section-3.1",
        "https://wiki.mozilla.org/Security/Server_Side_TLS",
    ),
    cwe=326,
    effort=Effort.MEDIUM,
)

TLS_MISC = Rule(
    id="tls.misc",
    title="A TLS option weakens the connection",
    probe_class=ProbeClass.CONSENT,
    check=check_features,
    needs="TLS compression and renegotiation were not probed",
    impact="Secrets can be guessed from lengths, or foreign requests slipped into a session.",
    remediation="Switch TLS compression off and use a TLS library with RFC 5746.",
    config="SSLCompression off",
    reproduce=openssl_protocols,
    references=("https://www.rfc-editor.org/rfc/rfc9325#section-3.3",),
    cwe=310,
)
