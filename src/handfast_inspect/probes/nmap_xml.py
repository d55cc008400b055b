"""Reading nmap's XML (`-oX`), whole or cut midway, without trusting a byte of it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException

MAX_XML: Final = 8 * 1024 * 1024
"""Bytes that are read."""

MAX_PORTS: Final = 65_535
"""Ports kept in all."""

_MAX_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class NmapPort:
    """One port of one host."""

    address: str
    port: int
    state: str
    """`open`, `closed`, `filtered`, or one of nmap's mixtures of these."""
    service: str = ""
    product: str = ""
    version: str = ""
    tls: bool = False
    """nmap found TLS from the first byte."""


@dataclass(frozen=True, slots=True)
class NmapReport:
    """What a scan says."""

    ports: tuple[NmapPort, ...]
    error: str = ""
    """Why the document is not whole; what stands before the break is kept."""


def read_nmap(document: bytes) -> NmapReport:
    """Reads a report.

    Args:
        document: nmap's standard output.

    Returns:
        Every port that was reported before the document ended or broke.
    """
    ports: list[NmapPort] = []
    address = ""
    error = ""
    try:
        stream = io.BytesIO(document[:MAX_XML])
        for _, element in defusedxml.ElementTree.iterparse(stream, events=("end",)):
            if element.tag == "address" and element.get("addrtype") in {"ipv4", "ipv6"}:
                address = _text(element, "addr")
            elif element.tag == "port" and len(ports) < MAX_PORTS:
                ports += _port(element, address)
            elif element.tag == "host":
                element.clear()
    except (ParseError, DefusedXmlException, LookupError, ValueError) as problem:
        error = f"the report is not whole: {problem}"[:_MAX_TEXT]
    return NmapReport(tuple(ports), error)


def _port(element: Element, address: str) -> list[NmapPort]:
    number = element.get("portid", "")
    state = element.find("state")
    if element.get("protocol") != "tcp" or not number.isascii() or not number.isdecimal():
        return []
    if len(number) > 5 or not 0 < int(number) <= MAX_PORTS or state is None:  # noqa: PLR2004 - digits of a port
        return []
    service = element.find("service")
    if service is None:
        return [NmapPort(address, int(number), _text(state, "state"))]
    return [
        NmapPort(
            address,
            int(number),
            _text(state, "state"),
            _text(service, "name"),
            _text(service, "product"),
            _text(service, "version"),
            tls=service.get("tunnel") == "ssl",
        )
    ]


def _text(element: Element, name: str) -> str:
    return element.get(name, "")[:_MAX_TEXT]
