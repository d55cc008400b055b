"""The files that let an inspection loose on a laboratory, and on nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from handfast import UserError
from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.site import DOMAIN, STANDARD_PORTS, ServiceKind, Site

SCOPE_FILE: Final = "scope.toml"
CA_FILE: Final = "ca.pem"

_VALID_DAYS: Final = 7


def write_scope_files(
    folder: Path,
    book: AddressBook,
    resolver: tuple[str, int],
    ca_pem: bytes,
    now: datetime,
) -> Path:
    """Writes `scope.toml` and `ca.pem` into a folder.

    Args:
        folder: Where to; made if it is not there.
        book: The sites.
        resolver: The name server that knows them, as address and port.
        ca_pem: The certificate to trust.
        now: The day of the authorisation.

    Returns:
        The path of the scope file.

    Raises:
        UserError: The folder cannot be written.
    """
    scope = folder / SCOPE_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CA_FILE).write_bytes(ca_pem)
        scope.write_text(scope_text(book, resolver, now), encoding="utf-8")
    except OSError as error:
        raise UserError(f"The laboratory cannot write {folder}: {error.strerror}") from error
    return scope


def scope_text(book: AddressBook, resolver: tuple[str, int], now: datetime) -> str:
    """Writes the text of a scope file in which each site in scope is named with its ports.

    Args:
        book: The sites.
        resolver: The name server to ask, as address and port.
        now: The day of the authorisation.
    """
    servers = [f"{resolver[0]}:{resolver[1]}"]
    servers += [f"{site.address}:{port}" for site, port in _name_servers(book)]
    addresses = sorted({site.address for site in book.sites if site.address and site.in_scope})
    targets = [line for site in book.sites if site.in_scope for line in _target_lines(site, book)]
    return "\n".join(
        [
            "# Written by `handfast lab`: everything here is on loopback.",
            'probes = ["passive", "read", "consent"]',
            "targets = [",
            *targets,
            "]",
            f"name_servers = [{_quoted(dict.fromkeys(servers))}]",
            f"allow_private = [{_quoted(addresses)}]",
            "",
            "[authorisation]",
            'by = "handfast lab"',
            'contact = "the person at this keyboard"',
            f"date = {now:%Y-%m-%d}",
            f"valid_until = {now + timedelta(days=_VALID_DAYS):%Y-%m-%d}",
            'reference = "a laboratory on loopback"',
            "",
            "[rate]",
            "requests_per_second = 200",
            "concurrency = 16",
            "",
        ]
    )


def _name_servers(book: AddressBook) -> Iterator[tuple[Site, int]]:
    for site in book.sites:
        port = site.port(ServiceKind.DNS)
        if port is not None:
            yield site, port


def _target_lines(site: Site, book: AddressBook) -> Iterator[str]:
    ports = {service.port for service in site.services} | set(_web_ports(site, book))
    for name in (site.name, *site.aliases):
        yield f'    {{ host = "{name}", ports = {sorted(ports)} }},'


def _web_ports(site: Site, book: AddressBook) -> list[int]:
    """The ports on which the web would be spoken, open or not: a closed one is a finding too."""
    elsewhere = site if site.services else book.site(f"good.{DOMAIN}")
    first = elsewhere.services[0]
    base = first.port - STANDARD_PORTS[first.kind]
    return [base + STANDARD_PORTS[kind] for kind in (ServiceKind.HTTP, ServiceKind.HTTPS)]


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)
