"""openssl s_client: what a TLS server shows; no other command of openssl."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from handfast.boundary.command_options import (
    Arguments,
    Option,
    check_arguments,
    integer,
    within,
    words,
)
from handfast.boundary.command_targets import host_port_in_scope, name_in_scope
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused

STARTTLS = words(
    "ftp imap irc ldap lmtp mysql nntp pop3 postgres sieve smtp telnet xmpp xmpp-server"
)
"""The protocols that s_client can turn into TLS."""

_FLAGS = words(
    """4 6 brief debug ignore_unexpected_eof legacy_server_connect msg no_comp no_ign_eof no_ssl3
    no_ticket no_tls1 no_tls1_1 no_tls1_2 no_tls1_3 nocommands noservername prexit
    security_debug security_debug_verbose showcerts state status strict tls1 tls1_1 tls1_2 tls1_3
    tlsextdebug trace verify_quiet verify_return_error x509_strict fallback_scsv"""
)
_NAMES = frozenset({"servername", "verify_hostname", "name", "xmpphost"})
_LISTS = frozenset(
    {"alpn", "cipher", "ciphersuites", "groups", "curves", "sigalgs", "nextprotoneg"}
)
_NUMBERS = {"verify": 100, "verify_depth": 100, "auth_level": 5}
_PROTOCOLS = frozenset({"SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"})
_PROTOCOL_LIMITS = frozenset({"min_protocol", "max_protocol"})
_VALUED = (
    _NAMES | _LISTS | _NUMBERS.keys() | _PROTOCOL_LIMITS | {"connect", "host", "port", "starttls"}
)
_LIST = re.compile(r"[A-Za-z0-9:,!+_=@./-]{1,500}", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpensslClient:
    """What `openssl s_client` may be asked to do."""

    connect: str
    """Host and port in scope, `host:port`."""
    starttls: str | None = None
    """Of `STARTTLS`."""
    names: tuple[tuple[str, str], ...] = ()
    """Names that are sent or checked, in scope: servername, verify_hostname, name, xmpphost."""
    lists: tuple[tuple[str, str], ...] = ()
    """What is offered: alpn, cipher, ciphersuites, groups, curves, sigalgs, nextprotoneg."""
    numbers: tuple[tuple[str, int], ...] = ()
    """verify, verify_depth, auth_level."""
    protocol_limits: tuple[tuple[str, str], ...] = ()
    """min_protocol and max_protocol."""
    flags: frozenset[str] = frozenset()
    """Switches without a value, by openssl's own names."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: The target or a name is out of scope, or a value is not allowed.
        """
        host, port = host_port_in_scope("openssl", self.connect, scope)
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        args = ["s_client", "-connect", target]
        if self.starttls is not None:
            if self.starttls not in STARTTLS:
                raise CommandRefused(f"openssl: {self.starttls} is not one of {sorted(STARTTLS)}")
            args += ["-starttls", self.starttls]
        for name, value in self.names:
            _known(name, _NAMES)
            args += [f"-{name}", name_in_scope("openssl", value, scope)]
        return (*args, *self._offers(), *self._switches())

    def _offers(self) -> list[str]:
        args: list[str] = []
        for name, value in self.lists:
            _known(name, _LISTS)
            if not _LIST.fullmatch(value):
                raise CommandRefused(f"openssl: {name} may not be {value!r}")
            args += [f"-{name}", value]
        for name, value in self.protocol_limits:
            _known(name, _PROTOCOL_LIMITS)
            if value not in _PROTOCOLS:
                raise CommandRefused(f"openssl: {value!r} is not one of {sorted(_PROTOCOLS)}")
            args += [f"-{name}", value]
        for name, number in self.numbers:
            _known(name, frozenset(_NUMBERS))
            within("openssl", name, number, 0, _NUMBERS[name])
            args += [f"-{name}", str(number)]
        return args

    def _switches(self) -> list[str]:
        if not self.flags <= _FLAGS:
            raise CommandRefused(f"openssl: unknown switches {sorted(self.flags - _FLAGS)}")
        return [f"-{name}" for name in sorted(self.flags)]


def _known(name: str, names: frozenset[str]) -> None:
    if name not in names:
        raise CommandRefused(f"openssl: {name} is not one of {sorted(names)}")


def parse_openssl(args: Sequence[str]) -> OpensslClient:
    """Reads arguments of openssl.

    Raises:
        CommandRefused: They are not for s_client, or have anything that `OpensslClient` has no
            field for.
    """
    check_arguments("openssl", args)
    if not args or args[0] != "s_client":
        raise CommandRefused("openssl: only the command s_client may be run")
    found = Arguments("openssl")
    rest = list(args[1:])
    while rest:
        token = rest.pop(0)
        if not token.startswith("-"):
            found.operands = [token, *rest]
            break
        _option(found, token, rest)
    return OpensslClient(
        connect=_target(found),
        starttls=found.get("starttls"),
        names=_pairs(found, _NAMES),
        lists=_pairs(found, _LISTS),
        numbers=tuple(
            (name, integer("openssl", name, value, 0, _NUMBERS[name]))
            for name, value in _pairs(found, frozenset(_NUMBERS))
        ),
        protocol_limits=_pairs(found, _PROTOCOL_LIMITS),
        flags=found.flags(_FLAGS),
    )


def _target(found: Arguments) -> str:
    ways = [*found.values.get("connect", []), *found.operands]
    host, port = found.get("host"), found.get("port")
    if host is not None and port is not None:
        ways.append(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
    elif host is not None or port is not None:
        raise CommandRefused("openssl: -host and -port go together; better write -connect")
    if len(ways) != 1:
        raise CommandRefused("openssl: exactly one target is needed; write -connect host:port")
    return ways[0]


def _pairs(found: Arguments, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, found.values[name][0]) for name in sorted(names) if found.has(name))


def _option(found: Arguments, token: str, rest: list[str]) -> None:
    spelling, equals, value = token.partition("=")
    name = spelling[2:] if spelling.startswith("--") else spelling[1:]
    if name in _FLAGS and not equals:
        found.add(Option(name, repeats=True))
    elif name in _VALUED and (equals or rest):
        found.add(Option(name), value if equals else rest.pop(0))
    else:
        raise CommandRefused(f"openssl: the option {token} is not understood")
