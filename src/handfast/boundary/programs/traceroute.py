"""traceroute of Dmitry Butskoy: the path to one host, at an ordinary pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from handfast.boundary.command_options import Option, integer, parse_options, within
from handfast.boundary.command_targets import host_in_scope, port_in_scope
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

_FLAGS = {"-n": "numeric", "-F": "no_fragments", "-e": "extensions"}
_LONG_FLAGS = {"--dont-fragment": "no_fragments", "--extensions": "extensions"}
Method: TypeAlias = Literal["default", "icmp", "tcp", "udp"]
"""What the probes are; `default` sends UDP to ports that nobody listens on."""

_METHODS: dict[str, Method] = {
    "-I": "icmp",
    "--icmp": "icmp",
    "-T": "tcp",
    "--tcp": "tcp",
    "-U": "udp",
    "--udp": "udp",
}
_VALUES = {
    "-q": "queries",
    "--queries": "queries",
    "-m": "max_hops",
    "--max-hops": "max_hops",
    "-f": "first_hop",
    "--first": "first_hop",
    "-w": "wait",
    "--wait": "wait",
    "-N": "at_once",
    "--sim-queries": "at_once",
    "-z": "pause",
    "--sendwait": "pause",
    "-p": "port",
    "--port": "port",
}
_OPTIONS = {
    **{spelling: Option(name) for spelling, name in (_FLAGS | _LONG_FLAGS).items()},
    **{spelling: Option(name) for spelling, name in _METHODS.items()},
    **{spelling: Option(name, value=True) for spelling, name in _VALUES.items()},
    "-4": Option("4"),
    "-6": Option("6"),
}
_MAX_PACKET = 1_500
_MAX_OPERANDS = 2
# Where the default method sends its probes to, one port further each (traceroute(8)).
_UNUSED_PORTS = range(33_434, 33_535)
_DEFAULT_PORTS = {"tcp": 80, "udp": 53}


@dataclass(frozen=True, slots=True)
class Traceroute:
    """What traceroute may be asked to do."""

    host: str
    method: Method = "default"
    queries: int = 3
    """Probes for each hop."""
    max_hops: int = 30
    first_hop: int = 1
    wait: float = 5.0
    """Seconds to wait for each probe."""
    at_once: int = 16
    """Probes in flight."""
    pause: float | None = None
    """Seconds between probes."""
    port: int | None = None
    """Destination port, the first one for the default method; must be in scope if it has a use."""
    packet_length: int | None = None
    """Bytes of each probe."""
    family: Literal[4, 6] | None = None
    flags: frozenset[str] = frozenset({"numeric"})
    """Of numeric, no_fragments, extensions."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: Host or port is out of scope, or a number is out of its limits.
        """
        host = host_in_scope("traceroute", self.host, scope)
        self._check_numbers()
        spellings = {name: spelling for spelling, name in _FLAGS.items()}
        if not self.flags <= spellings.keys():
            raise CommandRefused(f"traceroute: unknown flags {sorted(self.flags)}")
        args = [spellings[name] for name in sorted(self.flags)]
        args += [f"-{self.family}"] if self.family else []
        args += self._method(host, scope)
        args += ["-q", str(self.queries), "-m", str(self.max_hops), "-f", str(self.first_hop)]
        args += ["-w", f"{self.wait:g}", "-N", str(self.at_once)]
        args += [] if self.pause is None else ["-z", f"{self.pause:g}"]
        args += ["--", host]
        return (*args, *([] if self.packet_length is None else [str(self.packet_length)]))

    def _method(self, host: str, scope: Scope) -> list[str]:
        if self.method not in _DEFAULT_PORTS:
            if self.port is not None and self.method == "icmp":
                raise CommandRefused("traceroute: ICMP has no ports")
            if self.port is not None and self.port not in _UNUSED_PORTS:
                port_in_scope("traceroute", host, self.port, scope)
            first = [] if self.port is None else ["-p", str(self.port)]
            return ["-I"] if self.method == "icmp" else first
        port = self.port or _DEFAULT_PORTS[self.method]
        port_in_scope("traceroute", host, port, scope)
        return ["-T" if self.method == "tcp" else "-U", "-p", str(port)]

    def _check_numbers(self) -> None:
        for name, value, low, high in (
            ("queries", self.queries, 1, 5),
            ("max_hops", self.max_hops, 1, 64),
            ("first_hop", self.first_hop, 1, 64),
            ("wait", self.wait, 0.1, 10),
            ("at_once", self.at_once, 1, 16),
            ("pause", self.pause, 0, 10),
            ("packet_length", self.packet_length, 1, _MAX_PACKET),
        ):
            within("traceroute", name, value, low, high)


def parse_traceroute(args: Sequence[str]) -> Traceroute:
    """Reads arguments of traceroute.

    Raises:
        CommandRefused: They have anything that `Traceroute` has no field for.
    """
    found = parse_options("traceroute", args, _OPTIONS)
    if not 1 <= len(found.operands) <= _MAX_OPERANDS:
        raise CommandRefused("traceroute: one target and at most a packet length")
    length = found.operands[1:]
    methods = found.flags(_METHODS.values())
    if len(methods) > 1 or (found.has("4") and found.has("6")):
        raise CommandRefused("traceroute: one method and one IP version at a time")
    method: Method = "default"
    for name in _METHODS.values():
        method = name if name in methods else method
    standard = Traceroute(found.operands[0])
    return Traceroute(
        host=found.operands[0],
        method=method,
        queries=found.integer("queries", 1, 5) or standard.queries,
        max_hops=found.integer("max_hops", 1, 64) or standard.max_hops,
        first_hop=found.integer("first_hop", 1, 64) or standard.first_hop,
        wait=found.decimal("wait", 0.1, 10) or standard.wait,
        at_once=found.integer("at_once", 1, 16) or standard.at_once,
        pause=found.decimal("pause", 0, 10),
        port=found.integer("port", 1, 65_535),
        packet_length=(
            integer("traceroute", "packet length", length[0], 1, _MAX_PACKET) if length else None
        ),
        family=4 if found.has("4") else 6 if found.has("6") else None,
        flags=found.flags(_FLAGS.values()),
    )
