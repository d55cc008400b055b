"""What the laboratory's name servers know: one zone for each delegation, two of them signed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

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
from handfast_inspect.lab.plan_services import RESOLVER_NAME
from handfast_inspect.lab.site import DOMAIN, OUTSIDE

GOOD: Final = f"good.{DOMAIN}"
BAD: Final = f"bad.{DOMAIN}"
BOGUS: Final = f"bogus.{DOMAIN}"
PARENT: Final = "example"
"""The domain above everything, so that a name that does not exist is said not to."""

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
    secure: frozenset[dns.name.Name]
    bogus: frozenset[dns.name.Name]

    def closest(self, name: dns.name.Name) -> dns.zone.Zone | None:
        """Finds the zone that a name lies in; None where it lies in none."""
        while name not in self.by_name:
            if name == dns.name.root:
                return None
            name = name.parent()
        return self.by_name[name]


def build_zones(book: AddressBook, now: datetime) -> Zones:
    """Makes all zones.

    Args:
        book: Where the sites stand.
        now: What the signatures' validity is counted from.
    """
    good = _zone(GOOD, _good_text(book))
    bogus = _zone(BOGUS, _bogus_text(book))
    parent = _zone(DOMAIN, _parent_text(book))
    _add_ds(parent, GOOD, _sign(good, now))
    _sign(bogus, now)
    _, another_key = _new_key()
    _add_ds(parent, BOGUS, another_key)
    zones = (_zone(PARENT, _top_text(book)), parent, good, _zone(BAD, _bad_text(book)), bogus)
    named = {_origin(zone): zone for zone in zones}
    return Zones(named, frozenset({_origin(good)}), frozenset({_origin(bogus)}))


def _origin(zone: dns.zone.Zone) -> dns.name.Name:
    return zone.origin or dns.name.root


def _zone(name: str, text: str) -> dns.zone.Zone:
    origin = dns.name.from_text(name)
    primary = f"ns1.{name}" if name in {GOOD, BAD} else RESOLVER_NAME
    header = f"$TTL 300\n@ SOA {primary}. hostmaster 2026113001 7200 900 1209600 300\n"
    return dns.zone.from_text(header + text, origin, relativize=False)


def _top_text(book: AddressBook) -> str:
    address = book.address(OUTSIDE)
    return (
        f"@ NS {RESOLVER_NAME}.\nlab NS {RESOLVER_NAME}.\n"
        f"{RESOLVER_NAME}. A {book.address(RESOLVER_NAME)}\n"
        f"outside A {address}\ncdn.outside A {address}\n"
    )


def _parent_text(book: AddressBook) -> str:
    lines = ["@ NS ns", f"@ A {book.address(RESOLVER_NAME)}"]
    for zone in (GOOD, BAD):
        lines += [f"{zone}. NS ns{n}.{zone}." for n in (1, 2)]
        lines += [f"ns{n}.{zone}. A {book.address(f'ns{n}.{zone}')}" for n in (1, 2)]
    lines.append(f"{BOGUS}. NS {RESOLVER_NAME}.")
    lines += [
        f"{name}. A {site.address}"
        for site in book.sites
        for name in (site.name, *site.aliases)
        if site.address and _lies_in_parent(name)
    ]
    return "\n".join(lines) + "\n" + RECORDS + planted_txt("hostile")


def _lies_in_parent(name: str) -> bool:
    below = any(name == zone or name.endswith(f".{zone}") for zone in (GOOD, BAD, BOGUS))
    return name.endswith(f".{DOMAIN}") and not below


def _good_text(book: AddressBook) -> str:
    web = book.address(GOOD)
    return f"""
@ NS ns1
@ NS ns2
ns1 A {book.address(f"ns1.{GOOD}")}
ns2 A {book.address(f"ns2.{GOOD}")}
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
@ NS ns1
@ NS ns2
@ NS ns3.vanished.example.
ns1 A {book.address(f"ns1.{BAD}")}
ns2 A {book.address(f"ns2.{BAD}")}
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
    return f"@ NS {RESOLVER_NAME}.\n@ A {book.address(RESOLVER_NAME)}\n"


def _strings(text: str) -> str:
    """Splits a text into the strings of a TXT record, each below 256 bytes."""
    parts = [text[at : at + _TXT_PART] for at in range(0, len(text), _TXT_PART)]
    return " ".join(f'"{part}"' for part in parts)


def _sign(zone: dns.zone.Zone, now: datetime) -> DNSKEY:
    """Signs a zone with a new key, which is returned."""
    private, public = _new_key()
    dns.dnssec.sign_zone(
        zone,
        keys=[(private, public)],
        dnskey_ttl=300,
        inception=now - timedelta(hours=1),
        expiration=now + timedelta(days=_SIGNATURE_DAYS),
    )
    return public


def _new_key() -> tuple[ec.EllipticCurvePrivateKey, DNSKEY]:
    private = ec.generate_private_key(ec.SECP256R1())
    public = PublicECDSAP256SHA256(private.public_key())
    return private, public.to_dnskey(flags=_KEY_SIGNING)


def _add_ds(parent: dns.zone.Zone, child: str, key: DNSKEY) -> None:
    name = dns.name.from_text(child)
    ds = dns.dnssec.make_ds(name, key, DSDigest.SHA256)
    parent.replace_rdataset(name, dns.rdataset.from_rdata(300, ds))
