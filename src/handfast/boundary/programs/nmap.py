"""nmap: which ports are open, and what listens there; named harmless scripts alone.

nmap reads options with getopt_long_only and takes prefixes, one dash for two and underscores for
hyphens; it also knows undocumented options that read and write files. Here a spelling is either in
the table or refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from handfast.boundary.command_options import (
    END_OF_OPTIONS,
    Arguments,
    Option,
    check_arguments,
    integer,
    within,
)
from handfast.boundary.command_targets import ScanTarget, scan_targets, server_in_scope
from handfast.boundary.scope import Scope
from handfast.boundary.targets import ALL_PORTS, PortSet, TargetError, port_set
from handfast.errors import CommandRefused

HARMLESS_SCRIPTS = frozenset(
    {"ssl-cert", "http-title", "http-headers", "banner", "ssl-enum-ciphers"}
)
"""The scripts that may run: each reads what a client is shown anyway."""

Technique: TypeAlias = Literal["default", "connect", "syn", "udp", "ping", "list"]
"""How ports are looked at: `ping` only finds hosts, `list` sends nothing to them."""

_TECHNIQUES: dict[str, Technique] = {
    "T": "connect",
    "S": "syn",
    "U": "udp",
    "n": "ping",
    "L": "list",
}
_FLAGS = {
    "-n": "no_dns",
    "-R": "always_dns",
    "-r": "in_order",
    "--open": "open_only",
    "--reason": "reason",
    "--version-light": "version_light",
    "--unprivileged": "unprivileged",
    "--noninteractive": "noninteractive",
    "--no-stylesheet": "no_stylesheet",
    "--disable-arp-ping": "no_arp",
    "--system-dns": "system_dns",
    "--packet-trace": "packet_trace",
    "-d": "debug",
}
_LONG = {
    **{spelling: Option(name) for spelling, name in _FLAGS.items()},
    "--script": Option("scripts", value=True),
    "--top-ports": Option("top_ports", value=True),
    "--version-intensity": Option("version_intensity", value=True),
    "--max-retries": Option("max_retries", value=True),
    "--max-rate": Option("max_rate", value=True),
    "--min-rate": Option("min_rate", value=True),
    "--max-parallelism": Option("max_parallelism", value=True),
    "--max-hostgroup": Option("max_hostgroup", value=True),
    "--min-hostgroup": Option("min_hostgroup", value=True),
    "--min-parallelism": Option("min_parallelism", value=True),
    "--min-rtt-timeout": Option("min_rtt_timeout", value=True),
    "--stats-every": Option("stats_every", value=True),
    "--host-timeout": Option("host_timeout", value=True),
    "--script-timeout": Option("script_timeout", value=True),
    "--scan-delay": Option("scan_delay", value=True),
    "--max-scan-delay": Option("max_scan_delay", value=True),
    "--initial-rtt-timeout": Option("initial_rtt_timeout", value=True),
    "--max-rtt-timeout": Option("max_rtt_timeout", value=True),
    "--exclude": Option("exclude", value=True),
    "--exclude-ports": Option("exclude_ports", value=True),
    "--dns-servers": Option("dns_servers", value=True),
    "--verbose": Option("verbose", repeats=True),
}
_TIMES = (
    "host_timeout",
    "script_timeout",
    "scan_delay",
    "max_scan_delay",
    "initial_rtt_timeout",
    "max_rtt_timeout",
    "min_rtt_timeout",
    "stats_every",
)
_COUNTS = {
    "top_ports": 65_535,
    "version_intensity": 7,
    "max_retries": 10,
    "max_rate": 1_000,
    "min_rate": 100,
    "max_parallelism": 100,
    "min_parallelism": 10,
    "max_hostgroup": 256,
    "min_hostgroup": 64,
}
_OUTPUTS: dict[str, Literal["normal", "xml", "grepable"]] = {
    "-oN": "normal",
    "-oX": "xml",
    "-oG": "grepable",
}
_TIMINGS = {"paranoid": 0, "sneaky": 1, "polite": 2, "normal": 3, "aggressive": 4}
_MAX_TIMING = 4
_VERBOSITIES = frozenset("123")
_MAX_MILLISECONDS = 3_600_000
_TIME = re.compile(r"([1-9][0-9]{0,6})(ms|s|m|h)?", re.ASCII)
_MILLISECONDS = {"ms": 1, None: 1_000, "s": 1_000, "m": 60_000, "h": 3_600_000}
_PORT_ITEM = re.compile(r"(?:([TU]):)?([1-9][0-9]{0,4})?(-)?([1-9][0-9]{0,4})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Nmap:
    """What nmap may be asked to do."""

    targets: tuple[str, ...]
    """Names, addresses, blocks, ranges in octets; each wholly in scope."""
    ports: str | None = None
    """Ports as nmap writes them (`80,443,8000-8010`, `T:80,U:53`); those in scope when None."""
    technique: tuple[Technique, ...] = ("default",)
    scripts: tuple[str, ...] = ()
    """Of `HARMLESS_SCRIPTS`."""
    detect_versions: bool = False
    assume_up: bool = False
    """Whether hosts that answer no ping are scanned too."""
    fast: bool = False
    """Whether only the hundred most common ports are scanned."""
    timing: int | None = None
    """Timing template from 0 to 4."""
    counts: tuple[tuple[str, int], ...] = ()
    """Limits by name: top_ports, version_intensity, max_retries, max_rate, min_rate,
    max_parallelism, min_parallelism, max_hostgroup, min_hostgroup."""
    times: tuple[tuple[str, int], ...] = ()
    """Milliseconds by name: host_timeout, script_timeout, scan_delay, max_scan_delay,
    initial_rtt_timeout, max_rtt_timeout, min_rtt_timeout, stats_every."""
    discovery: tuple[str, ...] = ()
    """How hosts are found: `E` (ICMP echo), `S443` or `A80` (TCP SYN or ACK to ports)."""
    exclude: tuple[str, ...] = ()
    """Hosts to leave out; in scope too, since nmap looks their names up."""
    exclude_ports: str | None = None
    dns_servers: tuple[str, ...] = ()
    """Resolvers in scope; the system's when empty."""
    ipv6: bool = False
    output: Literal["normal", "xml", "grepable"] = "normal"
    """What is written to standard output."""
    verbosity: int = 0
    flags: frozenset[str] = frozenset()
    """Of no_dns, always_dns, in_order, open_only, reason, version_light, debug, unprivileged,
    noninteractive, no_stylesheet, no_arp, system_dns, packet_trace."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: A target, port, script or resolver is not allowed, or a number is out
                of its limits.
        """
        targets = scan_targets("nmap", self.targets, scope)
        if any(target.version not in {0, 6 if self.ipv6 else 4} for target in targets):
            raise CommandRefused("nmap: IPv6 addresses need ipv6 (-6), IPv4 ones exclude it")
        args = ["-6"] if self.ipv6 else []
        args += self._techniques()
        args += ["-sV"] if self.detect_versions else []
        args += ["-Pn"] if self.assume_up else []
        args += self._discovery(targets)
        args += self._ports(targets)
        args += self._scripts()
        args += self._limits()
        args += self._hosts(scope)
        args += self._output()
        return (*args, "--", *(target.text for target in targets))

    def _techniques(self) -> list[str]:
        letters = {name: letter for letter, name in _TECHNIQUES.items()}
        if self.technique == ("default",):
            return []
        alone = {"ping", "list"} & set(self.technique)
        if not set(self.technique) <= letters.keys() or (alone and len(self.technique) > 1):
            raise CommandRefused(f"nmap: {', '.join(self.technique)} is no combination of scans")
        return [f"-s{letters[name]}" for name in dict.fromkeys(self.technique)]

    def _discovery(self, targets: Sequence[ScanTarget]) -> list[str]:
        for probe in self.discovery:
            if probe[:1] in {"S", "A"} and probe[1:]:
                _check_ports(probe[1:], _common_ports(targets))
            elif probe not in {"E", "S", "A"}:
                raise CommandRefused(f"nmap: {probe!r} is no way to find hosts: E, S443, A80")
        return [f"-P{probe}" for probe in dict.fromkeys(self.discovery)]

    def _ports(self, targets: Sequence[ScanTarget]) -> list[str]:
        if {"ping", "list"} & set(self.technique):
            if self.ports is not None or self.fast:
                raise CommandRefused("nmap: a scan without ports takes no ports")
            return []
        allowed = _common_ports(targets)
        common = self.fast or "top_ports" in dict(self.counts)
        if self.ports is not None:
            _check_ports(self.ports, allowed)
            return ["-p", self.ports] if not common else _refuse_two_port_choices()
        if allowed == ALL_PORTS:
            return ["-F"] if self.fast else []
        if common:
            raise CommandRefused(f"nmap: the most common ports are not all in scope ({allowed})")
        return ["-p", str(allowed).replace(" ", "")]

    def _scripts(self) -> list[str]:
        for script in self.scripts:
            if script not in HARMLESS_SCRIPTS:
                known = ", ".join(sorted(HARMLESS_SCRIPTS))
                raise CommandRefused(f"nmap: the script {script!r} is not one of {known}")
        return ["--script", ",".join(self.scripts)] if self.scripts else []

    def _limits(self) -> list[str]:
        args: list[str] = []
        if self.timing is not None:
            within("nmap", "timing", self.timing, 0, _MAX_TIMING)
            args.append(f"-T{self.timing}")
        for name, value in self.counts:
            if name not in _COUNTS:
                raise CommandRefused(f"nmap: unknown limit {name}")
            within("nmap", name, value, 0 if name != "top_ports" else 1, _COUNTS[name])
            args += [f"--{name.replace('_', '-')}", str(value)]
        for name, value in self.times:
            if name not in _TIMES:
                raise CommandRefused(f"nmap: unknown time {name}")
            within("nmap", name, value, 1, _MAX_MILLISECONDS)
            args += [f"--{name.replace('_', '-')}", f"{value}ms"]
        return args

    def _hosts(self, scope: Scope) -> list[str]:
        args: list[str] = []
        if self.exclude:
            excluded = scan_targets("nmap", self.exclude, scope)
            args += ["--exclude", ",".join(target.text for target in excluded)]
        if self.exclude_ports is not None:
            _check_ports(self.exclude_ports, ALL_PORTS)
            args += ["--exclude-ports", self.exclude_ports]
        if self.dns_servers:
            servers = [server_in_scope("nmap", server, scope) for server in self.dns_servers]
            args += ["--dns-servers", ",".join(servers)]
        return args

    def _output(self) -> list[str]:
        spellings = {name: spelling for spelling, name in _FLAGS.items()}
        if not self.flags <= spellings.keys():
            raise CommandRefused(f"nmap: unknown flags {sorted(self.flags - spellings.keys())}")
        within("nmap", "verbosity", self.verbosity, 0, 3)
        args = [spellings[name] for name in sorted(self.flags)] + ["-v"] * self.verbosity
        names = {name: spelling for spelling, name in _OUTPUTS.items()}
        return args if self.output == "normal" else [*args, names[self.output], "-"]


