"""The sites that are about other services, and the ones that try to hang or drown a visitor."""

from __future__ import annotations

from typing import Final

from handfast_inspect.lab import greetings, hazards
from handfast_inspect.lab.certificates import CertificateRecipe
from handfast_inspect.lab.conversation import Conversation
from handfast_inspect.lab.plan import DnsPlan, DnsRole, SitePlan, SlowTlsPlan, StreamPlan
from handfast_inspect.lab.site import DOMAIN, Expected, ServiceKind
from handfast_inspect.lab.tls import TlsProfile

RESOLVER_NAME: Final = f"resolver.{DOMAIN}"
"""The name server that the inspection asks."""

_PARENTS: Final = ("example", DOMAIN, f"bogus.{DOMAIN}")

INFRASTRUCTURE: Final = (
    SitePlan(
        RESOLVER_NAME,
        "the resolver that knows every name",
        (DnsPlan(DnsRole.RESOLVER),),
    ),
    SitePlan(
        f"ns1.{DOMAIN}",
        "name server of the parent zone",
        (DnsPlan(DnsRole.AUTHORITY, _PARENTS),),
    ),
    SitePlan(
        f"ns2.{DOMAIN}",
        "second name server of the parent zone, in another network",
        (DnsPlan(DnsRole.AUTHORITY, _PARENTS),),
        far=True,
    ),
)

SERVICE_SITES: Final = (
    SitePlan(
        f"services.{DOMAIN}",
        "SSH of 2009, FTP, Telnet, POP3, IMAP and mail without encryption, an open data store",
        (
            StreamPlan(ServiceKind.SSH, greetings.ssh),
            StreamPlan(ServiceKind.FTP, greetings.ftp),
            StreamPlan(ServiceKind.TELNET, greetings.telnet),
            StreamPlan(ServiceKind.POP3, greetings.pop3),
            StreamPlan(ServiceKind.IMAP, greetings.imap),
            StreamPlan(ServiceKind.SMTP, greetings.smtp_without_starttls),
            StreamPlan(ServiceKind.REDIS, greetings.redis),
        ),
        expected=(
            Expected("svc.admin", "critical"),
            Expected("svc.clear", "medium"),
            Expected("svc.ssh", "medium"),
            Expected("svc.inventory", "info"),
        ),
    ),
)


_ANSWERS_PLAINLY: Final = (Expected("http.no_https", "high"), Expected("http.redirect", "medium"))


def _hazard(
    label: str,
    description: str,
    conversation: Conversation,
    *more: StreamPlan,
    expected: tuple[Expected, ...] = (),
    exact: bool = True,
) -> SitePlan:
    services = (StreamPlan(ServiceKind.HTTP, conversation), *more)
    return SitePlan(f"{label}.{DOMAIN}", description, services, expected, exact)


HAZARDS: Final = (
    _hazard(
        "tarpit",
        "a byte now and then, for ever",
        hazards.tarpit,
        StreamPlan(ServiceKind.SSH, hazards.tarpit),
    ),
    _hazard(
        "silent",
        "accepts and says nothing",
        hazards.silence,
        StreamPlan(ServiceKind.HTTPS, hazards.silence),
    ),
    _hazard("drip", "a good answer, one byte now and then", hazards.drip_headers, exact=False),
    _hazard(
        "flood",
        "a body that does not end, a greeting that does not end",
        hazards.flood_body,
        StreamPlan(ServiceKind.FTP, hazards.flood_greeting),
        expected=_ANSWERS_PLAINLY,
    ),
    _hazard("flood-headers", "headers that do not end", hazards.flood_headers),
    _hazard(
        "closing",
        "hangs up at once",
        hazards.close_at_once,
        StreamPlan(ServiceKind.HTTPS, hazards.close_at_once),
    ),
    _hazard(
        "garbage",
        "bytes that are no protocol",
        hazards.garbage,
        StreamPlan(ServiceKind.HTTPS, hazards.garbage),
        StreamPlan(ServiceKind.SSH, hazards.garbage),
    ),
    _hazard(
        "long-lie",
        "announces a longer body than it sends",
        hazards.lie_about_length(10_000, b"<html>cut</html>"),
        expected=_ANSWERS_PLAINLY,
    ),
    _hazard(
        "short-lie",
        "announces a shorter body than it sends",
        hazards.lie_about_length(6, b"<html>HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        expected=_ANSWERS_PLAINLY,
    ),
    _hazard(
        "bomb",
        "a few kilobytes that unpack to ten megabytes",
        hazards.gzip_bomb,
        expected=_ANSWERS_PLAINLY,
    ),
    SitePlan(
        f"slow-tls.{DOMAIN}",
        "a TLS handshake that comes byte by byte",
        (SlowTlsPlan(ServiceKind.HTTPS, TlsProfile(CertificateRecipe((f"slow-tls.{DOMAIN}",)))),),
    ),
)

SERVICE_PLANS: Final = (*INFRASTRUCTURE, *SERVICE_SITES, *HAZARDS)
"""Every site of this file."""
