"""Certificates for loopback, made once a session."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import trustme


@dataclass(frozen=True)
class LoopbackTls:
    """An authority and the file in which a client finds it."""

    authority: trustme.CA
    trust: Path
    keep: TemporaryDirectory[str]

    def server_context(self, *names: str) -> ssl.SSLContext:
        """A server's context with a certificate for these names."""
        return server_context(self.authority, *names)


def server_context(authority: trustme.CA, *names: str, rsa: bool = False) -> ssl.SSLContext:
    """A server's context with a certificate of an authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    kind = trustme.KeyType.RSA if rsa else trustme.KeyType.ECDSA
    certificate = authority.issue_cert(*names, key_type=kind)
    # the parameter's type names pyOpenSSL, which is not installed
    certificate.configure_cert(context)  # pyright: ignore[reportUnknownMemberType]
    return context


@cache
def loopback_tls() -> LoopbackTls:
    """The authority of this process."""
    authority = trustme.CA()
    folder = TemporaryDirectory()
    path = Path(folder.name) / "trust.pem"
    authority.cert_pem.write_to_path(str(path))
    return LoopbackTls(authority, path, folder)
