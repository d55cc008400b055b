"""ping of iputils: a few echo requests at an ordinary pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from handfast.boundary.command_options import Option, parse_options, within
from handfast.boundary.command_targets import host_in_scope
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

MAX_COUNT = 60
"""Echo requests in one run."""

_MIN_INTERVAL = 0.2
_MAX_SECONDS = 120.0
_MAX_SIZE = 1_472
_FLAGS = {"n": "numeric", "q": "quiet", "v": "verbose", "D": "timestamps", "O": "outstanding"}
_OPTIONS = {
    **{f"-{letter}": Option(name, repeats=True) for letter, name in _FLAGS.items()},
    "-c": Option("count", value=True),
    "-i": Option("interval", value=True),
    "-W": Option("timeout", value=True),
    "-w": Option("deadline", value=True),
    "-s": Option("size", value=True),
    "-t": Option("ttl", value=True),
    "-4": Option("4"),
    "-6": Option("6"),
}


@dataclass(frozen=True, slots=True)
class Ping:
    """What ping may be asked to do."""

    host: str
    count: int = 3
    """Echo requests to send."""
    interval: float = 1.0
    """Seconds between them."""
    timeout: float | None = None
    """Seconds to wait for each answer."""
    deadline: float | None = None
    """Seconds for the whole run."""
    size: int | None = None
    """Bytes of payload."""
    ttl: int | None = None
    family: Literal[4, 6] | None = None
    """IP version to use; the system's choice when None."""
    flags: frozenset[str] = frozenset({"numeric"})
    """Of numeric, quiet, verbose, timestamps, outstanding."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: The host is out of scope, or a number is out of its limits.
        """
        host = host_in_scope("ping", self.host, scope)
        within("ping", "count", self.count, 1, MAX_COUNT)
        within("ping", "interval", self.interval, _MIN_INTERVAL, 60)
        within("ping", "timeout", self.timeout, 0.1, 60)
        within("ping", "deadline", self.deadline, 1, _MAX_SECONDS)
        within("ping", "size", self.size, 0, _MAX_SIZE)
        within("ping", "ttl", self.ttl, 1, 255)
        letters = {name: letter for letter, name in _FLAGS.items()}
        if not self.flags <= letters.keys():
            raise CommandRefused(f"ping: unknown flags {sorted(self.flags - letters.keys())}")
        args = [f"-{letters[name]}" for name in sorted(self.flags)]
        args += [f"-{self.family}"] if self.family else []
        args += ["-c", str(self.count), "-i", f"{self.interval:g}"]
        for option, value in (
            ("-W", self.timeout),
            ("-w", self.deadline),
            ("-s", self.size),
            ("-t", self.ttl),
        ):
            args += [] if value is None else [option, f"{value:g}"]
        return (*args, "--", host)


def parse_ping(args: Sequence[str]) -> Ping:
    """Reads arguments of ping.

    Raises:
        CommandRefused: They have anything that `Ping` has no field for, or never end.
    """
    found = parse_options("ping", args, _OPTIONS)
    interval = found.decimal("interval", _MIN_INTERVAL, 60) or 1.0
    deadline = found.integer("deadline", 1, int(_MAX_SECONDS))
    count = found.integer("count", 1, MAX_COUNT)
    if count is None and deadline is None:
        raise CommandRefused("ping: without -c it never ends; give -c, for example -c 3")
    if found.has("4") and found.has("6"):
        raise CommandRefused("ping: -4 and -6 exclude each other")
    return Ping(
        host=found.single_operand(),
        count=count or MAX_COUNT,
        interval=interval,
        timeout=found.decimal("timeout", 0.1, 60),
        deadline=deadline,
        size=found.integer("size", 0, _MAX_SIZE),
        ttl=found.integer("ttl", 1, 255),
        family=4 if found.has("4") else 6 if found.has("6") else None,
        flags=found.flags(_FLAGS.values()),
    )
