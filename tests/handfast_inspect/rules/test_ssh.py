from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.service import SshFact
from handfast_inspect.rules.ssh import check_ssh
from made_facts import NOW, PROOF, SITE, failures, states

GOOD = SshFact(
    SITE,
    PROOF,
    "SSH-2.0-OpenSSH_9.6p1 Debian-3",
    ("curve25519-sha256",),
    ("ssh-ed25519",),
    ("chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com"),
    ("hmac-sha2-256-etm@openssh.com",),
)


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (GOOD, {}),
        (replace(GOOD, identification="SSH-2.0-dropbear_2022.83"), {}),
        (replace(GOOD, identification="SSH-2.0-OpenSSH_7.4"), {"end-of-life": "medium"}),
        (replace(GOOD, identification="SSH-2.0-OpenSSH_8.0p1"), {"end-of-life": "medium"}),
        (replace(GOOD, identification="SSH-2.0-OpenSSH_5.3"), {"end-of-life": "medium"}),
        (replace(GOOD, identification="SSH-2.0-OpenSSH_for_Windows_9.5"), {}),
        (replace(GOOD, identification="SSH-2.0-OpenSSH_11.0"), {}),
        (replace(GOOD, identification="SSH-1.5-Cisco-1.25"), {"protocol-1": "medium"}),
        (replace(GOOD, identification="SSH-1.99-OpenSSH_9.9"), {}),
        (replace(GOOD, identification=""), {}),
        (replace(GOOD, host_keys=("ssh-dss", "ssh-ed25519")), {"dss": "low"}),
        (replace(GOOD, key_exchange=("diffie-hellman-group14-sha1",)), {"sha1-kex": "low"}),
        (replace(GOOD, key_exchange=("diffie-hellman-group14-sha256",)), {}),
        (replace(GOOD, ciphers=("aes128-cbc", "aes128-ctr")), {"old-ciphers": "low"}),
        (replace(GOOD, ciphers=("arcfour256",)), {"old-ciphers": "low"}),
        (replace(GOOD, ciphers=("rijndael-cbc@lysator.liu.se",)), {"old-ciphers": "low"}),
    ],
)
def test_ssh(fact: SshFact, expected: dict[str, str]) -> None:
    found = failures(check_ssh(Facts(ssh=(fact,)), NOW))
    assert found == {f"ssh/{key}": value for key, value in expected.items()}


def test_a_server_that_shows_no_algorithms_is_not_tested() -> None:
    assert states(check_ssh(Facts(ssh=(replace(GOOD, key_exchange=()),)), NOW)) == ["not_tested"]
