"""What may be inspected, by whom it was authorised, and how hard: `scope.toml` as frozen data.

    probes = ["passive", "read"]            # and "consent" for what needs the owner's word
    ports = [80, 443]                       # default for every target
    targets = [
        "example.org",                      # this name
        "*.example.org",                    # the names below it
        "203.0.113.8/29",                   # a block, or a single address
        { host = "git.example.org", ports = [22, "8000-8010"] },
    ]
    name_servers = ["9.9.9.9"]              # who may be asked besides the system's resolver
    allow_private = ["127.0.0.1"]           # lifts the default denial, for these addresses alone

    [authorisation]
    by = "Ada Lovelace"
    contact = "ada@example.org"
    date = 2026-11-30
    valid_until = 2026-12-31
    reference = "SEC-42"

    [rate]
    requests_per_second = 5
    concurrency = 4

    [budget]
    seconds = 900
    requests = 2_000
    bytes = 50_000_000

A scope never widens: `narrow` is the only way to make another one from it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from handfast.boundary.addresses import (
    Address,
    AddressKind,
    Network,
    classify,
    has_zone,
    parse_address,
    special_blocks,
)
from handfast.boundary.hostnames import HostError, local_name_reason, normalise_host
from handfast.boundary.mandate import Authorisation
from handfast.boundary.targets import (
    ALL_PORTS,
    NetworkTarget,
    PortSet,
    Target,
    TargetError,
    lies_in,
    parse_network,
    parse_target,
    port_set,
    union,
)
from handfast.boundary.toml_table import TomlTable
from handfast.boundary.urls import Destination, parse_url
from handfast.errors import EgressDenied, ScopeError

ProbeClass: TypeAlias = Literal["passive", "read", "consent"]
"""How far a probe goes: asks third parties, reads what is public, needs the owner's own word."""

DEFAULT_WEB_PORTS = port_set([80, 443, 8080, 8443])
"""The ports of a target that names none, and those of the policy without a scope."""

MAX_SCOPE_FILE = 1_000_000
"""Bytes of a scope file; a larger one is no scope."""

