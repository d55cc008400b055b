"""Mail facts: SPF, DMARC, DKIM, MTA-STS, TLS reporting and DANE."""

from __future__ import annotations

from dataclasses import dataclass

from handfast_inspect.facts.asset import Asset


@dataclass(frozen=True, slots=True)
class SpfTerm:
    """One term of an SPF record (RFC 7208, section 4.6)."""

    name: str
    """Lower case: all, include, a, mx, ptr, ip4, ip6, exists, redirect, exp."""
    value: str = ""
    qualifier: str = "+"
    """One of + - ~ ?; `+` for modifiers."""


@dataclass(frozen=True, slots=True)
class SpfFact:
    """The SPF policy of one domain, with what evaluating it costs."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    records: tuple[str, ...]
    """Every TXT record whose version is `v=spf1`; valid policies have exactly one."""
    receives_mail: bool | None
    """True with a usable MX, False with none or a null MX, None when not known."""
    terms: tuple[SpfTerm, ...] = ()
    """Terms of the first record, in order."""
    effective_all: str | None = None
    """Qualifier of the first `all` reached, redirects followed; None when none is."""
    lookups: int | None = None
    """Terms that need DNS, includes and redirects counted in; None when not counted."""
    void_lookups: int | None = None
    """Of these, how many had no answer (NXDOMAIN or empty)."""
    error: str = ""
    """The first syntax error, or a permanent error in an include."""


@dataclass(frozen=True, slots=True)
class DmarcFact:
    """The DMARC policy that applies to one domain (RFC 9989)."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    found_at: str | None
    """The domain whose `_dmarc` record applies after the tree walk; None without any."""
    records: tuple[str, ...] = ()
    """Every record at that name that begins with `v=DMARC1`."""
    tags: tuple[tuple[str, str], ...] = ()
    """Tags of the record, names in lower case, values as written."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class DkimFact:
    """One DKIM key, asked for by a selector that the user gave or that is common."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    selector: str
    exists: bool
    key_type: str = ""
    """rsa or ed25519."""
    key_bits: int | None = None
    test_flag: bool = False
    """`t=y` is present."""
    revoked: bool = False
    """`p=` is empty."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class MtaStsFact:
    """MTA-STS and TLS reporting of one mail domain (RFC 8461, RFC 8460)."""

    asset: Asset
    evidence: tuple[str, ...]
    domain: str
    mx_hosts: tuple[str, ...]
    record: str | None
    """The `_mta-sts` TXT record."""
    policy_fetched: bool | None
    """None when fetching was not allowed or not tried."""
    mode: str = ""
    """enforce, testing or none."""
    mx_patterns: tuple[str, ...] = ()
    max_age: int | None = None
    """Seconds."""
    policy_error: str = ""
    tls_rpt: str | None = None
    """The `_smtp._tls` TXT record."""


@dataclass(frozen=True, slots=True)
class DaneFact:
    """TLSA records of one mail server (RFC 7672)."""

    asset: Asset
    evidence: tuple[str, ...]
    mx_host: str
    records: tuple[str, ...]
    """Presentation form: usage, selector, matching type, data."""
    authenticated: bool | None
    """Whether DNSSEC protects them; None when not determined."""