def _refuse_two_port_choices() -> list[str]:
    raise CommandRefused("nmap: ports are chosen twice; give -p, -F or --top-ports")


def _common_ports(targets: Sequence[ScanTarget]) -> PortSet:
    common = ALL_PORTS
    for target in targets:
        common = common.intersection(target.ports)
    if not common.ranges:
        raise CommandRefused("nmap: the targets have no port in common; scan them one by one")
    return common


def _check_ports(text: str, allowed: PortSet) -> None:
    ranges: list[str] = []
    for item in text.split(","):
        match = _PORT_ITEM.fullmatch(item)
        if (
            match is None
            or not (match.group(2) or match.group(3))
            or (match.group(4) and not match.group(3))
        ):
            raise CommandRefused(f"nmap: {item!r} is no port; write for example 80,443,8000-8010")
        low, dash, high = match.group(2) or "1", match.group(3), match.group(4)
        ranges.append(f"{low}-{high or '65535'}" if dash else low)
    try:
        wanted = port_set(ranges)
    except TargetError as error:
        raise CommandRefused(f"nmap: {error}") from error
    if not allowed.covers(wanted):
        raise CommandRefused(f"nmap: the ports {text} are not all in scope ({allowed})")


def parse_nmap(args: Sequence[str]) -> Nmap:
    """Reads arguments of nmap.

    Raises:
        CommandRefused: They have anything that `Nmap` has no field for.
    """
    check_arguments("nmap", args)
    found = Arguments("nmap")
    rest = list(args)
    while rest:
        token = rest.pop(0)
        if token == END_OF_OPTIONS:
            break
        if token.startswith("--") or token in _FLAGS:
            _long(found, token, rest)
        elif token in _OUTPUTS:
            _output(found, token, rest)
        elif token.startswith("-"):
            _short(found, token, rest)
        else:
            found.operands.append(token)
    found.operands += rest
    return _nmap(found)


