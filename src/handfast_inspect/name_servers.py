"""Which name server answers for an inspection, and whether its target exists at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from handfast import Scope, UserError
from handfast.network.answer import DnsAnswer, DnsStatus, Question
from handfast.network.nameserver import Nameserver, ask
from handfast.network.resolver import DnsResolver, ResolverLimits, system_nameservers

MAX_LISTED: Final = 4
"""Listed servers that are tried before the system's."""

_SILENT: Final = frozenset({DnsStatus.TIMEOUT, DnsStatus.UNREACHABLE, DnsStatus.MALFORMED})
_ROOT: Final = "."


async def find_resolver(
    scope: Scope,
    host: str,
    system: tuple[Nameserver, ...] | None = None,
    limits: ResolverLimits | None = None,
) -> DnsResolver:
    """The resolver of an inspection: a listed server that resolves for us, else the system's.

    A scope lists servers of a zone too, so that they may be asked; these answer for their zone
    only, and say so by a missing RA bit (RFC 1035, section 4.1.1).

    Args:
        scope: Its `name_servers` are tried in their order.
        host: The target.
        system: The system's name servers; None looks them up.
        limits: How long the resolver tries.

    Raises:
        UserError: There is no name server, none answers, or the DNS knows no such host.
    """
    listed = [Nameserver(str(each.address), each.port) for each in scope.name_servers]
    tried = listed[:MAX_LISTED]
    seconds = (limits or ResolverLimits()).attempt_seconds
    answers = await asyncio.gather(*(_answer_of(server, host, seconds) for server in tried))
    recursive = [
        (answer.status is DnsStatus.REFUSED, number)
        for number, answer in enumerate(answers)
        if answer.recursion_available
    ]
    if recursive:
        _, best = min(recursive)
        _require_exists(answers[best], host)
        return DnsResolver([tried[best]], limits)
    if tried and all(_is_silent(answer) for answer in answers):
        raise _nobody(tried)  # another view of the DNS could lead to other machines
    servers = system_nameservers() if system is None else system
    if not servers and not listed:
        raise UserError(
            "This system names no name server (/etc/resolv.conf): list one in the scope file, "
            'for example name_servers = ["9.9.9.9"].',
        )
    resolver = DnsResolver(servers or listed, limits)
    answer = await resolver.query(_question(host))
    _require_exists(answer, host)
    if _is_silent(answer) and _is_silent(await resolver.query(Question(_ROOT, "NS"))):
        raise _nobody(resolver.nameservers)
    return resolver


async def _answer_of(server: Nameserver, host: str, seconds: float) -> DnsAnswer:
    """What a server says of the host; where it says nothing, what it says of the root."""
    answer = await ask(_question(host), server, seconds)
    if _is_silent(answer):
        return await ask(Question(_ROOT, "NS"), server, seconds)
    return answer


def _require_exists(answer: DnsAnswer, host: str) -> None:
    unknown = answer.status is DnsStatus.NXDOMAIN and not answer.records
    if unknown and answer.question.name == host:
        raise UserError(f"The DNS knows no {host}: check the spelling of the target.")


def _nobody(asked: Sequence[Nameserver]) -> UserError:
    servers = ", ".join(f"{each.address} port {each.port}" for each in asked)
    return UserError(
        f"No name server answers ({servers}): check the network, or list another one in the "
        'scope file, for example name_servers = ["9.9.9.9"].',
    )


def _question(host: str) -> Question:
    """For an address, a question that any server can answer."""
    return Question(_ROOT, "NS") if _is_address(host) else Question(host, "SOA")


def _is_address(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdecimal()


def _is_silent(answer: DnsAnswer) -> bool:
    return answer.status in _SILENT
