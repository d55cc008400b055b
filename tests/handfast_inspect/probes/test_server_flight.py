from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.server_flight import (
    ServerFlight,
    is_tls,
    read_flight,
    speaks_ssl2,
)


def record(kind: int, fragment: bytes, version: int = 0x0303) -> bytes:
    return struct.pack("!BHH", kind, version, len(fragment)) + fragment


def message(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + len(body).to_bytes(3, "big") + body


def hello(
    version: int = 0x0303, suite: int = 0xC02F, compression: int = 0, ext: bytes = b""
) -> bytes:
    body = struct.pack("!H", version) + bytes(32) + b"\x00" + struct.pack("!HB", suite, compression)
    return message(2, body + (struct.pack("!H", len(ext)) + ext if ext else b""))


def extension(kind: int, data: bytes) -> bytes:
    return struct.pack("!HH", kind, len(data)) + data


def test_a_hello_is_read_with_its_extensions() -> None:
    ext = extension(0xFF01, b"\x00") + extension(18, b"\x00\x08" + b"\x00\x02ab" * 2)
    flight = read_flight(record(22, hello(ext=ext)))
    assert (flight.version, flight.suite, flight.compression) == (0x0303, 0xC02F, 0)
    assert 0xFF01 in flight.extensions
    assert flight.sct_count == 2
    assert not flight.done


def test_messages_may_be_spread_over_records_and_share_one() -> None:
    whole = (
        hello() + message(11, b"certificates") + message(12, b"\x00\x02\x80\x01") + message(14, b"")
    )
    flight = read_flight(b"".join(record(22, whole[at : at + 7]) for at in range(0, len(whole), 7)))
    assert flight.done
    assert flight.dh_bits == 16


def test_tls_13_is_told_by_its_extension_and_ends_with_the_hello() -> None:
    flight = read_flight(record(22, hello(ext=extension(43, b"\x03\x04"))))
    assert flight.version == 0x0304
    assert flight.done


def test_an_alert_ends_the_flight() -> None:
    assert read_flight(record(21, b"\x02\x46")) == ServerFlight(alert=70, done=True)
    after_hello = read_flight(record(22, hello()) + record(21, b"\x02\x28"))
    assert (after_hello.version, after_hello.alert) == (0x0303, 40)


def test_encrypted_records_end_what_can_be_read() -> None:
    assert read_flight(record(22, hello()) + record(23, b"secret")).done


def test_what_is_cut_midway_is_not_done() -> None:
    data = record(22, hello() + message(14, b""))
    for end in range(len(data)):
        assert not read_flight(data[:end]).done


def test_a_prime_that_is_cut_has_no_size() -> None:
    assert read_flight(record(22, message(12, b"\x00\x09\x01"))).dh_bits is None
    assert ServerFlight().dh_bits is None


def test_ssl_2_and_tls_are_told_apart_by_their_first_bytes() -> None:
    ssl2 = b"\x80\x0b\x04\x00\x01\x00\x02" + bytes(6)
    assert speaks_ssl2(ssl2)
    assert speaks_ssl2(b"\x00\x0b\x00" + ssl2[2:])
    assert not speaks_ssl2(record(21, b"\x02\x46"))
    assert not speaks_ssl2(b"")
    assert is_tls(record(21, b"\x02\x46"))
    assert not is_tls(b"220 mail")
    assert not is_tls(ssl2)


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    flight = read_flight(data)
    assert flight.sct_count >= 0
    _ = flight.dh_bits
    speaks_ssl2(data)


@given(st.binary(max_size=200))
def test_any_handshake_is_read(data: bytes) -> None:
    for kind in (2, 12, 14):
        _ = read_flight(record(22, message(kind, data))).sct_count