def _nmap(found: Arguments) -> Nmap:
    names = {name: "-" + name for name in ("dns_servers", "exclude", "scripts")}
    lists = {name: tuple((found.get(name) or "").split(",")) for name in names if found.has(name)}
    letters = "".join(found.values.get("scan", []))
    technique: tuple[Technique, ...] = tuple(
        _TECHNIQUES[letter] for letter in letters if letter != "V"
    )
    return Nmap(
        targets=tuple(found.operands),
        ports=found.get("ports"),
        technique=technique or ("default",),
        scripts=lists.get("scripts", ()),
        detect_versions="V" in letters,
        assume_up=found.has("assume_up"),
        fast=found.has("fast"),
        timing=_timing(found.get("timing")),
        counts=_counts(found),
        times=tuple(
            (name, _milliseconds(name, value))
            for name in _TIMES
            if (value := found.get(name)) is not None
        ),
        discovery=tuple(found.values.get("discovery", [])),
        exclude=lists.get("exclude", ()),
        exclude_ports=found.get("exclude_ports"),
        dns_servers=lists.get("dns_servers", ()),
        ipv6=found.has("ipv6"),
        output=_OUTPUTS[found.get("output") or "-oN"],
        verbosity=min(len(found.values.get("verbose", [])), 3),
        flags=found.flags(_FLAGS.values()),
    )


