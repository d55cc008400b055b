"""What the laboratory's name servers know: one zone for each delegation, two of them signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Final, Self

import dns.dnssec
import dns.name
import dns.rdataset
import dns.zone
from cryptography.hazmat.primitives.asymmetric import ec
from dns.dnssecalgs.ecdsa import PublicECDSAP256SHA256
from dns.dnssectypes import DSDigest
from dns.rdtypes.ANY.DNSKEY import DNSKEY

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.certificates import CAA_NAME
from handfast_inspect.lab.plan_names import RECORDS, planted_txt
from handfast_inspect.lab.site import DOMAIN, OUTSIDE, Site

GOOD: Final = f"good.{DOMAIN}"
BAD: Final = f"bad.{DOMAIN}"
BOGUS: Final = f"bogus.{DOMAIN}"
PARENT: Final = "example"
"""The domain above everything, so that a name that does not exist is said not to."""

_UNGOVERNED: Final = frozenset({f"hostile.{DOMAIN}"})
"""Hosts with policies of their own."""
_KEY_SIGNING: Final = 257
"""The flags of a key that parents point to (RFC 4034 section 2.1.1)."""
_SIGNATURE_DAYS: Final = 30
_TXT_PART: Final = 200
_DKIM_KEY: Final = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq1gvyp6nXx0Lxvkf/oOkkj9n92+evGLsCLgo"
    "yvQmzDL9ElyeTxAjgCD3K/bHRE4jGhSoL8PhM8nZ/U5Yx50N+9lv3deZgbtp2nyzdZpS0yuSCDj/8F8q"
    "YdpWWhXDoLDthECkPDdBvPFUDRuTRLOFKT9YgjpaEBriCoEeRXYj99ZPa2BwrU4P52ExJ4XBbwYs565t"
    "btO2v4wet8jW9Q7xJGPhyPysdSrC9CImYPDRLZGpF5JNG/zqNnWTtreys6LpZhqddpU9ZgxVMOexPfTp"
    "dgPwrKkyH7D9dyaWH54CnspzlI8YezpR+vaS2Ob/22Zv5oRduycKUHXkqhfP4UQtYQIDAQAB"
)


@dataclass(frozen=True, slots=True)
class Zones:
    """Every zone by its name, with those that are signed and those whose signatures are wrong."""

    by_name: Mapping[dns.name.Name, dns.zone.Zone]
    """The zones without signatures."""
    signed: Mapping[dns.name.Name, Callable[[], dns.zone.Zone]]
    """Makes the signed form of a zone, once: most runs never ask for it."""
    bogus: frozenset[dns.name.Name]

    @property
    def secure(self) -> frozenset[dns.name.Name]:
        """The zones whose signatures hold."""
        return frozenset(self.signed) - self.bogus

    def closest(self, name: dns.name.Name, *, signed: bool = False) -> dns.zone.Zone | None:
        """Finds the zone that a name lies in; None where it lies in none.

        Args:
            name: The name.
            signed: Whether the signed form is wanted, where there is one.
        """
        while name not in self.by_name:
            if name == dns.name.root:
                return None
            name = name.parent()
        make_signed = self.signed.get(name)
        return make_signed() if signed and make_signed else self.by_name[name]


def build_zones(book: AddressBook, now: datetime) -> Zones:
    """Makes all zones.

    Args:
        book: Where the sites stand.
        now: What the signatures' validity is counted from.
    """
    keys = {name: _ZoneKey.make() for name in (DOMAIN, GOOD, BOGUS)}
    top = _zone(PARENT, _top_text(book))
    parent = _zone(DOMAIN, _parent_text(book))
    good, bad = _zone(GOOD, _good_text(book)), _zone(BAD, _bad_text(book))
    bogus = _zone(BOGUS, _bogus_text(book))
    _add_ds(top, DOMAIN, keys[DOMAIN])
    _add_ds(parent, GOOD, keys[GOOD])
    _add_ds(parent, BOGUS, _ZoneKey.make())
    by_name = {_origin(zone): zone for zone in (top, parent, good, bad, bogus)}
    signed = {
        name: cache(partial(_signed, by_name[name], key, now))
        for name, key in ((dns.name.from_text(name), key) for name, key in keys.items())
    }
    return Zones(by_name, signed, frozenset({_origin(bogus)}))


def _origin(zone: dns.zone.Zone) -> dns.name.Name:
    return zone.origin or dns.name.root


def _zone(name: str, text: str) -> dns.zone.Zone:
    origin = dns.name.from_text(name)
    primary = f"ns1.{name}" if name in {GOOD, BAD} else f"ns1.{DOMAIN}"
    header = f"$TTL 300\n@ SOA {primary}. hostmaster 2026113001 7200 900 1209600 300\n"
    return dns.zone.from_text(header + text, origin, relativize=False)


def _top_text(book: AddressBook) -> str:
    outside = book.address(OUTSIDE)
    return (
        _servers("@", DOMAIN)
        + _servers("lab", DOMAIN)
        + _glue(DOMAIN, book)
        + f"outside A {outside}\ncdn.outside A {outside}\n"
    )


def _servers(owner: str, domain: str) -> str:
    return f"{owner} NS ns1.{domain}.\n{owner} NS ns2.{domain}.\n"


def _glue(domain: str, book: AddressBook) -> str:
    names = (f"ns1.{domain}", f"ns2.{domain}")
    return "".join(f"{name}. A {book.address(name)}\n" for name in names)


def _parent_text(book: AddressBook) -> str:
    delegations = "".join(_servers(f"{zone}.", zone) + _glue(zone, book) for zone in (GOOD, BAD))
    delegations += _servers(f"{BOGUS}.", DOMAIN)
    hosts = "".join(_host_text(site) for site in book.sites if site.address)
    return _servers("@", DOMAIN) + delegations + hosts + RECORDS + planted_txt("hostile")


def _host_text(site: Site) -> str:
    names = [name for name in (site.name, *site.aliases) if _lies_in_parent(name)]
    addresses = "".join(f"{name}. A {site.address}\n" for name in names)
    return addresses + "".join(_policies(name) for name in names if name not in _UNGOVERNED)


def _policies(name: str) -> str:
    """What a host that takes no mail and has one authority says so with."""
    return (
        f'{name}. TXT "v=spf1 -all"\n'
        f'_dmarc.{name}. TXT "v=DMARC1; p=reject; rua=mailto:dmarc@{GOOD}"\n'
        f'{name}. CAA 0 issue "{CAA_NAME}"\n'
    )


def _lies_in_parent(name: str) -> bool:
    below = any(name == zone or name.endswith(f".{zone}") for zone in (GOOD, BAD, BOGUS))
    return name.endswith(f".{DOMAIN}") and not below


def _good_text(book: AddressBook) -> str:
    web = book.address(GOOD)
    return f"""
{_servers("@", GOOD)}{_glue(GOOD, book)}
ns1 TXT "v=spf1 -all"
ns2 TXT "v=spf1 -all"
@ A {web}
www CNAME @
mta-sts A {web}
mail A {book.address(f"mail.{GOOD}")}
mail TXT "v=spf1 a -all"
@ MX 10 mail
@ TXT "v=spf1 mx -all"
_dmarc TXT "v=DMARC1; p=reject; sp=reject; np=reject; rua=mailto:dmarc@{GOOD}"
default._domainkey TXT "v=DKIM1; k=rsa; " {_strings("p=" + _DKIM_KEY)}
_mta-sts TXT "v=STSv1; id=20261101T000000"
_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@{GOOD}"
@ CAA 0 issue "{CAA_NAME}"
@ CAA 0 issuewild ";"
@ CAA 0 iodef "mailto:security@{GOOD}"
"""


def _bad_text(book: AddressBook) -> str:
    web = book.address(BAD)
    return f"""
{_servers("@", BAD)}{_glue(BAD, book)}
@ NS ns3.vanished.example.
@ A {web}
* A {web}
mail A {book.address(f"mail.{BAD}")}
@ MX 10 mail
@ TXT "v=spf1 +all"
old CNAME shop-1a2b.hosting.example.
intranet A 10.0.0.5
vpn-gateway A 192.168.1.1
{planted_txt("notes")}
"""


def _bogus_text(book: AddressBook) -> str:
    return _servers("@", DOMAIN) + f"@ A {book.address(GOOD)}\n"


def _strings(text: str) -> str:
    """Splits a text into the strings of a TXT record, each below 256 bytes."""
    parts = [text[at : at + _TXT_PART] for at in range(0, len(text), _TXT_PART)]
    return " ".join(f'"{part}"' for part in parts)


@dataclass(frozen=True, slots=True)
class _ZoneKey:
    private: ec.EllipticCurvePrivateKey
    public: DNSKEY

    @classmethod
    def make(cls) -> Self:
        private = ec.generate_private_key(ec.SECP256R1())
        public = PublicECDSAP256SHA256(private.public_key())
        return cls(private, public.to_dnskey(flags=_KEY_SIGNING))


def _signed(zone: dns.zone.Zone, key: _ZoneKey, now: datetime) -> dns.zone.Zone:
    """Makes the signed form of a zone, with its key and the proofs of what is not there."""
    copy = dns.zone.from_text(zone.to_text(relativize=False), zone.origin, relativize=False)
    dns.dnssec.sign_zone(
        copy,
        keys=[(key.private, key.public)],
        dnskey_ttl=300,
        inception=now - timedelta(hours=1),
        expiration=now + timedelta(days=_SIGNATURE_DAYS),
    )
    return copy


def _add_ds(parent: dns.zone.Zone, child: str, key: _ZoneKey) -> None:
    name = dns.name.from_text(child)
    ds = dns.dnssec.make_ds(name, key.public, DSDigest.SHA256)
    parent.replace_rdataset(name, dns.rdataset.from_rdata(300, ds))
