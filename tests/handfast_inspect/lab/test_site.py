from __future__ import annotations

from itertools import combinations

from handfast_inspect.lab.site import STANDARD_PORTS, Service, ServiceKind, Site


def test_every_kind_has_a_standard_port() -> None:
    assert set(STANDARD_PORTS) == set(ServiceKind)


def test_any_two_standard_ports_differ_modulo_a_thousand() -> None:
    pairs = combinations(STANDARD_PORTS.values(), 2)
    assert all((one - other) % 1000 for one, other in pairs)


def test_a_site_knows_the_ports_of_its_services_only() -> None:
    site = Site("a.lab.example", "", "127.0.0.1", (Service(ServiceKind.HTTP, 8080),))
    assert site.port(ServiceKind.HTTP) == 8080
    assert site.port(ServiceKind.HTTPS) is None
