"""All facts of one inspection, one tuple for each type."""

from __future__ import annotations

from dataclasses import dataclass, fields

from handfast_inspect.facts.dns import (
    CaaFact,
    CtNamesFact,
    DelegationFact,
    DnsRecordsFact,
    DnssecFact,
    PointerFact,
    RecursionFact,
    WildcardFact,
    ZoneTransferFact,
)
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.facts.http import (
    CorsFact,
    DirectoryFact,
    ErrorPageFact,
    FileProbeFact,
    HttpResponseFact,
    MethodsFact,
    PreloadFact,
    RobotsFact,
    SchemeFact,
    SecurityTxtFact,
)
from handfast_inspect.facts.mail import DaneFact, DkimFact, DmarcFact, MtaStsFact, SpfFact
from handfast_inspect.facts.registration import RegistrationFact
from handfast_inspect.facts.service import (
    PortScanFact,
    ProductFact,
    ServiceFact,
    SshFact,
    StartTlsFact,
)
from handfast_inspect.facts.tls import (
    CertificateFact,
    CipherScanFact,
    ProtocolFact,
    TlsFeaturesFact,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the probes saw; the input of every rule."""

    gaps: tuple[GapFact, ...] = ()
    dns_records: tuple[DnsRecordsFact, ...] = ()
    dnssec: tuple[DnssecFact, ...] = ()
    caa: tuple[CaaFact, ...] = ()
    delegations: tuple[DelegationFact, ...] = ()
    pointers: tuple[PointerFact, ...] = ()
    wildcards: tuple[WildcardFact, ...] = ()
    zone_transfers: tuple[ZoneTransferFact, ...] = ()
    recursion: tuple[RecursionFact, ...] = ()
    ct_names: tuple[CtNamesFact, ...] = ()
    spf: tuple[SpfFact, ...] = ()
    dmarc: tuple[DmarcFact, ...] = ()
    dkim: tuple[DkimFact, ...] = ()
    mta_sts: tuple[MtaStsFact, ...] = ()
    dane: tuple[DaneFact, ...] = ()
    registrations: tuple[RegistrationFact, ...] = ()
    certificates: tuple[CertificateFact, ...] = ()
    protocols: tuple[ProtocolFact, ...] = ()
    cipher_scans: tuple[CipherScanFact, ...] = ()
    tls_features: tuple[TlsFeaturesFact, ...] = ()
    responses: tuple[HttpResponseFact, ...] = ()
    schemes: tuple[SchemeFact, ...] = ()
    preload: tuple[PreloadFact, ...] = ()
    cors: tuple[CorsFact, ...] = ()
    methods: tuple[MethodsFact, ...] = ()
    error_pages: tuple[ErrorPageFact, ...] = ()
    directories: tuple[DirectoryFact, ...] = ()
    file_probes: tuple[FileProbeFact, ...] = ()
    security_txt: tuple[SecurityTxtFact, ...] = ()
    robots: tuple[RobotsFact, ...] = ()
    port_scans: tuple[PortScanFact, ...] = ()
    services: tuple[ServiceFact, ...] = ()
    starttls: tuple[StartTlsFact, ...] = ()
    ssh: tuple[SshFact, ...] = ()
    products: tuple[ProductFact, ...] = ()


def merge_facts(*parts: Facts) -> Facts:
    """Join facts of several probes, in the order given, each fact once.

    Args:
        *parts: What the probes returned.

    Returns:
        One container; of equal facts only the first is kept.
    """
    joined: dict[str, tuple[object, ...]] = {}
    for field in fields(Facts):
        seen: dict[object, None] = {}
        for part in parts:
            seen.update(dict.fromkeys(getattr(part, field.name)))
        joined[field.name] = tuple(seen)
    return Facts(**joined)  # type: ignore[arg-type] # the loop keeps each field's own element type
