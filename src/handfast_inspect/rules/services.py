"""Rules about open ports: admin services, plain-text logins, mail, inventory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.service import ServiceFact
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.reproduce import connect, openssl_starttls
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_NO_PORTS = "no port was tried"

ADMIN_PROTOCOLS = frozenset(
    {
        "activemq",
        "amqp",
        "cassandra",
        "consul",
        "couchdb",
        "docker",
        "elasticsearch",
        "epmd",
        "etcd",
        "hadoop",
        "influxdb",
        "kafka",
        "kibana",
        "kubernetes",
        "ldap",
        "memcached",
        "mongodb",
        "mqtt",
        "msrpc",
        "mssql",
        "mysql",
        "nfs",
        "oracle",
        "postgresql",
        "rabbitmq",
        "rdp",
        "redis",
        "rpcbind",
        "rsync",
        "smb",
        "solr",
        "telnet",
        "vnc",
        "winrm",
        "x11",
        "zookeeper",
    }
)
"""Databases, caches, search, queues, container control and remote desktops."""

_BY_PORT = Doubt(Confidence.MEDIUM, "it said nothing by itself; the protocol is that of the port")
_CLEAR_WITHOUT_STARTTLS = frozenset({"ftp", "pop3", "imap"})


def check_admin(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse services that belong inside (OWASP WSTG-CONF-01)."""
    del now
    admin = [fact for fact in facts.services if fact.protocol.lower() in ADMIN_PROTOCOLS]
    for fact in admin:
        open_to_all = fact.unauthenticated is True
        port = fact.asset.port
        yield failed(
            fact,
            Severity.CRITICAL if open_to_all else Severity.HIGH,
            f"service/{fact.protocol.lower()}",
            f"{fact.protocol} answers on port {port}, reachable from outside"
            + (", and asks for no login." if open_to_all else "."),
            observed=fact.banner or f"{fact.protocol} on port {port}",
            doubt=None if fact.banner else _BY_PORT,
        )
    if not admin:
        for scan in facts.port_scans:
            tried = len(scan.open) + len(scan.closed) + len(scan.filtered)
            yield passed(scan, f"no admin service on {tried} ports")


def check_clear(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse logins in plain text: FTP, Telnet, POP3 and IMAP without STARTTLS (RFC 8314)."""
    del now
    answered = False
    for offer in facts.starttls:
        if offer.protocol not in _CLEAR_WITHOUT_STARTTLS:
            continue
        answered = True
        if offer.offered:
            yield passed(offer, f"{offer.protocol} offers STARTTLS")
        else:
            yield failed(
                offer,
                Severity.MEDIUM,
                f"service/{offer.protocol}/clear",
                f"{offer.protocol.upper()} on port {offer.asset.port} takes clear passwords.",
                observed=f"{offer.protocol}: STARTTLS not offered",
            )
    for service in facts.services:
        if service.protocol.lower() == "telnet" and not service.tls:
            answered = True
            yield failed(
                service,
                Severity.MEDIUM,
                "service/telnet/clear",
                f"Telnet on port {service.asset.port} takes passwords in the clear.",
                observed=service.banner or f"telnet on port {service.asset.port}",
            )
    if not answered:
        for scan in facts.port_scans:
            yield passed(scan, "no service with a login in plain text")


def check_smtp(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Demand STARTTLS, with a valid certificate, of mail exchangers (RFC 3207)."""
    del now
    for fact in facts.starttls:
        if fact.protocol != "smtp" or not fact.is_mx:
            continue
        if not fact.offered:
            yield failed(
                fact,
                Severity.MEDIUM,
                "smtp/no-starttls",
                f"The mail exchanger {fact.asset.host} takes mail in the clear only.",
                observed="EHLO: STARTTLS not offered",
            )
        elif fact.certificate_valid is False:
            yield failed(
                fact,
                Severity.LOW,
                "smtp/certificate",
                f"The certificate of the mail exchanger {fact.asset.host} is not valid for it.",
                observed=fact.certificate_error,
            )
        elif fact.certificate_valid is None:
            yield untested(fact, "STARTTLS is offered; the handshake was not made")
        else:
            yield passed(fact, "STARTTLS with a valid certificate")


def check_inventory(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """List open ports and what answers there."""
    del now
    for scan in facts.port_scans:
        if not scan.open:
            tried = len(scan.closed) + len(scan.filtered)
            yield passed(scan, f"none of {tried} ports is open")
            continue
        where = (scan.asset.host, scan.asset.ip)
        by_port = {s.asset.port: s for s in facts.services if (s.asset.host, s.asset.ip) == where}
        lines = [_inventory_line(port, by_port.get(port)) for port in sorted(scan.open)]
        yield failed(
            scan,
            Severity.INFO,
            "ports/open",
            f"{len(scan.open)} ports are open.",
            observed="\n".join(lines),
        )


def _inventory_line(port: int, service: ServiceFact | None) -> str:
    if service is None:
        return f"{port}/tcp unknown"
    parts = (service.protocol or "unknown", service.product, service.version)
    return f"{port}/tcp {' '.join(part for part in parts if part)}"


SVC_ADMIN = Rule(
    id="svc.admin",
    title="An internal service is reachable from outside",
    probe_class=ProbeClass.CONSENT,
    check=check_admin,
    needs=_NO_PORTS,
    impact="One weak password, or none at all, and the data or the machine is gone.",
    remediation="Bind it to an internal address and let a firewall refuse the rest.",
    config="bind 127.0.0.1",
    reproduce=connect,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
    cwe=668,
    effort=Effort.MEDIUM,
    would_change="An allow-list that includes the inspecting machine makes this void for others.",
)

SVC_CLEAR = Rule(
    id="svc.clear",
    title="Passwords are taken in the clear",
    probe_class=ProbeClass.CONSENT,
    check=check_clear,
    needs=_NO_PORTS,
    impact="Passwords and content can be read by everyone on the path.",
    remediation="Require TLS, or replace the service: SFTP for FTP, SSH for Telnet.",
    config="ssl = required",
    reproduce=connect,
    references=("https://www.rfc-editor.org/rfc/rfc8314",),
    cwe=319,
    effort=Effort.MEDIUM,
)

SVC_SMTP = Rule(
    id="svc.smtp",
    title="A mail exchanger does not protect mail",
    probe_class=ProbeClass.CONSENT,
    check=check_smtp,
    needs="no mail exchanger in scope was connected to",
    impact="Mail to this domain crosses the network in the clear.",
    remediation="Offer STARTTLS with a certificate for the MX name.",
    config="smtpd_tls_security_level = may",
    reproduce=openssl_starttls,
    references=("https://www.rfc-editor.org/rfc/rfc3207",),
    cwe=319,
)

SVC_INVENTORY = Rule(
    id="svc.inventory",
    title="Open ports",
    probe_class=ProbeClass.CONSENT,
    check=check_inventory,
    needs=_NO_PORTS,
    impact="None by itself; each open port is something to look after.",
    remediation="Close what is not needed.",
    reproduce=connect,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
)
