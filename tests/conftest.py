"""What holds for every test: no connection leaves the machine, and no test fails for being slow."""

from __future__ import annotations

import ipaddress
import sys

from hypothesis import HealthCheck, settings

settings.register_profile(
    "handfast",
    deadline=None,  # a busy machine is no bug
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("handfast")


class LeftTheMachine(BaseException):
    """A test tried to reach another machine; no handler of the code under test may swallow it."""


def is_local(host: str) -> bool:
    """True for a loopback address and for the name of this machine."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in {"", "localhost"}


def stay_on_loopback(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse every connection and datagram to another machine (PEP 578)."""
    if event not in {"socket.connect", "socket.sendto"}:
        return
    address = arguments[1]
    if isinstance(address, tuple) and isinstance(address[0], str) and not is_local(address[0]):
        raise LeftTheMachine(f"{event} to {address}: tests are offline")


def pytest_configure() -> None:
    sys.addaudithook(stay_on_loopback)
