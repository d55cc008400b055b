"""Server contexts for TLS, from modern to forbidden."""

from __future__ import annotations

import ssl
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handfast_inspect.lab.certificates import CertificateRecipe, IssuedCertificate

MODERN_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""TLS 1.2 suites with forward secrecy and authenticated encryption only (RFC 9325 section 4.2)."""


@dataclass(frozen=True, slots=True)
class TlsProfile:
    """How a site speaks TLS."""

    certificate: CertificateRecipe
    lowest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2
    highest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3
    ciphers: str = MODERN_CIPHERS
    """OpenSSL's cipher string for TLS 1.2 and below. `@SECLEVEL=0` in it allows what OpenSSL
    refuses by default: old versions, short keys, suites without encryption."""


def server_context(profile: TlsProfile, issued: IssuedCertificate) -> ssl.SSLContext:
    """Makes the context with which a site answers.

    Args:
        profile: Versions and suites.
        issued: The certificate and its key.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(profile.ciphers)
    with warnings.catch_warnings():
        # Python warns against TLS 1.0 and 1.1; sites that speak them exist to be found.
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = profile.lowest
        context.maximum_version = profile.highest
    with tempfile.TemporaryDirectory(prefix="handfast-lab-") as folder:
        chain, key = Path(folder, "chain.pem"), Path(folder, "key.pem")
        chain.write_bytes(issued.chain_pem)
        key.touch(mode=0o600)
        key.write_bytes(issued.key_pem)
        context.load_cert_chain(chain, key)
    return context
