"""Every probe, in the order in which an inspection without a model runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.ct_names import look_for_ct_names
from handfast_inspect.probes.delegation import (
    look_at_delegation,
    look_for_recursion,
    look_for_transfer,
)
from handfast_inspect.probes.dkim import look_at_dkim
from handfast_inspect.probes.dmarc import look_at_dmarc
from handfast_inspect.probes.dns import (
    look_at_caa,
    look_at_pointers,
    look_at_records,
    look_for_wildcard,
)
from handfast_inspect.probes.dnssec import look_at_dnssec
from handfast_inspect.probes.files import look_at_robots, look_at_security_txt, look_for_files
from handfast_inspect.probes.http import HOME_RULES, look_at_home
from handfast_inspect.probes.http_reads import (
    look_at_cors,
    look_at_directories,
    look_at_error_page,
    look_at_methods,
)
from handfast_inspect.probes.mail import look_at_mail_transport, look_at_spf
from handfast_inspect.probes.nmap import look_with_nmap
from handfast_inspect.probes.probe import Probe
from handfast_inspect.probes.registration import look_at_registration
from handfast_inspect.probes.services import (
    SERVICE_RULES,
    look_at_mail_exchangers,
    look_at_services,
)
from handfast_inspect.probes.takeover import look_for_unclaimed
from handfast_inspect.probes.tls import CERTIFICATE_RULES, look_at_certificate
from handfast_inspect.probes.tls_scan import (
    CIPHER_RULES,
    PROTOCOL_RULES,
    look_at_ciphers,
    look_at_protocols,
)

_P: Final = ProbeClass.PASSIVE
_R: Final = ProbeClass.READ
_C: Final = ProbeClass.CONSENT

PROBES: Final = (
    Probe(
        "dns.records",
        "the records of a name",
        _P,
        look_at_records,
        ("dns.private",),
        for_names=True,
    ),
    Probe("dns.caa", "who may issue certificates", _P, look_at_caa, ("dns.caa",), for_names=True),
    Probe(
        "dns.pointers",
        "what a name points at",
        _P,
        look_at_pointers,
        ("dns.dangling",),
        for_names=True,
    ),
    Probe(
        "dns.wildcard",
        "whether any name resolves",
        _P,
        look_for_wildcard,
        ("dns.wildcard",),
        for_names=True,
    ),
    Probe("dns.dnssec", "the chain of trust", _P, look_at_dnssec, ("dns.dnssec",), for_names=True),
    Probe(
        "dns.delegation",
        "who serves the zone",
        _P,
        look_at_delegation,
        ("dns.delegation",),
        for_names=True,
    ),
    Probe("mail.spf", "who may send mail", _P, look_at_spf, ("dns.spf",), for_names=True),
    Probe(
        "mail.dmarc",
        "what becomes of forged mail",
        _P,
        look_at_dmarc,
        ("dns.dmarc",),
        for_names=True,
    ),
    Probe("mail.dkim", "keys that sign mail", _P, look_at_dkim, ("dns.dkim",), for_names=True),
    Probe(
        "mail.transport",
        "mail on its way",
        _P,
        look_at_mail_transport,
        ("dns.mta_sts",),
        for_names=True,
    ),
    Probe("reg.domain", "the registration", _P, look_at_registration, ("reg.",), for_names=True),
    Probe(
        "ct.names",
        "names in certificate logs",
        _P,
        look_for_ct_names,
        ("ct.names",),
        for_names=True,
    ),
    Probe("http.home", "the front page", _R, look_at_home, HOME_RULES, 120.0),
    Probe("http.unclaimed", "names to claim", _R, look_for_unclaimed, (), for_names=True),
    Probe("http.cors", "who may read answers", _R, look_at_cors, ("http.cors",)),
    Probe("http.error", "the page for an error", _R, look_at_error_page, ("http.error",)),
    Probe("http.directories", "listings", _R, look_at_directories, ("http.listing",), 120.0),
    Probe("http.security_txt", "security.txt", _R, look_at_security_txt, ("files.securitytxt",)),
    Probe("http.robots", "robots.txt", _R, look_at_robots, ("files.robots",)),
    Probe("tls.certificate", "the certificate", _R, look_at_certificate, CERTIFICATE_RULES),
    Probe("http.methods", "allowed methods", _C, look_at_methods, ("http.methods",)),
    Probe(
        "http.files",
        "files that should not be public",
        _C,
        look_for_files,
        ("files.secret", "files.debug"),
        180.0,
    ),
    Probe("tls.protocols", "versions of TLS", _C, look_at_protocols, PROTOCOL_RULES, 90.0),
    Probe("tls.ciphers", "cipher suites", _C, look_at_ciphers, CIPHER_RULES, 180.0),
    Probe(
        "dns.transfer", "zone transfer", _C, look_for_transfer, ("dns.axfr",), 120.0, for_names=True
    ),
    Probe(
        "dns.recursion",
        "open resolvers",
        _C,
        look_for_recursion,
        ("dns.recursion",),
        for_names=True,
    ),
    Probe(
        "mail.exchangers",
        "STARTTLS",
        _C,
        look_at_mail_exchangers,
        ("svc.smtp",),
        120.0,
        for_names=True,
    ),
    Probe("services.ports", "open ports", _C, look_at_services, SERVICE_RULES, 300.0),
)
"""The catalogue."""

NMAP: Final = Probe("services.nmap", "ports by nmap", _C, look_with_nmap, SERVICE_RULES, 300.0)
"""In place of `services.ports`, where the context has a sandbox and nmap is installed."""

PROBES_BY_ID: Final[Mapping[str, Probe]] = {probe.id: probe for probe in (*PROBES, NMAP)}
"""The catalogue by id, with what does not run by itself."""
