from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import dns.dnssec
import dns.name
import dns.node
import dns.rdataset
import dns.rdatatype
import pytest

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.addresses import bind_sites
from handfast_inspect.lab.dns_zones import BAD, BOGUS, GOOD, Zones, build_zones
from handfast_inspect.lab.laboratory import PLANS
from handfast_inspect.lab.site import DOMAIN, OUTSIDE
from laboratory_client import rdatas, shown

validate: Callable[..., None] = dns.dnssec.validate  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - dnspython leaves it open

NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def book() -> AddressBook:
    bound = bind_sites(PLANS, None, None)
    bound.close()
    return AddressBook(bound.sites)


@pytest.fixture(scope="module")
def zones(book: AddressBook) -> Zones:
    return build_zones(book, NOW)


def name(text: str) -> dns.name.Name:
    return dns.name.from_text(text)


def test_the_closest_zone_is_found_for_every_name(zones: Zones) -> None:
    for asked, zone in [
        (f"a.b.{GOOD}", GOOD),
        (BAD, BAD),
        (f"x.{DOMAIN}", DOMAIN),
        (OUTSIDE, "example"),
    ]:
        found = zones.closest(name(asked))
        assert found is not None
        assert found.origin == name(zone)
    assert zones.closest(name("example.org")) is None
    assert zones.closest(dns.name.root) is None


def test_every_site_with_services_has_its_address(zones: Zones, book: AddressBook) -> None:
    for site in book.sites:
        zone = zones.closest(name(site.name))
        assert zone is not None
        if site.address:
            rrset = zone.find_rrset(name(site.name), "A")
            assert shown([rrset]) == [site.address]


@pytest.mark.parametrize("origin", [DOMAIN, GOOD, BOGUS])
def test_every_signature_is_valid_by_the_zone_s_own_key(zones: Zones, origin: str) -> None:
    zone = zones.signed[name(origin)]()
    keys: dict[dns.name.Name, dns.node.Node | dns.rdataset.Rdataset]
    keys = {name(origin): zone.find_rdataset(name(origin), "DNSKEY")}
    signed = [
        (owner, rdataset)
        for owner, rdataset in zone.iterate_rdatasets()
        if rdataset.rdtype != dns.rdatatype.RRSIG
        and zone.get_rdataset(owner, "NSEC")
        and (owner == name(origin) or rdataset.rdtype != dns.rdatatype.NS)
    ]
    for owner, rdataset in signed:
        signature = zone.find_rdataset(owner, "RRSIG", rdataset.rdtype)
        validate((owner, rdataset), (owner, signature), keys)
    assert len(signed) > 3


@pytest.mark.parametrize(
    ("origin", "parent", "matches"),
    [(DOMAIN, "example", True), (GOOD, DOMAIN, True), (BOGUS, DOMAIN, False)],
)
def test_the_parent_points_to_the_good_key_and_not_to_the_bogus_one(
    zones: Zones, origin: str, parent: str, *, matches: bool
) -> None:
    (ds,) = rdatas(zones.by_name[name(parent)].find_rdataset(name(origin), "DS"))
    (key,) = rdatas(zones.signed[name(origin)]().find_rdataset(name(origin), "DNSKEY"))
    assert (dns.dnssec.make_ds(name(origin), key, "SHA256") == ds) is matches


def test_a_zone_is_signed_once(zones: Zones) -> None:
    assert zones.closest(name(GOOD), signed=True) is zones.closest(name(GOOD), signed=True)
    assert zones.closest(name(GOOD)) is zones.by_name[name(GOOD)]
    assert zones.closest(name(BAD), signed=True) is zones.by_name[name(BAD)]


def test_the_bad_zone_is_not_signed(zones: Zones) -> None:
    assert name(BAD) not in zones.signed
    assert zones.secure == {name(DOMAIN), name(GOOD)}
    assert zones.bogus == {name(BOGUS)}