def _counts(found: Arguments) -> tuple[tuple[str, int], ...]:
    return tuple(
        (name, integer("nmap", name, text, 0, high))
        for name, high in _COUNTS.items()
        if (text := found.get(name)) is not None
    )


def _long(found: Arguments, token: str, rest: list[str]) -> None:
    spelling, equals, value = token.partition("=")
    option = _LONG.get(spelling)
    if option is None:
        raise CommandRefused(f"nmap: the option {spelling} is not understood")
    if not option.value:
        if equals:
            raise CommandRefused(f"nmap: {spelling} takes no value")
        found.add(option)
        return
    if not equals and not rest:
        raise CommandRefused(f"nmap: {spelling} needs a value")
    found.add(option, value if equals else rest.pop(0))


def _output(found: Arguments, token: str, rest: list[str]) -> None:
    if not rest or rest.pop(0) not in {"-", "/dev/null"}:
        raise CommandRefused(f"nmap: {token} may write to standard output alone: {token} -")
    found.add(Option("output"), token)


def _short(found: Arguments, token: str, rest: list[str]) -> None:
    letter, glued = token[1:2], token[2:]
    if token in {"-6", "-F", "-Pn"}:
        found.add(Option({"-6": "ipv6", "-F": "fast", "-Pn": "assume_up"}[token]))
    elif letter == "s" and glued and set(glued) <= {*_TECHNIQUES, "V"}:
        found.add(Option("scan", repeats=True), glued)
    elif letter == "v" and (not glued.strip("v") or glued in _VERBOSITIES):
        for _ in range(int(glued)) if glued in _VERBOSITIES else token[1:]:
            found.add(Option("verbose", repeats=True))
    elif letter == "P" and glued:
        found.add(Option("discovery", repeats=True), glued)
    elif letter in {"p", "T"} and (glued or rest):
        found.add(Option({"p": "ports", "T": "timing"}[letter]), glued or rest.pop(0))
    else:
        raise CommandRefused(f"nmap: the option {token} is not understood")


def _timing(text: str | None) -> int | None:
    if text is None or text in _TIMINGS:
        return None if text is None else _TIMINGS[text]
    return integer("nmap", "timing", text, 0, _MAX_TIMING)


def _milliseconds(name: str, text: str) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise CommandRefused(f"nmap: {name} must be a time as 500ms, 30s or 5m, not {text}")
    return int(match.group(1)) * _MILLISECONDS[match.group(2)]
