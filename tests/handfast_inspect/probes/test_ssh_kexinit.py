from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.ssh_kexinit import MAX_NAMES, SshHello, read_hello

LISTS = (
    "curve25519-sha256,diffie-hellman-group1-sha1",
    "ssh-ed25519,ssh-dss",
    "aes256-gcm@openssh.com,arcfour",
    "aes256-gcm@openssh.com,3des-cbc",
    "hmac-sha2-256",
    "hmac-md5",
    "none",
    "none",
    "",
    "",
)


def packet(lists: tuple[str, ...] = LISTS, kind: int = 20) -> bytes:
    payload = bytes([kind]) + bytes(16)
    payload += b"".join(struct.pack("!I", len(names)) + names.encode() for names in lists)
    payload += bytes(5)
    padding = 8 - (len(payload) + 5) % 8 + 8
    return struct.pack("!IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


def test_identification_and_algorithms_are_read() -> None:
    assert read_hello(b"SSH-2.0-OpenSSH_9.6 Debian\r\n" + packet()) == SshHello(
        "SSH-2.0-OpenSSH_9.6 Debian",
        key_exchange=("curve25519-sha256", "diffie-hellman-group1-sha1"),
        host_keys=("ssh-ed25519", "ssh-dss"),
        ciphers=("aes256-gcm@openssh.com", "arcfour", "3des-cbc"),
        macs=("hmac-sha2-256", "hmac-md5"),
        complete=True,
    )


def test_lines_before_the_identification_are_passed_over() -> None:
    hello = read_hello(b"Welcome\r\nto the jungle\nSSH-1.99-x\n" + packet())
    assert hello.identification == "SSH-1.99-x"
    assert hello.complete


def test_what_is_cut_midway_is_not_complete() -> None:
    data = b"SSH-2.0-x\r\n" + packet()
    for end in range(len(data)):
        assert not read_hello(data[:end]).complete
    assert read_hello(data[:4]).identification == "SSH-"


def test_another_packet_and_lying_lengths_are_no_algorithms() -> None:
    line = b"SSH-2.0-x\r\n"
    assert not read_hello(line + packet(kind=21)).complete
    assert not read_hello(line + packet(LISTS[:4])).complete
    assert not read_hello(line + b"\xff\xff\xff\xff" + bytes(100)).complete
    assert not read_hello(line + b"\x00\x00\x00\x02\xff" + bytes(100)).complete


def test_names_are_capped() -> None:
    many = ",".join(f"a{n}" for n in range(1000))
    assert len(read_hello(b"SSH-2.0-x\n" + packet((many, *LISTS[1:]))).key_exchange) == MAX_NAMES


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    read_hello(data)
    read_hello(b"SSH-2.0-x\r\n" + data)
