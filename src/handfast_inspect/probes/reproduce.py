"""Shell lines for the reader that show again what a probe saw.

Nothing here is ever executed. Every part is quoted, because names and URLs come from targets.
"""

from __future__ import annotations

import shlex

from handfast.network.http import FetchRequest


def dig_line(name: str, rtype: str, server: str = "", *, dnssec: bool = False) -> str:
    """A question to the DNS.

    Args:
        name: What to ask about.
        rtype: The record type.
        server: Whom to ask, as `address#port`; empty for the system's resolver.
        dnssec: Whether signatures are asked for.
    """
    words = ["dig", "+dnssec" if dnssec else "+noall +answer +comments"]
    address, _, port = server.partition("#")
    if address:
        words.append(shlex.quote(f"@{address}"))
    if port and port != "53":
        words.append(f"-p {shlex.quote(port)}")
    return " ".join([*words, "-t", shlex.quote(rtype), "-q", shlex.quote(name)])


def curl_line(request: FetchRequest) -> str:
    """One request, without following redirects."""
    words = ["curl", "-sS", "-i", "--max-time", "20"]
    if not request.verify:
        words.append("-k")
    if request.method != "GET":
        words += ["-X", request.method] if request.method != "HEAD" else ["-I"]
    for name, value in request.headers:
        words += ["-H", shlex.quote(f"{name}: {value}")]
    return " ".join([*words, "--", shlex.quote(request.url)])


def openssl_line(host: str, port: int, *options: str) -> str:
    """A TLS handshake.

    Args:
        host: The name or address.
        port: The port.
        *options: Further options of `openssl s_client`, fixed words of ours.
    """
    name = f"[{host}]" if ":" in host else host
    words = ["openssl s_client -connect", shlex.quote(f"{name}:{port}")]
    if ":" not in host:
        words += ["-servername", shlex.quote(host)]
    return " ".join([*words, *options, "</dev/null"])


def netcat_line(host: str, port: int) -> str:
    """A connection that listens and sends nothing."""
    return f"nc -v -w 5 -- {shlex.quote(host)} {port} </dev/null"
