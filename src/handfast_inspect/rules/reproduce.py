"""Commands that show a finding again, for the reader to run by hand.

Every part that comes from a target is quoted for a POSIX shell; nothing here is ever executed.
"""

from __future__ import annotations

import shlex
from urllib.parse import urlsplit

from handfast_inspect.facts.asset import Asset
from handfast_inspect.rules.rule import Reproduce

_DNS = 53


def curl_headers(asset: Asset) -> str:
    """Show the response headers of the asset's URL."""
    return f"curl -sS -D - -o /dev/null {shlex.quote(_url(asset))}"


def curl_body(asset: Asset) -> str:
    """Show the response of the asset's URL, head and body."""
    return f"curl -sS -i --max-filesize 1000000 {shlex.quote(_url(asset))}"


def curl_origin(asset: Asset) -> str:
    """Ask with a foreign Origin header."""
    url = shlex.quote(_url(asset))
    return f"curl -sS -D - -o /dev/null -H 'Origin: https://handfast-check.example' {url}"


def curl_options(asset: Asset) -> str:
    """Ask which methods are allowed."""
    return f"curl -sS -i -X OPTIONS {shlex.quote(_url(asset))}"


def openssl_certificate(asset: Asset) -> str:
    """Show the certificate that the asset presents."""
    return (
        f"openssl s_client -connect {_endpoint(asset)} -servername {shlex.quote(asset.host)} "
        "-showcerts </dev/null | openssl x509 -noout -text"
    )


def openssl_protocols(asset: Asset) -> str:
    """Show what the asset negotiates."""
    return (
        f"openssl s_client -connect {_endpoint(asset)} -servername {shlex.quote(asset.host)} "
        "-tls1 -cipher 'ALL:@SECLEVEL=0' </dev/null"
    )


def openssl_ciphers(asset: Asset) -> str:
    """Show the suite that the asset chooses when everything is offered."""
    return (
        f"openssl s_client -connect {_endpoint(asset)} -servername {shlex.quote(asset.host)} "
        "-tls1_2 -cipher 'ALL:COMPLEMENTOFALL:@SECLEVEL=0' </dev/null"
    )


def openssl_starttls(asset: Asset) -> str:
    """Try STARTTLS for SMTP."""
    return f"openssl s_client -starttls smtp -connect {_endpoint(asset)} </dev/null"


def dig(rtype: str, prefix: str = "") -> Reproduce:
    """Make a command that asks for one record type.

    Args:
        rtype: The record type, such as TXT.
        prefix: Labels to put before the asset's host, with their last dot.

    Returns:
        A function from an asset to the command.
    """

    def command(asset: Asset) -> str:
        return f"dig +noall +answer -q {shlex.quote(prefix + asset.host)} -t {rtype}"

    return command


def dig_dnssec(asset: Asset) -> str:
    """Follow the chain of trust."""
    return f"delv {shlex.quote(asset.host)} SOA +rtrace"


def dig_transfer(asset: Asset) -> str:
    """Ask a name server for the whole zone; `asset.host` is the zone, `asset.ip` the server."""
    server = shlex.quote("@" + (asset.ip or "NAME-SERVER"))
    return f"dig {server}{_dns_port(asset)} -q {shlex.quote(asset.host)} -t AXFR"


def dig_recursion(asset: Asset) -> str:
    """Ask a name server for a name that is not its own."""
    return f"dig {shlex.quote('@' + asset.host)}{_dns_port(asset)} example.com A +recurse"


def rdap(asset: Asset) -> str:
    """Ask the registry about a domain."""
    return f"curl -sSL {shlex.quote('https://rdap.org/domain/' + asset.host)}"


def connect(asset: Asset) -> str:
    """Connect to the port and show the greeting."""
    return f"nc -v -w 5 -- {shlex.quote(asset.ip or asset.host)} {asset.port or 'PORT'} </dev/null"


def ssh_algorithms(asset: Asset) -> str:
    """Show the algorithms that an SSH server offers, without logging in."""
    port = asset.port or 22
    return (
        f"ssh -vv -o BatchMode=yes -p {port} -- {shlex.quote(asset.host)} exit 2>&1 | grep -i kex"
    )


def _dns_port(asset: Asset) -> str:
    return "" if asset.port in {None, _DNS} else f" -p {asset.port}"


def _url(asset: Asset) -> str:
    return asset.url or f"https://{asset.host}/"


def _endpoint(asset: Asset) -> str:
    port = asset.port or _url_port(asset.url) or 443
    host = asset.ip or asset.host
    name = f"[{host}]" if ":" in host else host
    return shlex.quote(f"{name}:{port}")


def _url_port(url: str | None) -> int | None:
    try:
        return urlsplit(url or "").port
    except ValueError:
        return None
