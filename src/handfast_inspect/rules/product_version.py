"""Products and versions that a server names itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.rules.rule import Observed
from handfast_inspect.rules.web import answers, header, origin_asset

_TOKEN = re.compile(
    r"([A-Za-z][A-Za-z0-9_.+-]{0,39})[/ ]v?([0-9]+(?:\.[0-9]+){0,3})[A-Za-z0-9._-]*"
)
_NUMBER = re.compile(r"[0-9]+")
_HEADERS = ("server", "x-powered-by", "x-aspnet-version", "x-generator")
_ALIASES = {
    "apache": "apache",
    "httpd": "apache",
    "microsoft-iis": "iis",
    "apache-coyote": "coyote",
    "apache tomcat": "tomcat",
    "nodejs": "node",
    "node.js": "node",
    "postgres": "postgresql",
}

Version = tuple[int, ...]


class SelfNamed(NamedTuple):
    """One product and version with its proof."""

    product: str
    """Lower case, aliases resolved."""
    version: Version
    shown: str
    """The text it was read from."""
    source: Observed
    asset: Asset


def parse_version(text: str) -> Version:
    """The leading numbers of a version: `2.4.49-debian` is (2, 4, 49).

    Args:
        text: A version as written.

    Returns:
        Up to four numbers; empty when the text does not begin with one.
    """
    match = re.match(r"v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})", text.strip())
    return tuple(int(part) for part in _NUMBER.findall(match[1])) if match else ()


def named_products(text: str) -> tuple[tuple[str, Version], ...]:
    """Every `product/version` in a header value such as `Apache/2.4.1 (Unix) PHP/7.4.3`."""
    return tuple((_resolved(match[1]), parse_version(match[2])) for match in _TOKEN.finditer(text))


def _resolved(name: str) -> str:
    lowered = name.lower()
    return _ALIASES.get(lowered, lowered)


def self_named(facts: Facts) -> Iterator[SelfNamed]:
    """Every product and version in headers, services and product facts."""
    for fact in answers(facts):
        for name in _HEADERS:
            value = header(fact, name)
            text = f"asp.net/{value}" if name == "x-aspnet-version" else value
            for product, version in named_products(text):
                yield SelfNamed(product, version, f"{name}: {value}", fact, origin_asset(fact))
    for service in facts.services:
        version = parse_version(service.version)
        if service.product and version:
            shown = f"{service.product} {service.version}"
            yield SelfNamed(_resolved(service.product), version, shown, service, service.asset)
    for named in facts.products:
        version = parse_version(named.version)
        if version:
            shown = f"{named.product} {named.version} ({named.source})"
            yield SelfNamed(_resolved(named.product), version, shown, named, named.asset)
