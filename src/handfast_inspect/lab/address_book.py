"""Where every site of a laboratory stands: names to addresses, ports and URLs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from handfast_inspect.lab.site import Service, ServiceKind, Site

_DEFAULT_PORT: Final = {ServiceKind.HTTP: 80, ServiceKind.HTTPS: 443}


class AddressBook:
    """A read-only index of sites by their names and aliases."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self.sites = tuple(sites)
        self._by_name = {name: site for site in self.sites for name in (site.name, *site.aliases)}

    def site(self, name: str) -> Site:
        """Finds a site by its name or alias.

        Raises:
            KeyError: The laboratory has no such site.
        """
        return self._by_name[name]

    def address(self, name: str) -> str:
        """The address of a site, by name or alias."""
        return self.site(name).address

    def port(self, name: str, kind: ServiceKind) -> int:
        """The port of one service of a site.

        Raises:
            KeyError: The site has no such service.
        """
        port = self.site(name).port(kind)
        if port is None:
            raise KeyError(f"{name} has no {kind} service")
        return port

    def url(self, name: str, kind: ServiceKind, path: str = "/") -> str:
        """Makes the URL of a path on a site; `kind` is `HTTP` or `HTTPS`."""
        port = self.port(name, kind)
        authority = name if port == _DEFAULT_PORT[kind] else f"{name}:{port}"
        return f"{kind}://{authority}{path}"

    def services(self) -> tuple[tuple[Site, Service], ...]:
        """Every listening service with its site."""
        return tuple((site, service) for site in self.sites for service in site.services)
