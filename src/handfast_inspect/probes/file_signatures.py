"""Files that should not be public: where they lie and what gives them away.

The list is fixed and short. A status alone proves nothing: a file counts only when its content has
the signature of its kind. Every pattern is linear and looks at 4 KiB at most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_FILE: Final = 4096
"""Bytes that are read of any of these files: enough to know what it is."""


@dataclass(frozen=True, slots=True)
class FileSignature:
    """One path and how its content is recognised."""

    path: str
    kind: str
    """The kind that rules know it by."""
    name: str
    """What the signature is called in a report."""
    pattern: re.Pattern[bytes]


def _file(path: str, kind: str, name: str, pattern: bytes) -> FileSignature:
    return FileSignature(path, kind, name, re.compile(pattern, re.MULTILINE))


_PRIVATE_KEY: Final = rb"^-----BEGIN (?:[A-Z0-9]{1,10} ){0,2}PRIVATE KEY-----"
_DUMP: Final = (
    rb"^-- (?:MySQL|MariaDB|PostgreSQL)[^\n]{0,40} dump|^PGDMP|^(?:CREATE TABLE|INSERT INTO) "
)
_WORDPRESS: Final = rb"define\(\s{0,8}['\"]DB_(?:PASSWORD|NAME|USER)['\"]"

SIGNATURES: Final = (
    _file("/.git/HEAD", "git", "git HEAD", rb"\Aref: refs/|\A[0-9a-f]{40}\s*\Z"),
    _file("/.git/config", "git", "git config", rb"^\[core\]"),
    _file("/.env", "env", "environment file", rb"^[ \t]{0,8}(?:export )?[A-Z][A-Z0-9_]{2,60}="),
    _file("/.aws/credentials", "aws_credentials", "AWS credentials", rb"^aws_(?:access|secret)_"),
    _file("/id_rsa", "private_key", "private key", _PRIVATE_KEY),
    _file("/.ssh/id_rsa", "private_key", "private key", _PRIVATE_KEY),
    _file("/dump.sql", "database_dump", "SQL dump", _DUMP),
    _file("/backup.sql", "database_dump", "SQL dump", _DUMP),
    _file("/wp-config.php.bak", "config_backup", "WordPress configuration", _WORDPRESS),
    _file("/wp-config.php~", "config_backup", "WordPress configuration", _WORDPRESS),
    _file(
        "/phpinfo.php", "phpinfo", "phpinfo()", rb"<title>[^<]{0,40}phpinfo\(\)|PHP Version [0-9]"
    ),
    _file("/info.php", "phpinfo", "phpinfo()", rb"<title>[^<]{0,40}phpinfo\(\)|PHP Version [0-9]"),
    _file("/server-status", "server_status", "Apache status", rb"Apache Server Status for"),
    _file("/actuator/env", "actuator", "Spring actuator", rb'"(?:propertySources|activeProfiles)"'),
    _file("/.svn/entries", "svn", "Subversion entries", rb"\A(?:8|9|1[0-2])\s"),
    _file("/.DS_Store", "ds_store", "macOS folder file", rb"\A\x00\x00\x00\x01Bud1"),
)
"""Every file that is asked for."""

SOURCE_MAP: Final = _file("", "source_map", "source map", rb'"mappings"\s{0,8}:|"sources"\s{0,8}:')
"""Source maps stand beside the page's own scripts, so they have no fixed path."""

SOURCE_MAP_LINK: Final = re.compile(rb"//[#@] sourceMappingURL=([^\s'\"]{1,200})")

_ASSIGNMENT: Final = re.compile(rb"(?m)^([^\n=:]{1,80}[=:][ \t]?)[^\n]+")
_QUOTED: Final = re.compile(rb"(['\"])(?:[^'\"\\\n]|\\.){3,}\1")
_SHOWN_LINES: Final = 6


def redact(content: bytes, signature: FileSignature) -> str:
    """What of a file may be kept: its shape, no value in it.

    Args:
        content: The first bytes of the file.
        signature: What it was recognised by.

    Returns:
        The matched text, and the first lines with every value blotted out. Lines that are no
        `name = value` are kept only as their length.
    """
    match = signature.pattern.search(content)
    found = match.group() if match else b""
    lines = [_redact_line(line) for line in content.splitlines()[:_SHOWN_LINES]]
    shown = b"signature: " + found[:80] + b"\n" + b"\n".join(lines)
    return shown.decode("utf-8", "backslashreplace")


def _redact_line(line: bytes) -> bytes:
    name = _ASSIGNMENT.match(line)
    if name is None:
        return b"[%d bytes]" % len(line)
    kept = _QUOTED.sub(b"'[...]'", name.group(1))
    return kept + b"[%d bytes]" % (len(line) - len(name.group(1)))
