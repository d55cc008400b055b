"""A URL, taken apart in the one way that we will also send it.

Only the shape is judged here (RFC 3986 for the syntax, RFC 9110 section 4.2 for http and https);
who may be reached is for `scope` and `egress`. Everything that two parsers are known to read
differently is refused instead of repaired: userinfo, backslashes in the authority, control
characters and blanks, encoded line breaks, numeric hosts in odd forms, zone ids.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import quote

from handfast.boundary.addresses import Address
from handfast.boundary.hostnames import HostError, normalise_host
from handfast.errors import EgressDenied

MAX_URL = 8_000
"""Characters in a URL; longer ones are refused (RFC 9110, section 4.1 recommends this much)."""

MAX_PORT = 65_535
"""The highest port."""

DEFAULT_PORTS = {"http": 80, "https": 443}
"""The schemes that may be spoken at all, with the port that each means when none is written."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):", re.ASCII)
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.ASCII)
_USERINFO = re.compile(r"//[^/?#]*@")
_PORT = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_ENCODED_BREAK = re.compile(r"%0[0ad]", re.ASCII | re.IGNORECASE)
_REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp", "Zs"})
_CR_LF = (0x0D, 0x0A)
_KEPT_IN_PATH = "/:@!$&'()*+,;=~-._%"
_KEPT_IN_QUERY = _KEPT_IN_PATH + "?[]"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a URL points, in one spelling."""

    scheme: str
    """`http` or `https`."""
    host: str
    """The name in A-labels, or the address in its canonical text, without brackets."""
    port: int
    """The port, written or meant."""
    target: str
    """Path and query as they are sent, in ASCII; begins with a slash."""
    address: Address | None = None
    """The address when the URL names one; None for a name."""

    @property
    def authority(self) -> str:
        """Host and port as a Host header has them: brackets for IPv6, no default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL in its one spelling, without fragment."""
        return f"{self.scheme}://{self.authority}{self.target}"


def parse_url(url: str) -> Destination:
    """Takes a URL apart and refuses what is not read alike by every program.

    Args:
        url: An absolute http or https URL; its fragment is dropped.

    Returns:
        Where it points.

    Raises:
        EgressDenied: The URL is malformed, ambiguous, or of another scheme.
    """
    _check_text(url)
    match = _URL.fullmatch(url)
    if match is None:
        raise _denied("not an absolute URL: write http:// or https:// and a host", url)
    scheme, authority, path, query, _ = (part or "" for part in match.groups())
    scheme = scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise _denied(f"the scheme {scheme} is not allowed, only http and https", url)
    host, port = _split_authority(authority, url)
    target = quote(path or "/", safe=_KEPT_IN_PATH) + quote(query, safe=_KEPT_IN_QUERY)
    found = _host(host, url)
    if isinstance(found, str):
        return Destination(scheme, found, port or DEFAULT_PORTS[scheme], target)
    return Destination(scheme, str(found), port or DEFAULT_PORTS[scheme], target, found)


def resolve_location(current: Destination, location: str) -> str:
    """Resolves the Location of a redirect against the URL that answered (RFC 3986, section 5.2).

    Args:
        current: Where the redirect came from.
        location: The header's value as received.

    Returns:
        An absolute URL, still to be parsed and checked.

    Raises:
        EgressDenied: The value has control characters, or a backslash that some clients take for
            a slash.
    """
    _check_text(location)
    if "\\" in location[: len(location) - len(location.lstrip("/\\"))]:
        raise _denied("a Location that begins with a backslash is ambiguous", location)
    if _SCHEME.match(location):
        return location
    if location.startswith("//"):
        return f"{current.scheme}:{location}"
    origin = f"{current.scheme}://{current.authority}"
    path, _, query = current.target.partition("?")
    if location.startswith("/"):
        return origin + _without_dots(location)
    if location.startswith("?"):
        return origin + path + location
    if not location or location.startswith("#"):
        return origin + path + ("?" + query if query else "")
    return origin + _without_dots(path.rpartition("/")[0] + "/" + location)


def _denied(reason: str, url: str) -> EgressDenied:
    # Messages end up in logs and in front of models: they must not repeat a password.
    return EgressDenied(reason, url=_USERINFO.sub("//[removed]@", url))


def _without_dots(reference: str) -> str:
    end = min((reference.find(mark) for mark in "?#" if mark in reference), default=len(reference))
    path, rest = reference[:end], reference[end:]
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept) + rest


def _check_text(url: str) -> None:
    if len(url) > MAX_URL:
        raise _denied(f"the URL is longer than {MAX_URL} characters", url[:80])
    for character in url:
        if unicodedata.category(character) in _REFUSED_CATEGORIES:
            raise _denied(f"U+{ord(character):04X} is a control character or a blank", repr(url))
    if _ENCODED_BREAK.search(url):
        raise _denied("an encoded line break or NUL", url)
    if any(_cut_to_line_break(first, second) for first, second in pairwise(url)):
        raise _denied("two characters whose low bytes are a line break", url)


def _cut_to_line_break(first: str, second: str) -> bool:
    # Clients that cut characters to one byte turn such a pair into CR LF.
    both_wide = not first.isascii() and not second.isascii()
    return both_wide and (ord(first) % 256, ord(second) % 256) == _CR_LF


def _split_authority(authority: str, url: str) -> tuple[str, int | None]:
    if "\\" in authority:
        raise _denied("a backslash in the authority is a slash for some parsers", url)
    if "@" in authority:
        raise _denied("user names and passwords in a URL are not allowed", url)
    bracketed = re.fullmatch(r"(\[[^\[\]]*\])(?::(.*))?", authority)
    if bracketed:
        host, port = bracketed.group(1), bracketed.group(2)
    else:
        host, _, port = authority.partition(":")
    if not port:
        return host, None
    if not _PORT.fullmatch(port) or int(port) > MAX_PORT:
        raise _denied(f"{port!r} is not a port between 1 and {MAX_PORT}", url)
    return host, int(port)


def _host(text: str, url: str) -> str | Address:
    bracketed = text.startswith("[")
    host = text[1:-1] if bracketed else text
    if "%" in host:
        raise _denied("an encoded character or zone id in the host", url)
    try:
        found = normalise_host(host)
    except HostError as error:
        raise _denied(str(error), url) from error
    if bracketed and (isinstance(found, str) or found.version == 4):  # noqa: PLR2004 - IP version
        raise _denied("brackets are for IPv6 addresses", url)
    return found
