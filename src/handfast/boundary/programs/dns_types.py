"""The kinds of DNS records that may be asked for, and who may ask for a whole zone."""

from __future__ import annotations

from handfast.boundary.command_options import words
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

RECORD_TYPES = words(
    """A AAAA AFSDB ANY CAA CDNSKEY CDS CERT CNAME CSYNC DNAME DNSKEY DS HINFO HIP HTTPS KEY KX LOC
    MX NAPTR NS NSEC NSEC3 NSEC3PARAM OPENPGPKEY PTR RP RRSIG SMIMEA SOA SPF SRV SSHFP SVCB TLSA
    TXT URI"""
)
"""Types that ask for the records of one name (IANA DNS parameters)."""

ZONE_TRANSFERS = frozenset({"AXFR"})
"""Types that ask for a whole zone (RFC 5936)."""


def record_type(program: str, text: str, scope: Scope) -> str:
    """Checks a record type.

    Returns:
        The type in upper case.

    Raises:
        CommandRefused: It is unknown, or a zone transfer that the scope does not grant by the
            class `consent`.
    """
    found = text.upper()
    if found in ZONE_TRANSFERS:
        if not scope.permits("consent"):
            raise CommandRefused(f"{program}: a zone transfer needs the probe class consent")
        return found
    if found not in RECORD_TYPES:
        raise CommandRefused(f"{program}: {text} is not a record type that may be asked for")
    return found
