"""The names that exist in DNS only: policies, aliases and traps, one name for each lesson."""

from __future__ import annotations

from typing import Final

from handfast_inspect.lab import injections
from handfast_inspect.lab.certificates import CAA_NAME
from handfast_inspect.lab.plan import SitePlan
from handfast_inspect.lab.site import DOMAIN, Expected

BIG_STRINGS: Final = 24
"""Strings in the answer for `big`: more than any UDP answer may carry (1,232 bytes)."""

_SHORT_DKIM_KEY: Final = (
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC17hXzOw1sri9GcyL6WfpuMJApQZ9pHL00MsgWFWI3"
    "7NPGMqxBWgVJnX4/osEcZCgWrEVt/QWHq0OpGNgsrQoRC/pIgRfwQ94EyV2kHjVgEEMVNZZ/QfGAL5L3"
    "sbJuCHyCBOfv0BPgR9QAtqwWsXP6P4WYm0qf/UhIm1JHLWjVPQIDAQAB"
)

_SPF_INCLUDES: Final = " ".join(f"include:spf-{n}.{DOMAIN}" for n in range(6))


def _quoted(text: str) -> str:
    """Writes a text as a quoted string of a zone file, bytes outside ASCII by their number."""
    parts = (
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:03d}"  # noqa: PLR2004 - printable ASCII
        for byte in text.encode()[:255]
    )
    return '"' + "".join(parts) + '"'


def planted_txt(owner: str) -> str:
    """Writes TXT records with every planted text at one owner."""
    return "".join(f"{owner} TXT {_quoted(text)}\n" for text in injections.PLANTED.values())


_HALF_SPF: Final = "".join(
    f'spf-{n} TXT "v=spf1 a:a{n}.{DOMAIN} mx -all"\na{n} A 198.51.100.{n}\n' for n in range(6)
)

_LESSONS: Final = f"""
spf-many TXT "v=spf1 {_SPF_INCLUDES} -all"
{_HALF_SPF}
spf-many MX 10 mail.good.{DOMAIN}.
spf-two TXT "v=spf1 -all"
spf-two TXT "v=spf1 ~all"
spf-two MX 10 mail.good.{DOMAIN}.
spf-void TXT "v=spf1 a:gone1.{DOMAIN} a:gone2.{DOMAIN} exists:gone3.{DOMAIN} -all"
spf-void MX 10 mail.good.{DOMAIN}.
spf-broken TXT "v=spf1 ipv4:198.51.100.0/24 include: -all"
spf-broken MX 10 mail.good.{DOMAIN}.
spf-soft TXT "v=spf1 mx ptr ~all"
spf-soft MX 10 mail.good.{DOMAIN}.
spf-open-end TXT "v=spf1 mx"
spf-open-end MX 10 mail.good.{DOMAIN}.
spf-loop TXT "v=spf1 redirect=spf-loop.{DOMAIN}"
spf-loop MX 10 mail.good.{DOMAIN}.
no-mail TXT "v=spf1 -all"
no-mail MX 0 .
_dmarc.no-mail TXT "v=DMARC1; p=reject; sp=reject"
monitor TXT "v=spf1 mx -all"
monitor MX 10 mail.good.{DOMAIN}.
_dmarc.monitor TXT "v=DMARC1; p=none; pct=50; ri=3600; rf=afrf"
weak-key MX 10 mail.good.{DOMAIN}.
weak-key TXT "v=spf1 mx -all"
_dmarc.weak-key TXT "v=DMARC1; p=reject; sp=none; t=y; rua=mailto:dmarc@weak-key.{DOMAIN}"
default._domainkey.weak-key TXT "v=DKIM1; k=rsa; t=y; p={_SHORT_DKIM_KEY}"
testing MX 10 mail.good.{DOMAIN}.
testing TXT "v=spf1 mx -all"
_dmarc.testing TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@testing.{DOMAIN}"
_mta-sts.testing TXT "v=STSv1; id=20261101"
forgotten CNAME shop-7c1f.hosting.example.
lost MX 10 mail.vanished.example.
circle CNAME circle-back
circle-back CNAME circle
intranet A 10.20.30.40
mapped AAAA ::ffff:127.0.0.1
six AAAA 2001:db8::6
rebind 0 A 203.0.113.80
rebind 0 A 127.0.0.1
*.wild A 198.51.100.80
wild A 198.51.100.80
many A 198.51.100.1
wildcard-ca CAA 0 issuewild "ca.{DOMAIN}"
wildcard-ca A 198.51.100.90
hostile MX 10 mail.bad.{DOMAIN}.
_dmarc.hostile TXT {_quoted("v=DMARC1; p=" + injections.ORDER_ENGLISH)}
hostile CAA 0 issue {_quoted(injections.BREAKS_HTML)}
hostile HINFO {_quoted(injections.ANSI)} {_quoted(injections.ORDER_CHINESE)}
\\<script\\>alert\\(1\\)\\<\\/script\\> A 198.51.100.66
""" + "".join(
    f'big TXT "{n:02d} {"long text that fills the answer up " * 6}"\n' for n in range(BIG_STRINGS)
)


