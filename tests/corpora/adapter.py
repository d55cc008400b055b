"""Asks the real boundary about an input of the corpora.

`ssrf(input)` plays one request through an `EgressGuard` whose resolver answers as the input says;
`argv(input)` gives an argument vector to `authorize_argv` under the scope that README.md states.
Nothing is sent anywhere.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, cast

from handfast.boundary.commands import authorize_argv
from handfast.boundary.egress import EgressGuard
from handfast.boundary.hostnames import HostError, normalise_host
from handfast.boundary.scope import Scope, parse_scope
from handfast.errors import CommandRefused, EgressDenied

FOLDER = Path(__file__).parent

ARGV_SCOPE: Scope = parse_scope(
    """
    probes = ["passive", "read"]
    ports = ["1-65535"]
    targets = ["lab.example", "*.lab.example", "203.0.113.8/29", "2001:db8:10::/64"]
    # Documentation addresses are public nowhere.
    allow_private = ["203.0.113.8/29", "2001:db8:10::/64"]
    [authorisation]
    by = "the corpus"
    contact = "corpus@lab.example"
    date = 2026-01-01
    reference = "README.md"
    """,
    source="corpus scope",
)


class AnswersInTurn:
    """A resolver that answers a name's first look-up with the first list, and so on."""

    def __init__(self, dns: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {_name(name): list(lists) for name, lists in dns.items()}
        self.look_ups: list[str] = []

    async def resolve(self, host: str) -> Sequence[str]:
        self.look_ups.append(host)
        lists = self._answers.get(host)
        if not lists:
            raise OSError(f"{host} does not resolve")
        return lists.pop(0) if len(lists) > 1 else lists[0]

    def next_answer(self, host: str) -> Sequence[str]:
        """What a second look-up would say."""
        return (self._answers.get(host) or [[]])[0]


def _name(text: str) -> str:
    try:
        return str(normalise_host(text))
    except HostError:
        return text


def cases(name: str) -> list[dict[str, object]]:
    """Reads a corpus."""
    lines = FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()
    return [cast("dict[str, object]", json.loads(line)) for line in lines if line.strip()]


def ssrf(given: Mapping[str, object]) -> Literal["allow", "block", "pin"]:
    """Says what becomes of a request: refused, sent, or sent to the checked address alone."""
    return asyncio.run(_request(given))[0]


def connection(given: Mapping[str, object]) -> str:
    """The address that the last connection of a request goes to; empty when it is refused."""
    return asyncio.run(_request(given))[1]


def argv(given: Mapping[str, object]) -> Literal["allow", "block"]:
    """Says whether a command would run."""
    program, args = cast("str", given["program"]), cast("list[str]", given["args"])
    try:
        authorize_argv(program, args, ARGV_SCOPE)
    except CommandRefused:
        return "block"
    return "allow"


async def _request(
    given: Mapping[str, object],
) -> tuple[Literal["allow", "block", "pin"], str]:
    dns = cast("dict[str, list[list[str]]]", given.get("dns") or {})
    resolver = AnswersInTurn(dns)
    guard = EgressGuard(None, resolver)
    hops = cast("list[str]", given.get("redirects") or [])
    try:
        admission = await guard.admit(cast("str", given["url"]))
        for location in hops:
            admission = await guard.admit_redirect(admission, location)
    except EgressDenied:
        return "block", ""
    address = str(admission.address)
    # A name that would answer otherwise the next time is safe only because nobody asks again.
    later = resolver.next_answer(admission.host) if resolver.look_ups else [address]
    return "allow" if address in later else "pin", address
