from __future__ import annotations

from handfast_inspect.probes.port_names import PROTOCOLS, TOP_PORTS


def test_every_port_is_one_and_stands_once() -> None:
    assert len(TOP_PORTS) == len(set(TOP_PORTS))
    assert all(0 < port <= 65535 for port in TOP_PORTS)
    assert all(name == name.lower() and name for name in PROTOCOLS.values())


def test_what_must_not_be_reachable_is_looked_for() -> None:
    assert {23, 445, 2375, 3306, 3389, 5432, 5900, 6379, 9200, 11211, 27017} <= set(TOP_PORTS)
