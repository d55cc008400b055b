from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from handfast_inspect.lab.certificates import CertificateAuthority, CertificateRecipe, KeyKind
from handfast_inspect.lab.tls import TlsProfile, server_context
from laboratory_client import careless

AUTHORITY = CertificateAuthority(datetime.now(UTC))
NAME = "a.lab.example"


def handshake(client: ssl.SSLContext, profile: TlsProfile) -> ssl.SSLObject:
    """Shakes hands in memory; returns the client's side."""
    server = server_context(profile, AUTHORITY.issue(profile.certificate))
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(to_client, to_server, server_hostname=NAME)
    theirs = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        for side in (ours, theirs):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert ours.version() is not None
    return ours


def test_a_good_profile_satisfies_a_strict_client() -> None:
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(cadata=AUTHORITY.root_pem.decode())
    assert handshake(client, TlsProfile(CertificateRecipe((NAME,)))).version() == "TLSv1.3"


def test_old_versions_are_spoken_when_the_rules_of_openssl_are_lifted() -> None:
    old = TlsProfile(
        CertificateRecipe((NAME,)),
        lowest=ssl.TLSVersion.TLSv1,
        highest=ssl.TLSVersion.TLSv1_1,
        ciphers="ALL:@SECLEVEL=0",
    )
    assert handshake(careless(), old).version() == "TLSv1.1"
    assert handshake(careless(highest=ssl.TLSVersion.TLSv1), old).version() == "TLSv1"
    with pytest.raises(ssl.SSLError):
        handshake(careless(lowest=ssl.TLSVersion.TLSv1_2), old)


def test_a_short_key_is_accepted_by_the_server_alone() -> None:
    short = TlsProfile(
        CertificateRecipe((NAME,), key=KeyKind.RSA_1024), ciphers="ECDHE+AESGCM:@SECLEVEL=0"
    )
    assert handshake(careless(), short).version() == "TLSv1.3"


def test_no_key_stays_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    profile = TlsProfile(CertificateRecipe((NAME,)))
    server_context(profile, AUTHORITY.issue(profile.certificate))
    assert list(tmp_path.iterdir()) == []