_NO_MTA_STS: Final = Expected("dns.mta_sts", "low")


def _name(label: str, description: str, *expected: Expected, exact: bool = True) -> SitePlan:
    return SitePlan(f"{label}.{DOMAIN}", description, expected=expected, exact=exact)


def _spf(label: str, description: str) -> SitePlan:
    return _name(label, description, Expected("dns.spf", "medium"), _NO_MTA_STS)


NAMES: Final = (
    _spf("spf-many", "SPF that needs more than ten look-ups"),
    _spf("spf-two", "two SPF records"),
    _spf("spf-void", "SPF with three look-ups that find nothing"),
    _spf("spf-broken", "SPF that does not parse"),
    _spf("spf-loop", "SPF that redirects to itself"),
    _spf("spf-open-end", "SPF without `all`"),
    _name("spf-soft", "SPF with ptr and ~all", Expected("dns.spf", "low"), _NO_MTA_STS),
    _name("no-mail", "a domain that takes no mail and says so"),
    _name(
        "monitor",
        "DMARC that only watches, with tags that were removed",
        Expected("dns.dmarc", "low"),
        _NO_MTA_STS,
    ),
    _name(
        "weak-key",
        "DKIM key of 1,024 bits in test mode, DMARC in test mode",
        Expected("dns.dkim", "low"),
        Expected("dns.dmarc", "low"),
        _NO_MTA_STS,
    ),
    _name("testing", "MTA-STS without a policy to fetch", Expected("dns.mta_sts", "low")),
    _name(
        "forgotten",
        "alias of a name that is gone",
        Expected("dns.dangling", "medium"),
        exact=False,
    ),
    _name("lost", "mail exchanger that is gone", Expected("dns.dangling", "medium"), _NO_MTA_STS),
    _name("circle", "alias of an alias of itself", exact=False),
    _name("intranet", "private address in public DNS", Expected("dns.private", "low")),
    _name("mapped", "IPv6 address that carries 127.0.0.1"),
    _name("six", "IPv6 address outside the scope"),
    _name("rebind", "one public and one loopback address"),
    _name("wild", "wildcard", Expected("dns.wildcard", "info")),
    _name("wildcard-ca", "CAA for wildcards only", Expected("dns.caa", "info")),
    _name("big", "TXT records that fit no UDP answer"),
    _name("servfail", "the server fails", exact=False),
    _name("mute", "the server does not answer", exact=False),
    _name(
        "bogus",
        "signatures that do not match the parent",
        Expected("dns.dnssec", "high"),
        exact=False,
    ),
)
"""Every name of this file as a site without services."""


def _policies(plan: SitePlan) -> str:
    """What an exact name has besides its lesson: sound policies, where it has none of its own."""
    label = plan.name.removesuffix(f".{DOMAIN}")
    text = ""
    if f'\n{label} TXT "v=spf1' not in _LESSONS:
        text += f'{label} TXT "v=spf1 -all"\n'
    if f"\n_dmarc.{label} " not in _LESSONS:
        text += f'_dmarc.{label} TXT "v=DMARC1; p=reject; rua=mailto:dmarc@good.{DOMAIN}"\n'
    if f"\n{label} CAA " not in _LESSONS:
        text += f'{label} CAA 0 issue "{CAA_NAME}"\n'
    return text


RECORDS: Final = _LESSONS + "".join(_policies(plan) for plan in NAMES if plan.exact)
"""Every record, in the form of a zone file (RFC 1035 section 5) below `lab.example.`."""
