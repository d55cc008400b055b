"""Reading Set-Cookie lines the way a browser does (RFC 6265bis, section 5.6), without the values.

A cookie's value is a secret: only its length leaves this file.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from handfast_inspect.facts.http import Cookie

MAX_COOKIES: Final = 100
"""Cookies kept of one response; browsers keep fewer than twice that a domain."""

MAX_NAME: Final = 256
"""Characters kept of a cookie's name."""

MAX_ATTRIBUTE: Final = 1024
"""Octets in an attribute's value; longer attributes are ignored, as browsers do."""

_DIGITS: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


def read_cookies(lines: tuple[str, ...], url: str) -> tuple[Cookie, ...]:
    """Reads the Set-Cookie headers of one response.

    Args:
        lines: The values of the headers, in order.
        url: Where the response came from.

    Returns:
        A cookie for each line that a browser would not ignore.
    """
    host = _host_of(url)
    cookies = (read_cookie(line, host, url) for line in lines[:MAX_COOKIES])
    return tuple(cookie for cookie in cookies if cookie is not None)


def read_cookie(line: str, host: str, url: str = "") -> Cookie | None:
    """Reads one Set-Cookie line.

    Args:
        line: The header's value.
        host: The host that sent it.
        url: The URL whose response sent it.

    Returns:
        The cookie; None where both name and value are empty.
    """
    pair, _, rest = line.partition(";")
    name, equals, value = pair.partition("=")
    if not equals:
        name, value = "", pair
    name, value = name.strip(" \t"), value.strip(" \t")
    if not name and not value:
        return None
    attributes = _attributes(rest)
    domain = attributes.get("domain")
    return Cookie(
        name=name[:MAX_NAME],
        host=host,
        secure="secure" in attributes,
        http_only="httponly" in attributes,
        same_site=attributes.get("samesite"),
        domain=None if domain is None else domain.removeprefix("."),
        path=attributes.get("path"),
        max_age=_max_age(attributes.get("max-age", "")),
        expires=attributes.get("expires"),
        value_length=len(value),
        url=url,
    )


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.partition("=")
        value = value.strip(" \t")
        if len(value) <= MAX_ATTRIBUTE:
            found[name.strip(" \t").lower()] = value
    return found


def _max_age(text: str) -> int | None:
    return int(text) if _DIGITS.fullmatch(text) else None


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
