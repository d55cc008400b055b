"""curl: one look at a few URLs in scope, with GET or HEAD, to standard output.

Redirects are not followed here: the caller reads the Location and has it checked. Configuration
files are never read (`-q` stands first), globbing is off, and only http and https are spoken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from handfast.boundary.addresses import Address
from handfast.boundary.command_options import Arguments, Option, parse_options, within
from handfast.boundary.command_targets import address_in_scope, host_in_scope
from handfast.boundary.scope import Scope
from handfast.boundary.targets import port_set
from handfast.boundary.urls import Destination, parse_url
from handfast.errors import CommandRefused, EgressDenied

MAX_URLS = 4
"""URLs in one run."""

MAX_SECONDS = 120.0
"""Seconds that one transfer may take."""

MAX_BODY = 50_000_000
"""Bytes of one body, where the server says its size beforehand."""

OTHER_PROTOCOLS = port_set(
    [
        1, 7, 9, 11, 13, 15, 17, "19-23", 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, "101-104", 109,
        110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465,
        "512-515", 526, "530-532", 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995,
        1433, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
        5432, 5672, 5900, 6000, 6379, 6566, "6665-6669", 6679, 6697, 9092, 10080, 11211, 27017,
    ]
)  # fmt: skip
"""Ports of other protocols, to which HTTP is never spoken: a request line could be an order there.