_PROBES: tuple[ProbeClass, ...] = get_args(ProbeClass)


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a target may be asked."""

    requests_per_second: float = 5.0
    """Requests a second to one host."""
    concurrency: int = 4
    """Connections at once."""

    def narrowed(self, other: Rate) -> Rate:
        """The slower of two rates, field by field."""
        return Rate(
            min(self.requests_per_second, other.requests_per_second),
            min(self.concurrency, other.concurrency),
        )


@dataclass(frozen=True, slots=True)
class ScopeBudget:
    """How much an inspection may use; always finite."""

    seconds: float = 900.0
    """Wall time."""
    requests: int = 2_000
    """Requests and connections."""
    bytes: int = 50_000_000
    """Bytes received."""

    def narrowed(self, other: ScopeBudget) -> ScopeBudget:
        """The smaller of two budgets, field by field."""
        return ScopeBudget(
            min(self.seconds, other.seconds),
            min(self.requests, other.requests),
            min(self.bytes, other.bytes),
        )


@dataclass(frozen=True, slots=True)
class NameServer:
    """A DNS server that may be asked."""

    address: Address
    port: int = 53


@dataclass(frozen=True, slots=True)
class ScopeVerdict:
    """Whether something is in scope, and why."""

    allow: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be inspected. Make one with `load_scope` or `parse_scope`."""

    authorisation: Authorisation
    """Who allowed it."""
    targets: tuple[Target, ...]
    """What was allowed; never empty."""
    probes: frozenset[ProbeClass]
    """The classes of probe that were allowed."""
    rate: Rate = field(default_factory=Rate)
    """How fast."""
    budget: ScopeBudget = field(default_factory=ScopeBudget)
    """How much."""
    name_servers: tuple[NameServer, ...] = ()
    """DNS servers that may be asked; empty for the system's resolver alone."""
    allow_private: tuple[Network, ...] = ()
    """Addresses that are reachable although they are not public."""

    def covers_name(self, host: str) -> bool:
        """Whether a target names this host; an address or a malformed name never is."""
        return any(target.covers_name(_name(host)) for target in self.targets)

    def covers_address(self, address: Address | str) -> bool:
        """Whether a block of the scope has this address, and it may be reached at all."""
        found = parse_address(address) if isinstance(address, str) else address
        return (
            found is not None
            and any(target.covers_address(found) for target in self.targets)
            and self.address_refusal(found) is None
        )

    def covers_network(self, network: Network) -> bool:
        """Whether a whole block lies in one block of the scope, and all of it may be reached."""
        return bool(self.ports_of_network(network)) and self.network_refusal(network) is None

    def ports_of_network(self, network: Network) -> tuple[PortSet, ...]:
        """The ports of every target that holds a whole block; empty when none does."""
        return tuple(
            target.ports
            for target in self.targets
            if isinstance(target, NetworkTarget) and lies_in(network, target.network)
        )

    def network_refusal(self, network: Network) -> str | None:
        """Says why a block has an address that may not be reached, None when it has none."""
        for block, found in special_blocks(network):
            inner = network if lies_in(network, block) else block
            if not self._lifts(inner, found.kind):
                return f"{inner} is not public: {found.reason}"
        return None

    def _lifts(self, inner: Network, kind: AddressKind) -> bool:
        return any(
            lies_in(inner, network)
            for network in self.allow_private
            if kind is not AddressKind.METADATA or network.num_addresses == 1
        )

    def covers_port(self, host: str | Address, port: int) -> bool:
        """Whether a target that covers this host (a name or an address) has this port."""
        return any(port in ports for ports in self.ports_of(host))

    def ports_of(self, host: str | Address) -> tuple[PortSet, ...]:
        """The ports of every target that covers a host; empty when it is out of scope."""
        address = parse_address(host) if isinstance(host, str) else host
        if address is not None:
            covering = (t for t in self.targets if t.covers_address(address))
        else:
            name = _name(str(host))
            covering = (t for t in self.targets if t.covers_name(name))
        return tuple(target.ports for target in covering)

    def covers_name_server(self, address: Address, port: int = 53) -> bool:
        """Whether a DNS server may be asked: it is listed, or it is a target on that port."""
        if NameServer(address, port) in self.name_servers:
            return True
        return port in DNS_PORTS and self.covers_address(address)

    def permits(self, probe: ProbeClass) -> bool:
        """Whether probes of this class were allowed."""
        return probe in self.probes

    def address_refusal(self, address: Address) -> str | None:
        """Says why an address may not be reached, None when it may.

        A metadata or host service of a cloud has to be named itself in `allow_private`: a block
        around it does not lift its denial.
        """
        found = classify(address)
        if found.public:
            return None
        if not has_zone(address) and self._lifts(ip_network(address), found.kind):
            return None
        return f"{address} is not public: {found.reason}"

    def refusal(self, destination: Destination) -> str | None:
        """Says why a destination is out of scope before any look-up, None when it is in it."""
        host = destination.host
        ports = self.ports_of(destination.address or host)
        if not ports:
            local = None if destination.address else local_name_reason(host)
            names = ", ".join(str(target) for target in self.targets[:_SHOWN])
            return f"{host} is not in scope ({local or names})"
        if not any(destination.port in allowed for allowed in ports):
            allowed = "; ".join(str(found) for found in ports)
            return f"port {destination.port} of {host} is not in scope (allowed: {allowed})"
        return self.address_refusal(destination.address) if destination.address else None

    def explain(self, url: str) -> ScopeVerdict:
        """Says whether a URL is in scope, without any look-up.

        Args:
            url: An absolute http or https URL.

        Returns:
            The verdict; the addresses that a name resolves to are checked only when it is used.
        """
        try:
            destination = parse_url(url)
        except EgressDenied as error:
            return ScopeVerdict(allow=False, reason=error.reason)
        refusal = self.refusal(destination)
        if refusal is not None:
            return ScopeVerdict(allow=False, reason=refusal)
        what = "address" if destination.address else "name"
        return ScopeVerdict(
            allow=True,
            reason=f"the {what} {destination.host} and port {destination.port} are in scope",
        )

    def narrow(
        self,
        *,
        targets: Sequence[str] | None = None,
        ports: Sequence[int | str] | None = None,
        probes: Iterable[ProbeClass] | None = None,
        rate: Rate | None = None,
        budget: ScopeBudget | None = None,
        allow_private: Sequence[str] | None = None,
    ) -> Scope:
        """Makes a scope that allows the same or less.

        Args:
            targets: What remains; each must lie wholly in a target of this scope.
            ports: The ports that remain of each target's own.
            probes: The classes that remain; each must be allowed here.
            rate: An upper limit for the rate, field by field.
            budget: An upper limit for the budget, field by field.
            allow_private: What remains reachable of the addresses that are not public.

        Raises:
            ScopeError: Something asked for is not in this scope.
        """
        kept_probes = self.probes if probes is None else frozenset(probes)
        if not kept_probes <= self.probes:
            missing = ", ".join(sorted(kept_probes - self.probes))
            raise ScopeError(f"a narrower scope cannot add probes: {missing}")
        return replace(
            self,
            targets=self._narrowed_targets(targets, ports),
            probes=kept_probes,
            rate=self.rate.narrowed(rate or self.rate),
            budget=self.budget.narrowed(budget or self.budget),
            allow_private=self._narrowed_private(allow_private),
        )

    def pinned(self, host: str, address: Address) -> Scope:
        """Makes a scope for one host by its checked address, for programs that resolve names.

        Args:
            host: A host of this scope.
            address: The address that an `EgressGuard` admitted for it.

        Returns:
            A scope with that address alone, on the ports of the host.

        Raises:
            ScopeError: The host is out of scope, or the address may not be reached.
        """
        ports = self.ports_of(host)
        if not ports:
            raise ScopeError(f"{host} is not in scope")
        refusal = self.address_refusal(address)
        if refusal is not None:
            raise ScopeError(refusal)
        return replace(self, targets=(NetworkTarget(ip_network(address), union(ports)),))

    def contains(self, other: Scope) -> bool:
        """Whether another scope allows nothing that this one does not."""
        return (
            all(
                any(own.covers(target) and own.ports.covers(target.ports) for own in self.targets)
                for target in other.targets
            )
            and other.probes <= self.probes
            and self.rate.narrowed(other.rate) == other.rate
            and self.budget.narrowed(other.budget) == other.budget
            and set(other.name_servers) <= set(self.name_servers)
            and all(
                any(lies_in(network, own) for own in self.allow_private)
                for network in other.allow_private
            )
        )

    def _narrowed_targets(
        self, targets: Sequence[str] | None, ports: Sequence[int | str] | None
    ) -> tuple[Target, ...]:
        try:
            limit = ALL_PORTS if ports is None else port_set(ports)
            wanted = self.targets if targets is None else [parse_target(t, limit) for t in targets]
        except TargetError as error:
            raise ScopeError(f"cannot narrow the scope: {error}") from error
        kept: list[Target] = []
        for target in wanted:
            covering = [own for own in self.targets if own.covers(target)]
            if not covering:
                raise ScopeError(f"a narrower scope cannot add the target {target}")
            own = [target] if targets is None else covering
            kept += [replace(target, ports=found.ports.intersection(limit)) for found in own]
        kept = [target for target in kept if target.ports.ranges]
        if not kept:
            raise ScopeError("nothing remains of the scope: no target has any of these ports")
        return tuple(dict.fromkeys(kept))

    def _narrowed_private(self, allow_private: Sequence[str] | None) -> tuple[Network, ...]:
        if allow_private is None:
            return self.allow_private
        try:
            wanted = tuple(parse_network(text) for text in allow_private)
        except TargetError as error:
            raise ScopeError(f"cannot narrow the scope: {error}") from error
        for network in wanted:
            if not any(lies_in(network, own) for own in self.allow_private):
                raise ScopeError(f"a narrower scope cannot add {network} to allow_private")
        return wanted


