"""Which versions, suites and options an endpoint accepts: one unfinished handshake for each offer.

An endpoint that names a suite is asked again without it, until it refuses: so the whole list is
known after one connection more than it has suites.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from handfast import Admission
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.tls import (
    AcceptedCipher,
    CipherScanFact,
    ProtocolFact,
    ProtocolVersion,
    TlsFeaturesFact,
)
from handfast_inspect.probes.cipher_suites import GROUPS, TLS13, UP_TO_TLS12
from handfast_inspect.probes.client_hello import (
    SSL3,
    TLS10,
    TLS11,
    TLS12,
    Offer,
)
from handfast_inspect.probes.client_hello import TLS13 as VERSION_TLS13
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import openssl_line
from handfast_inspect.probes.tls_offer import Offered, make_offer, offer_ssl2

MAX_OFFERS: Final = 60
"""Connections that listing the suites of one endpoint may take."""

PROTOCOL_RULES: Final = ("tls.proto.",)
CIPHER_RULES: Final = ("tls.cipher.", "tls.misc")

_VERSIONS: Final[tuple[tuple[ProtocolVersion, int, str], ...]] = (
    ("SSLv2", 0x0002, "-ssl2"),
    ("SSLv3", SSL3, "-ssl3"),
    ("TLSv1.0", TLS10, "-tls1"),
    ("TLSv1.1", TLS11, "-tls1_1"),
    ("TLSv1.2", TLS12, "-tls1_2"),
    ("TLSv1.3", VERSION_TLS13, "-tls1_3"),
)
_RENEGOTIATION_INFO: Final = 0xFF01


async def look_at_protocols(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Offers each version alone."""
    admission = await context.guard.admit_host(target.host, target.https_port)
    asset = Asset(target.host, str(admission.address), admission.port)
    outcomes: list[tuple[ProtocolVersion, str, int, Offered]] = []
    for name, version, option in _VERSIONS:
        outcome = await _offer_version(context, admission, version)
        outcomes.append((name, option, version, outcome))
    answered = [offered for _, _, _, offered in outcomes if offered.flight is not None]
    if not answered:
        first = next((item[3].trouble for item in outcomes if item[3].trouble), "it hangs up")
        notes.gap(asset, PROTOCOL_RULES, f"no TLS on port {admission.port}: {first}", "error")
        return
    for name, option, version, outcome in outcomes:
        offered, reason = _is_offered(outcome, version)
        evidence = notes.prove(
            asset,
            f"{name}: {'offered' if offered else reason or 'refused'}",
            outcome.data[:_HEAD],
            reproduce=openssl_line(asset.host, admission.port, option),
        )
        notes.fact(ProtocolFact(asset, evidence, name, offered, reason))


