"""Recognising a service by what it says first, and by its port where it says nothing.

Greetings are hostile bytes: patterns are anchored and bounded, and nothing is believed but the
shape of the first kilobyte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from handfast_inspect.probes.port_names import PROTOCOLS

MAX_SHOWN: Final = 512
"""Characters kept of a greeting."""


@dataclass(frozen=True, slots=True)
class Service:
    """What a greeting gives away."""

    protocol: str
    """Lower case; empty when it cannot be told."""
    product: str = ""
    version: str = ""
    unauthenticated: bool | None = None
    """True when the greeting alone shows that no login is asked for."""


@dataclass(frozen=True, slots=True)
class _Greeting:
    """One way to begin."""

    protocol: str
    pattern: re.Pattern[bytes]
    unauthenticated: bool | None = None


def _greeting(protocol: str, pattern: bytes, *, unauthenticated: bool | None = None) -> _Greeting:
    return _Greeting(protocol, re.compile(pattern, re.IGNORECASE), unauthenticated)


_GREETINGS: Final = (
    _greeting("ssh", rb"SSH-[0-9.]{1,8}-"),
    _greeting(
        "smtp", rb"(?:220[- ][^\r\n]{0,200}\b(?:e?smtp|mail)\b|421[- ][^\r\n]{0,200}\bsmtp\b)"
    ),
    _greeting("ftp", rb"(?:220|421)[- ][^\r\n]{0,200}(?:ftp|filezilla)"),
    _greeting("imap", rb"\* (?:OK|BYE)\b"),
    _greeting("imap", rb"\* PREAUTH\b", unauthenticated=True),
    _greeting("pop3", rb"\+OK\b"),
    _greeting("telnet", rb"\xff[\xfb-\xfe]"),
    _greeting("telnet", rb"[\x00-\xff]{0,200}?\blogin: ?\Z"),
    _greeting("vnc", rb"RFB [0-9]{3}\.[0-9]{3}\n"),
    _greeting("redis", rb"\$[0-9]{1,6}\r\n# Server\r\nredis_version:", unauthenticated=True),
    _greeting("redis", rb"-(?:NOAUTH|DENIED|MISCONF)\b|-ERR [^\r\n]{0,100}redis"),
    _greeting("mysql", rb"[\x00-\xff]{3}\x00\x0a[0-9][ -~]{2,60}\x00"),
    _greeting("mysql", rb"[\x00-\xff]{3}\x00\xff[\x00-\xff]{2}[^\r\n]{0,200}(?:mysql|mariadb)"),
    _greeting("rsync", rb"@RSYNCD: [0-9]"),
    _greeting("activemq", rb"[\x00-\xff]{4}\x01ActiveMQ"),
    _greeting("http", rb"HTTP/1\.[01] [0-9]{3}"),
    _greeting("irc", rb":[^ \r\n]{1,100} NOTICE "),
    _greeting("nntp", rb"20[01][- ][^\r\n]{0,200}(?:nntp|news|inn)"),
)
_FIRST_LINE_BY_PORT: Final = {"ftp": b"220", "smtp": b"220"}
_SOFTWARE: Final = (
    re.compile(
        r"SSH-[0-9.]{1,8}-(?P<product>OpenSSH)_(?:for_Windows_)?(?P<version>[0-9][\w.]{0,20})"
    ),
    re.compile(r"SSH-[0-9.]{1,8}-(?P<product>[A-Za-z]{2,20})[_-](?P<version>[0-9][\w.]{0,20})"),
    re.compile(
        r"\b(?P<product>vsFTPd|ProFTPD|Pure-FTPd|FileZilla Server)[ /](?P<version>[0-9][\w.]{0,20})"
    ),
    re.compile(
        r"\b(?P<product>Postfix|Exim|Sendmail|Dovecot|Haraka)[ /](?P<version>[0-9][\w.]{0,20})"
    ),
    re.compile(r"\b(?P<product>redis)_version:(?P<version>[0-9][\w.]{0,20})"),
    re.compile(
        r"\x00\x0a(?P<version>[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,3})[^\x00]{0,60}(?P<product>MariaDB)"
    ),
    re.compile(r"\x00\x0a(?P<version>[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,3})"),
    re.compile(r"\b(?P<product>vsFTPd|ProFTPD|Pure-FTPd|Postfix|Exim|Sendmail|Dovecot|MariaDB)\b"),
)


def recognise(port: int, greeting: bytes) -> Service:
    """Says what answers on a port.

    Args:
        port: Where it was connected to.
        greeting: What it said unasked, up to a kilobyte.

    Returns:
        The service; an unknown greeting on a known port is not believed to be the usual one.
    """
    head = greeting[:1024]
    found = next((kind for kind in _GREETINGS if kind.pattern.match(head)), None)
    if found is not None:
        return _with_software(Service(found.protocol, unauthenticated=found.unauthenticated), head)
    usual = PROTOCOLS.get(port, "")
    mark = _FIRST_LINE_BY_PORT.get(usual)
    if not head or (mark is not None and head.startswith(mark)):
        return _with_software(Service(usual), head)
    return _with_software(Service(""), head)


def shown(greeting: bytes) -> str:
    """A greeting as text, as sent, cut to what a fact may hold."""
    return greeting.decode("utf-8", "backslashreplace")[:MAX_SHOWN]


def _with_software(service: Service, head: bytes) -> Service:
    text = head.decode("latin-1")
    for pattern in _SOFTWARE:
        match = pattern.search(text)
        if match is not None:
            named = match.groupdict()
            product = (named.get("product") or service.protocol).lower()
            return replace(service, product=product, version=named.get("version") or "")
    return service