The blocked ports of WHATWG Fetch, with databases, queues and remote desktops."""

HARMLESS_HEADERS = frozenset(
    {
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "access-control-request-headers",
        "access-control-request-method",
        "cache-control",
        "connection",
        "dnt",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "origin",
        "pragma",
        "priority",
        "range",
        "sec-fetch-dest",
        "sec-fetch-mode",
        "sec-fetch-site",
        "sec-fetch-user",
        "upgrade-insecure-requests",
        "user-agent",
    }
)
"""Headers that a request may carry: none names another site, a person or a body."""

_FLAGS = {
    "--silent": "silent",
    "--show-error": "show_error",
    "--include": "include",
    "--verbose": "verbose",
    "--fail": "fail",
    "--fail-with-body": "fail_with_body",
    "--compressed": "compressed",
    "--no-buffer": "no_buffer",
    "--path-as-is": "path_as_is",
    "--http1.0": "http1_0",
    "--http1.1": "http1_1",
    "--http2": "http2",
    "--http2-prior-knowledge": "http2_prior_knowledge",
    "--http3": "http3",
    "--tlsv1.0": "tls1_0",
    "--tlsv1.1": "tls1_1",
    "--tlsv1.2": "tls1_2",
    "--tlsv1.3": "tls1_3",
    "--ipv4": "ipv4",
    "--ipv6": "ipv6",
    "--cert-status": "cert_status",
    "--no-alpn": "no_alpn",
    "--no-keepalive": "no_keepalive",
    "--no-progress-meter": "no_progress_meter",
    "--no-sessionid": "no_session_id",
    "--tcp-nodelay": "tcp_nodelay",
    "--raw": "raw",
    "--ssl-reqd": "ssl_required",
    "--disallow-username-in-url": "no_username_in_url",
}
_SHORT_FLAGS = {
    "-s": "silent",
    "-S": "show_error",
    "-i": "include",
    "-v": "verbose",
    "-f": "fail",
    "-N": "no_buffer",
    "-0": "http1_0",
    "-4": "ipv4",
    "-6": "ipv6",
}
_ALWAYS_ON = ("-q", "--disable", "-g", "--globoff")
_VALUES = {
    "-A": "user_agent",
    "--user-agent": "user_agent",
    "-m": "max_seconds",
    "--max-time": "max_seconds",
    "--connect-timeout": "connect_seconds",
    "-X": "method",
    "--request": "method",
    "-r": "range",
    "--range": "range",
    "-w": "write_out",
    "--write-out": "write_out",
    "--tls-max": "tls_max",
    "--ciphers": "ciphers",
    "--tls13-ciphers": "tls13_ciphers",
    "--curves": "curves",
    "--max-filesize": "max_body",
    "--max-redirs": "max_redirects",
    "--retry": "retries",
    "--noproxy": "no_proxy",
    "--proto": "protocols",
    "-e": "referer",
    "--referer": "referer",
}
_OPTIONS = {
    **{spelling: Option(name, repeats=True) for spelling, name in _FLAGS.items()},
    **{spelling: Option(name, repeats=True) for spelling, name in _SHORT_FLAGS.items()},
    **{spelling: Option("always_on", repeats=True) for spelling in _ALWAYS_ON},
    **{spelling: Option(name, value=True) for spelling, name in _VALUES.items()},
    "-I": Option("head", repeats=True),
    "--head": Option("head", repeats=True),
    "-o": Option("output", value=True, repeats=True),
    "--output": Option("output", value=True, repeats=True),
    "-D": Option("dump_headers", value=True),
    "--dump-header": Option("dump_headers", value=True),
    "--stderr": Option("errors", value=True),
    "-H": Option("header", value=True, repeats=True),
    "--header": Option("header", value=True, repeats=True),
    "--url": Option("url", value=True, repeats=True),
    "--resolve": Option("resolve", value=True, repeats=True),
}
_HEADER = re.compile(r"([A-Za-z0-9-]{1,40}): ?([\x20-\x7e]{0,500})", re.ASCII)
_RANGE = re.compile(r"[0-9]{1,12}-[0-9]{0,12}", re.ASCII)
_CIPHERS = re.compile(r"[A-Za-z0-9:!+_=@-]{1,500}", re.ASCII)
_WRITE_OUT = re.compile(r"(?:[^%@{}\x00-\x1f]|%\{[a-z_0-9.]{1,40}\})+", re.ASCII)
_RESOLVE = re.compile(r"([^:]{1,253}):([1-9][0-9]{0,4}):(\[?[0-9A-Fa-f:.]+\]?)", re.ASCII)
_TLS_MAX = frozenset({"default", "1.0", "1.1", "1.2", "1.3"})
_PROTOCOLS = frozenset({"=http", "=https", "=http,https", "=https,http"})
_TO_STDOUT = frozenset({"-", "/dev/null"})


@dataclass(frozen=True, slots=True)
class Curl:
    """What curl may be asked to do."""

    urls: tuple[str, ...]
    """http and https URLs in scope."""
    method: Literal["GET", "HEAD"] = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """Names of `HARMLESS_HEADERS` with their values."""
    user_agent: str | None = None
    referer: str | None = None
    """A URL in scope."""
    max_seconds: float = 30.0
    connect_seconds: float = 10.0
    max_body: int = MAX_BODY
    retries: int = 0
    range: str | None = None
    """Bytes to ask for, as `0-1023`."""
    write_out: str | None = None
    """What to print at the end: text and `%{variables}`."""
    tls_max: str | None = None
    ciphers: str | None = None
    tls13_ciphers: str | None = None
    curves: str | None = None
    dump_headers: bool = False
    """Whether headers are printed before the body."""
    discard_body: bool = False
    pinned: tuple[tuple[str, int, str], ...] = ()
    """Host, port and the address to connect to for it; all in scope."""
    flags: frozenset[str] = frozenset({"silent", "show_error"})
    """See `_FLAGS`: output, protocol versions, IP version."""

    def argv(self, scope: Scope) -> tuple[str, ...]:
        """Builds the arguments.

        Raises:
            CommandRefused: A URL or an address is out of scope, or a value is not allowed.
        """
        if not 1 <= len(self.urls) <= MAX_URLS:
            raise CommandRefused(f"curl: from 1 to {MAX_URLS} URLs, not {len(self.urls)}")
        urls = [_url(url, scope) for url in self.urls]
        # The first argument must be -q, else configuration files are read (curl(1)).
        args = ["-q", "--globoff", "--proto", "=http,https", "--noproxy", "*", "--max-redirs", "0"]
        args += self._limits()
        args += self._request(scope)
        args += self._tls()
        args += self._output()
        for host, port, address in self.pinned:
            args += ["--resolve", _pin(host, port, address, scope)]
        return (*args, *[part for url in urls for part in ("--url", url.url)])

    def with_pins(self, pins: Mapping[tuple[str, int], Address]) -> Curl:
        """Makes a copy that connects to addresses that were checked before.

        Args:
            pins: The checked address for each host and port, as admitted by an `EgressGuard`.
        """
        pinned = tuple((host, port, str(found)) for (host, port), found in pins.items())
        return replace(self, pinned=pinned)

    def _limits(self) -> list[str]:
        within("curl", "max_seconds", self.max_seconds, 0.1, MAX_SECONDS)
        within("curl", "connect_seconds", self.connect_seconds, 0.1, MAX_SECONDS)
        within("curl", "max_body", self.max_body, 1, MAX_BODY)
        within("curl", "retries", self.retries, 0, 3)
        args = ["--max-time", f"{self.max_seconds:g}"]
        args += ["--connect-timeout", f"{self.connect_seconds:g}"]
        args += ["--max-filesize", str(self.max_body)]
        return [*args, "--retry", str(self.retries)] if self.retries else args

    def _request(self, scope: Scope) -> list[str]:
        if self.method not in {"GET", "HEAD"}:
            raise CommandRefused(f"curl: the method {self.method} is not allowed, GET and HEAD are")
        args = ["--head"] if self.method == "HEAD" else []
        for name, value in self.headers:
            args += ["--header", _header(name, value)]
        if self.user_agent is not None:
            args += ["--user-agent", _header("user-agent", self.user_agent).partition(": ")[2]]
        if self.referer is not None:
            args += ["--referer", _url(self.referer, scope).url]
        if self.range is not None:
            args += ["--range", _matching("range", self.range, _RANGE)]
        return args

    def _tls(self) -> list[str]:
        args: list[str] = []
        if self.tls_max is not None:
            if self.tls_max not in _TLS_MAX:
                raise CommandRefused(f"curl: {self.tls_max} is no version of TLS")
            args += ["--tls-max", self.tls_max]
        for option, value in (
            ("--ciphers", self.ciphers),
            ("--tls13-ciphers", self.tls13_ciphers),
            ("--curves", self.curves),
        ):
            args += [] if value is None else [option, _matching(option, value, _CIPHERS)]
        return args

    def _output(self) -> list[str]:
        spellings = {name: spelling for spelling, name in _FLAGS.items()}
        if not self.flags <= spellings.keys():
            raise CommandRefused(f"curl: unknown flags {sorted(self.flags - spellings.keys())}")
        args = [spellings[name] for name in sorted(self.flags)]
        args += ["--dump-header", "-"] if self.dump_headers else []
        args += ["--output", "/dev/null"] * len(self.urls) if self.discard_body else []
        if self.write_out is not None:
            args += ["--write-out", _matching("write_out", self.write_out, _WRITE_OUT)]
        return args


def _matching(name: str, value: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(value):
        raise CommandRefused(f"curl: {name} may not be {value!r}")
    return value


def _header(name: str, value: str) -> str:
    if name.lower() not in HARMLESS_HEADERS:
        known = ", ".join(sorted(HARMLESS_HEADERS))
        raise CommandRefused(f"curl: the header {name} is not allowed; allowed: {known}")
    if not _HEADER.fullmatch(f"{name}: {value}") or value.startswith("@"):
        raise CommandRefused(f"curl: the header {name} has a value that is not allowed")
    if name.lower() == "connection" and value.lower() not in {"close", "keep-alive"}:
        raise CommandRefused("curl: the header Connection may say close or keep-alive alone")
    return f"{name}: {value}"


def _url(url: str, scope: Scope) -> Destination:
    try:
        destination = parse_url(url)
    except EgressDenied as error:
        raise CommandRefused(f"curl: {error}") from error
    if destination.port in OTHER_PROTOCOLS:
        raise CommandRefused(f"curl: port {destination.port} belongs to another protocol")
    refusal = scope.refusal(destination)
    if refusal is not None:
        raise CommandRefused(f"curl: {refusal}")
    return destination


def _pin(host: str, port: int, address: str, scope: Scope) -> str:
    name = host_in_scope("curl", host, scope)
    if not scope.covers_port(name, port):
        raise CommandRefused(f"curl: port {port} of {host} is not in scope")
    found = address.removeprefix("[").removesuffix("]")
    if not scope.covers_name(name):
        raise CommandRefused("curl: only a name can be given an address")
    spelled = str(address_in_scope("curl", found, scope))
    return f"{name}:{port}:[{spelled}]" if ":" in spelled else f"{name}:{port}:{spelled}"


def parse_curl(args: Sequence[str]) -> Curl:
    """Reads arguments of curl.

    Raises:
        CommandRefused: They have anything that `Curl` has no field for.
    """
    found = parse_options("curl", args, _OPTIONS)
    _check_outputs(found)
    urls = (*found.values.get("url", []), *found.operands)
    for url in urls:
        _check_globs(url)
    standard = Curl(urls=urls)
    return Curl(
        urls=urls,
        method=_method(found),
        headers=tuple(_split_header(text) for text in found.values.get("header", [])),
        user_agent=found.get("user_agent"),
        referer=found.get("referer"),
        max_seconds=found.decimal("max_seconds", 0.1, MAX_SECONDS) or standard.max_seconds,
        connect_seconds=found.decimal("connect_seconds", 0.1, MAX_SECONDS)
        or standard.connect_seconds,
        max_body=found.integer("max_body", 1, MAX_BODY) or standard.max_body,
        retries=found.integer("retries", 0, 3) or 0,
        range=found.get("range"),
        write_out=found.get("write_out"),
        tls_max=found.get("tls_max"),
        ciphers=found.get("ciphers"),
        tls13_ciphers=found.get("tls13_ciphers"),
        curves=found.get("curves"),
        dump_headers=found.has("dump_headers"),
        discard_body="/dev/null" in found.values.get("output", []),
        pinned=tuple(_split_pin(text) for text in found.values.get("resolve", [])),
        flags=found.flags(_FLAGS.values()),
    )


def _check_outputs(found: Arguments) -> None:
    for name in ("output", "dump_headers", "errors"):
        for value in found.values.get(name, []):
            if value not in _TO_STDOUT:
                raise CommandRefused(f"curl: {name} may go to standard output alone, not {value}")
    if (found.get("no_proxy") or "*") != "*":
        raise CommandRefused("curl: --noproxy may only say '*': proxies are never used")
    if (found.get("protocols") or "=https") not in _PROTOCOLS:
        raise CommandRefused("curl: --proto may only say =http,https")
    found.integer("max_redirects", 0, 50)


def _check_globs(url: str) -> None:
    # An IPv6 host is the only place where brackets are no range.
    rest = re.sub(r"^(https?://)\[[0-9A-Fa-f:.]+\]", r"\1", url)
    if set("{}[]") & set(rest):
        raise CommandRefused(f"curl: {url} has brackets that stand for several URLs")


def _method(found: Arguments) -> Literal["GET", "HEAD"]:
    asked = found.get("method")
    if asked not in {None, "GET", "HEAD"}:
        raise CommandRefused(f"curl: the method {asked} is not allowed, GET and HEAD are")
    # curl itself would wait for a body after -X HEAD; what is built says --head.
    return "HEAD" if asked == "HEAD" or found.has("head") else "GET"


def _split_header(text: str) -> tuple[str, str]:
    match = _HEADER.fullmatch(text)
    if match is None:
        raise CommandRefused(f"curl: {text!r} is no header; write Name: value")
    return match.group(1), match.group(2)


def _split_pin(text: str) -> tuple[str, int, str]:
    match = _RESOLVE.fullmatch(text)
    if match is None:
        raise CommandRefused(f"curl: {text!r} is not host:port:address")
    return match.group(1), int(match.group(2)), match.group(3)