async def look_at_ciphers(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Lists the suites up to TLS 1.2 that are accepted, and the options of the handshake."""
    admission = await context.guard.admit_host(target.host, target.https_port)
    asset = Asset(target.host, str(admission.address), admission.port)
    best = await make_offer(
        context, admission, Offer(TLS12, UP_TO_TLS12, admission.sni, compression=True)
    )
    if best.trouble:
        notes.gap(asset, CIPHER_RULES, f"no TLS on port {admission.port}: {best.trouble}", "error")
        return
    flight = best.flight
    if flight is None or flight.version is None:
        await _look_at_tls13_only(context, admission, notes, asset)
        return
    evidence = notes.prove(
        asset,
        f"ServerHello to every suite up to TLS 1.2: suite {flight.suite:#06x}",
        best.data[:_HEAD],
        reproduce=openssl_line(asset.host, admission.port, "-tls1_2"),
    )
    notes.fact(
        TlsFeaturesFact(
            asset,
            evidence,
            compression=flight.compression != 0,
            secure_renegotiation=_RENEGOTIATION_INFO in flight.extensions,
        )
    )
    lister = _SuiteLister(context, admission, notes, asset, flight.version)
    await lister.run()


_HEAD: Final = 512
"""Bytes of an answer kept as evidence: ServerHello and the alert; the rest is certificates."""


class _SuiteLister:
    """Asks for suites until every group is refused."""

    def __init__(
        self,
        context: ProbeContext,
        admission: Admission,
        notes: Notes,
        asset: Asset,
        version: int,
    ) -> None:
        self._context = context
        self._admission = admission
        self._notes = notes
        self._asset = asset
        self._version = version
        self._name: ProtocolVersion = next(name for name, code, _ in _VERSIONS if code == version)
        self._left = MAX_OFFERS
        self._accepted: list[AcceptedCipher] = []
        self._evidence: list[str] = []

    async def run(self) -> None:
        """Lists the suites and writes them down."""
        tried: list[str] = []
        trouble = ""
        for group in GROUPS:
            tried += group.values()
            trouble = trouble or await self._list_group(dict(group))
        if trouble:
            words = f"the list of suites is not whole: {trouble}"
            self._notes.gap(self._asset, CIPHER_RULES, words, "error")
        self._notes.fact(
            CipherScanFact(
                self._asset,
                tuple(self._evidence),
                tuple(tried),
                tuple(self._accepted),
            )
        )

    async def _list_group(self, group: dict[int, str]) -> str:
        """Removes what is accepted from the group; gives what went wrong."""
        while group:
            if not self._left:
                return f"it takes more than {MAX_OFFERS} connections"
            self._left -= 1
            offer = Offer(self._version, tuple(group), self._admission.sni)
            outcome = await make_offer(self._context, self._admission, offer)
            if outcome.trouble:
                return outcome.trouble
            flight = outcome.flight
            if flight is None or flight.suite is None or flight.suite not in group:
                self._prove(f"refused {len(group)} suites", outcome)
                return ""
            name = group.pop(flight.suite)
            self._prove(f"accepted {name}", outcome)
            bits = flight.dh_bits if "_DHE_" in name or "_DH_" in name else None
            self._accepted.append(AcceptedCipher(self._name, name, bits))
        return ""

    def _prove(self, summary: str, outcome: Offered) -> None:
        self._evidence += self._notes.prove(
            self._asset,
            f"{self._name} {summary}",
            outcome.data[:_HEAD],
            reproduce=openssl_line(
                self._asset.host, self._admission.port, "-cipher 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'"
            ),
        )


async def _look_at_tls13_only(
    context: ProbeContext, admission: Admission, notes: Notes, asset: Asset
) -> None:
    """Where nothing below TLS 1.3 is spoken, none of the old suites is accepted."""
    offer = Offer(VERSION_TLS13, tuple(TLS13), admission.sni)
    outcome = await make_offer(context, admission, offer)
    flight = outcome.flight
    if flight is None or flight.version != VERSION_TLS13:
        words = outcome.trouble or "it takes no suite of ours"
        notes.gap(asset, CIPHER_RULES, f"no handshake on port {admission.port}: {words}", "error")
        return
    evidence = notes.prove(
        asset,
        "TLS 1.3 alone is spoken",
        outcome.data[:_HEAD],
        reproduce=openssl_line(asset.host, admission.port, "-tls1_3"),
    )
    tried: Mapping[int, str] = {code: name for group in GROUPS for code, name in group.items()}
    accepted = (AcceptedCipher("TLSv1.3", TLS13.get(flight.suite or 0, "unknown")),)
    notes.fact(CipherScanFact(asset, evidence, (*tried.values(), *TLS13.values()), accepted))
    notes.fact(TlsFeaturesFact(asset, evidence, compression=False, secure_renegotiation=True))


async def _offer_version(context: ProbeContext, admission: Admission, version: int) -> Offered:
    if version == _VERSIONS[0][1]:
        return await offer_ssl2(context, admission)
    suites = tuple(TLS13) if version == VERSION_TLS13 else UP_TO_TLS12
    return await make_offer(context, admission, Offer(version, suites, admission.sni))


def _is_offered(outcome: Offered, version: int) -> tuple[bool | None, str]:
    if outcome.flight is not None:
        return outcome.flight.version == version, ""
    if outcome.hung_up:
        return False, ""  # others were answered: hanging up is how this server refuses
    return None, outcome.trouble
