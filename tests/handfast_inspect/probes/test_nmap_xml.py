from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.nmap_xml import NmapPort, read_nmap

REPORT = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nmaprun>
<nmaprun scanner="nmap" version="7.93"><host><status state="up"/>
<address addr="192.0.2.7" addrtype="ipv4"/><address addr="02:00:00:00:00:01" addrtype="mac"/>
<ports><port protocol="tcp" portid="22"><state state="open" reason="syn-ack"/>
<service name="ssh" product="OpenSSH" version="9.6p1" method="probed"/></port>
<port protocol="tcp" portid="443"><state state="open"/><service name="http" tunnel="ssl"/></port>
<port protocol="tcp" portid="81"><state state="closed"/></port>
<port protocol="udp" portid="53"><state state="open"/></port></ports></host>
<runstats><finished exit="success"/></runstats></nmaprun>"""


def test_tcp_ports_are_read_with_what_listens() -> None:
    report = read_nmap(REPORT)
    assert report.error == ""
    assert report.ports == (
        NmapPort("192.0.2.7", 22, "open", "ssh", "OpenSSH", "9.6p1"),
        NmapPort("192.0.2.7", 443, "open", "http", tls=True),
        NmapPort("192.0.2.7", 81, "closed"),
    )


def test_a_report_cut_midway_keeps_what_stands_before() -> None:
    report = read_nmap(REPORT[: REPORT.index(b'<port protocol="tcp" portid="81"')])
    assert [port.port for port in report.ports] == [22, 443]
    assert "not whole" in report.error


@pytest.mark.parametrize(
    "attack",
    [
        b'<!DOCTYPE x [<!ENTITY a "b">]><nmaprun>&a;</nmaprun>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><nmaprun>&a;</nmaprun>',
        b'<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1/">%a;]><nmaprun/>',
        b"",
        b"Starting Nmap 7.93",
        b"<" * 1000,
    ],
)
def test_entities_and_nonsense_are_refused(attack: bytes) -> None:
    report = read_nmap(attack)
    assert report.ports == ()
    assert report.error


@pytest.mark.parametrize("number", [b"0", b"65536", b"99999999999", b"-1", b"x", b"", "٣".encode()])
def test_a_port_that_is_none_is_left_out(number: bytes) -> None:
    ports = b'<port protocol="tcp" portid="' + number + b'"><state state="open"/></port>'
    assert read_nmap(b"<nmaprun>" + ports + b"</nmaprun>").ports == ()


def test_long_texts_are_cut() -> None:
    service = b'<state state="open"/><service name="x" product="' + b"y" * 9999 + b'"/>'
    report = read_nmap(b'<r><port protocol="tcp" portid="1">' + service + b"</port></r>")
    assert len(report.ports[0].product) == 200


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    read_nmap(data)


@given(st.integers(0, len(REPORT) - 1), st.integers(0, 255))
def test_a_damaged_report_is_read_or_refused(position: int, value: int) -> None:
    damaged = bytearray(REPORT)
    damaged[position] = value
    read_nmap(bytes(damaged))
