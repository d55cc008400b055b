"""DNS facts: record sets, delegation, DNSSEC, CAA and what names point at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handfast_inspect.facts.asset import Asset

DnsStatus = Literal["ok", "nodata", "nxdomain", "servfail", "refused", "timeout", "error"]


@dataclass(frozen=True, slots=True)
class DnsRecordsFact:
    """The answer to one question: every value of one type at one name."""

    asset: Asset
    evidence: tuple[str, ...]
    name: str
    rtype: str
    """Upper case: A, AAAA, MX, NS, TXT, CAA, CNAME, SOA, TLSA …"""
    status: DnsStatus
    values: tuple[str, ...] = ()
    """Presentation form without quotes; TXT strings joined; MX as `10 mail.example`."""
    ttl: int | None = None
    """Seconds."""


@dataclass(frozen=True, slots=True)
class DnssecFact:
    """What the chain of trust of one zone looks like."""

    asset: Asset
    evidence: tuple[str, ...]
    zone: str
    ds_present: bool
    dnskey_present: bool
    validated: bool | None
    """True when the chain was validated, False when it is bogus, None when not determined."""
    reason: str = ""
    """Why validation failed or was not possible."""
    algorithms: tuple[int, ...] = ()
    """Algorithm numbers of DNSKEY and RRSIG records (IANA registry)."""
    ds_digest_types: tuple[int, ...] = ()
    """Digest types of the DS records: 1 is SHA-1, 2 is SHA-256, 4 is SHA-384."""
    nsec3_iterations: int | None = None
    """Extra iterations of NSEC3PARAM; None without NSEC3."""


@dataclass(frozen=True, slots=True)
class CaaProperty:
    """One CAA record."""

    flags: int
    tag: str
    """Lower case: issue, issuewild, iodef, issuemail …"""
    value: str


@dataclass(frozen=True, slots=True)
class CaaFact:
    """The CAA set that applies to a name, found by climbing the tree (RFC 8659, section 3)."""

    asset: Asset
    evidence: tuple[str, ...]
    name: str
    found_at: str | None
    """The name that carries the set; None when there is none up to the root."""
    properties: tuple[CaaProperty, ...] = ()


@dataclass(frozen=True, slots=True)
class NameServer:
    """How one server of a delegation answers for the zone."""

    name: str
    addresses: tuple[str, ...] = ()
    authoritative: bool | None = None
    """The AA bit of its SOA answer; None when it was not asked (a third party, not in scope)."""
    error: str = ""
    """Why there was no answer: "timeout", "REFUSED", "name does not resolve"."""


@dataclass(frozen=True, slots=True)
class DelegationFact:
    """Who serves a zone, told by its parent and by itself."""

    asset: Asset
    evidence: tuple[str, ...]
    zone: str
    parent_servers: tuple[str, ...]
    """NS names in the parent's referral; empty when the parent was not asked."""
    child_servers: tuple[str, ...]
    """NS names in the zone itself."""
    servers: tuple[NameServer, ...] = ()


@dataclass(frozen=True, slots=True)
class PointerFact:
    """A record that points at another name, and whether that name is still there."""

    asset: Asset
    evidence: tuple[str, ...]
    name: str
    rtype: Literal["CNAME", "MX", "NS", "SRV", "DNAME"]
    target: str
    target_exists: bool | None
    """False only for a definite NXDOMAIN of the target; None when that could not be told."""
    provider: str | None = None
    """Hosting provider whose pattern the target has, if any."""
    unclaimed_signature: str | None = None
    """Text of the provider's "no such site" page, when the target answered with it."""


@dataclass(frozen=True, slots=True)
class WildcardFact:
    """Whether a random label below the zone resolves."""

    asset: Asset
    evidence: tuple[str, ...]
    zone: str
    matched: bool
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneTransferFact:
    """Whether one name server hands out the whole zone."""

    asset: Asset
    evidence: tuple[str, ...]
    zone: str
    server: str
    open: bool
    record_count: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class RecursionFact:
    """Whether a name server resolves foreign names for strangers."""

    asset: Asset
    evidence: tuple[str, ...]
    server: str
    open: bool


@dataclass(frozen=True, slots=True)
class CtNamesFact:
    """Names seen in Certificate Transparency logs: inventory only."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    names: tuple[str, ...]
    in_scope: tuple[str, ...] = ()
    """Those of `names` that the scope covers."""
