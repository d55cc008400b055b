"""Reading SPF records (RFC 7208, section 4.6): terms and syntax, no evaluation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import Final

from handfast_inspect.facts.mail import SpfTerm

MAX_TERMS: Final = 200
"""Terms read of one record."""

LOOKUP_TERMS: Final = frozenset({"include", "a", "mx", "ptr", "exists", "redirect"})
"""The terms that cost a DNS look-up (RFC 7208, section 4.6.4)."""

_MECHANISMS: Final = frozenset({"all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"})
_NEED_DOMAIN: Final = frozenset({"include", "exists", "redirect", "exp"})
_MODIFIER: Final = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)=(.*)", re.ASCII)
_MECHANISM: Final = re.compile(r"([+?~-]?)([A-Za-z0-9]+)(?:([:/])(.*))?", re.ASCII)
_BLOCK: Final = re.compile(r"[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?", re.ASCII)
_PREFIXES: Final = re.compile(r"(.*?)(/[0-9]{1,2})?(//[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SpfRecord:
    """One SPF record, taken apart."""

    terms: tuple[SpfTerm, ...]
    """Every term that could be read, in order."""
    error: str
    """The first syntax error; empty where there is none."""

    def term(self, name: str) -> SpfTerm | None:
        """The first term of a name."""
        return next((term for term in self.terms if term.name == name), None)


def is_spf(record: str) -> bool:
    """Whether a TXT record is an SPF record: `v=spf1` alone or before a blank."""
    return record.lower() == "v=spf1" or record.lower().startswith("v=spf1 ")


def read_spf(record: str) -> SpfRecord:
    """Takes an SPF record apart.

    Args:
        record: The text of the TXT record, version included.

    Returns:
        Its terms and the first syntax error.
    """
    terms: list[SpfTerm] = []
    error = ""
    seen: set[str] = set()
    for word in record.split(" ")[1 : MAX_TERMS + 1]:
        if not word:
            continue
        term, problem = _term(word)
        if term is not None:
            if term.name in {"redirect", "exp"} and term.name in seen:
                problem = f"{term.name} stands twice"
            seen.add(term.name)
            terms.append(term)
        error = error or problem
    return SpfRecord(tuple(terms), error)


def domain_of(term: SpfTerm, current: str) -> str | None:
    """The domain that a term looks at.

    Args:
        term: A term that needs DNS.
        current: The domain whose record holds the term.

    Returns:
        The domain in lower case; None where it has macros, which only a real mail can fill in.
    """
    match = _PREFIXES.fullmatch(term.value)
    name = match.group(1) if match else term.value
    if "%" in name:
        return None
    return (name or current).rstrip(".").lower()


def _term(word: str) -> tuple[SpfTerm | None, str]:
    modifier = _MODIFIER.fullmatch(word)
    if modifier is not None:
        name = modifier.group(1).lower()
        value = modifier.group(2)
        problem = f"{name} needs a domain" if name in _NEED_DOMAIN and not value else ""
        return SpfTerm(name, value), problem
    mechanism = _MECHANISM.fullmatch(word)
    if mechanism is None:
        return None, f"{word[:60]!r} is no term"
    qualifier, name, mark, value = mechanism.groups("")
    name = name.lower()
    if name not in _MECHANISMS:
        return None, f"{name[:60]!r} is no mechanism"
    if mark == "/":
        value = "/" + value
    return SpfTerm(name, value, qualifier or "+"), _problem(name, mark, value)


def _problem(name: str, mark: str, value: str) -> str:
    if name == "all":
        return "all takes no value" if mark else ""
    if name in {"ip4", "ip6"}:
        return _address_problem(name, value)
    if name in _NEED_DOMAIN and (mark != ":" or not value):
        return f"{name} needs a domain"
    if mark == ":" and not value:
        return f"{name} has a colon but no domain"
    return ""


def _address_problem(name: str, value: str) -> str:
    network = IPv4Network if name == "ip4" else IPv6Network
    problem = f"{name} needs an address or a block, not {value[:60]!r}"
    if not _BLOCK.fullmatch(value):
        return problem
    try:
        network(value, strict=False)
    except ValueError:
        return problem
    return ""