DNS_PORTS = frozenset({53})
"""The ports on which a target may be asked as a name server."""

_SHOWN = 5
_KEYS = (
    "schema",
    "authorisation",
    "targets",
    "ports",
    "probes",
    "rate",
    "budget",
    "name_servers",
    "allow_private",
)
_RATE_LIMIT = 1_000.0
_DAY = 86_400.0
_TERABYTE = 10**12


def load_scope(path: Path | str, *, today: dt.date | None = None) -> Scope:
    """Reads a scope from a file.

    Args:
        path: The file, in TOML.
        today: The day to judge the validity by; the current day (UTC) when None.

    Raises:
        ScopeError: The file is missing, unreadable, malformed, or its authorisation does not hold.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_SCOPE_FILE + 1)
        if len(content) > MAX_SCOPE_FILE:
            raise ScopeError(f"{path}: larger than {MAX_SCOPE_FILE} bytes; that is no scope")
        text = content.decode("utf-8")
    except OSError as error:
        raise ScopeError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ScopeError(f"{path}: is not UTF-8 text") from error
    return parse_scope(text, source=str(path), today=today)


def parse_scope(text: str, *, source: str = "scope.toml", today: dt.date | None = None) -> Scope:
    """Reads a scope from the text of a TOML file.

    Args:
        text: The text.
        source: The file's name for messages.
        today: The day to judge the validity by; the current day (UTC) when None.

    Raises:
        ScopeError: The text is malformed, or the authorisation does not hold on that day; the
            message names the key.
    """
    table = TomlTable.parse(text, source=source)
    # First of all, so that a misspelt table is not reported as a missing one.
    table.finish(known=_KEYS)
    table.integer("schema", 1, low=1, high=1)
    authorisation = _authorisation(table.table("authorisation"))
    refusal = authorisation.refusal(today or dt.datetime.now(dt.UTC).date())
    if refusal is not None:
        table.fail("authorisation", refusal)
    scope = Scope(
        authorisation=authorisation,
        targets=_targets(table),
        probes=_probes(table),
        rate=_rate(table.table("rate")),
        budget=_budget(table.table("budget")),
        name_servers=_name_servers(table),
        allow_private=_allow_private(table),
    )
    _check_reachable(scope, table)
    return scope


def _authorisation(table: TomlTable) -> Authorisation:
    table.finish(known=("by", "contact", "date", "reference", "valid_until"))
    given = table.day("date")
    found = Authorisation(
        by=table.text("by", example="Ada Lovelace, owner of example.org"),
        contact=table.text("contact", example="ada@example.org"),
        date=given or table.fail("date", "is missing; write for example date = 2026-11-30"),
        reference=table.text("reference", example="contract SEC-42"),
        valid_until=table.day("valid_until"),
    )
    if found.valid_until is not None and found.valid_until < found.date:
        table.fail("valid_until", f"lies before the date of the authorisation, {found.date}")
    return found


def _ports(table: TomlTable, key: str, default: PortSet) -> PortSet:
    value = table.get(key)
    if value is None:
        return default
    try:
        return port_set(value)
    except TargetError as error:
        table.fail(key, str(error))


def _targets(table: TomlTable) -> tuple[Target, ...]:
    default = _ports(table, "ports", DEFAULT_WEB_PORTS)
    entries = table.array("targets")
    if not entries:
        table.fail(
            "targets", 'must name at least one target, for example targets = ["example.org"]'
        )
    found: list[Target] = []
    for position, entry in enumerate(entries):
        key = f"targets[{position}]"
        try:
            if isinstance(entry, str):
                found.append(parse_target(entry, default))
                continue
            own = table.of(entry, key)
            host = own.text("host", example="example.org")
            found.append(parse_target(host, _ports(own, "ports", default)))
            own.finish()
        except TargetError as error:
            table.fail(key, str(error))
    return tuple(dict.fromkeys(found))


def _probes(table: TomlTable) -> frozenset[ProbeClass]:
    wanted = table.texts("probes")
    if not wanted:
        table.fail("probes", 'must name at least one class, for example probes = ["passive"]')
    for probe in wanted:
        if probe not in _PROBES:
            table.fail("probes", f"{probe!r} is none of {', '.join(_PROBES)}")
    return frozenset(cast("Sequence[ProbeClass]", wanted))


def _rate(table: TomlTable) -> Rate:
    standard = Rate()
    rate = Rate(
        requests_per_second=table.number(
            "requests_per_second", standard.requests_per_second, low=0.01, high=_RATE_LIMIT
        ),
        concurrency=table.integer("concurrency", standard.concurrency, low=1, high=256),
    )
    table.finish()
    return rate


def _budget(table: TomlTable) -> ScopeBudget:
    standard = ScopeBudget()
    budget = ScopeBudget(
        seconds=table.number("seconds", standard.seconds, low=1, high=7 * _DAY),
        requests=table.integer("requests", standard.requests, low=1, high=10_000_000),
        bytes=table.integer("bytes", standard.bytes, low=1, high=_TERABYTE),
    )
    table.finish()
    return budget


def _name_servers(table: TomlTable) -> tuple[NameServer, ...]:
    found: list[NameServer] = []
    for position, text in enumerate(table.texts("name_servers")):
        server = _name_server(text)
        if server is None:
            table.fail(
                f"name_servers[{position}]",
                f'{text!r} is no address; write "9.9.9.9", "127.0.0.1:5353" or "[2620:fe::fe]:53"',
            )
        found.append(server)
    return tuple(found)


def _name_server(text: str) -> NameServer | None:
    whole = parse_address(text)
    if whole is not None:
        return NameServer(whole)
    host, _, port = text.rpartition(":")
    address = parse_address(host.removeprefix("[").removesuffix("]"))
    try:
        ports = port_set([port])
    except TargetError:
        return None
    if address is None or "-" in port or (address.version == 6) != host.startswith("["):  # noqa: PLR2004 - IP version
        return None
    return NameServer(address, ports.ranges[0][0])


def _allow_private(table: TomlTable) -> tuple[Network, ...]:
    found: list[Network] = []
    for position, text in enumerate(table.texts("allow_private")):
        try:
            found.append(parse_network(text))
        except TargetError as error:
            table.fail(f"allow_private[{position}]", str(error))
    return tuple(found)


def _check_reachable(scope: Scope, table: TomlTable) -> None:
    for target in scope.targets:
        if isinstance(target, NetworkTarget):
            refusal = scope.address_refusal(target.network.network_address)
            if refusal is not None and scope.address_refusal(target.network.broadcast_address):
                table.fail("targets", f"{refusal}; to allow it, add it to allow_private as well")
    for server in scope.name_servers:
        refusal = scope.address_refusal(server.address)
        if refusal is not None:
            table.fail("name_servers", f"{refusal}; to allow it, add it to allow_private as well")


def _name(host: str) -> str:
    try:
        found = normalise_host(host)
    except HostError:
        return ""
    return found if isinstance(found, str) else ""
