"""Asking a mail or file service whether it offers TLS before a login: one harmless command.

SMTP gets EHLO and, where it is offered, STARTTLS; FTP gets FEAT; POP3 gets CAPA; IMAP is asked for
its capabilities (RFC 3207, 4217, 2595, 9051). No login is ever begun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from handfast import Admission
from handfast.network.connect import Connection, open_connection, verified_context
from handfast.network.failure import Failure
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.service import StartTlsFact
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import NO_VALUE, ProbeContext
from handfast_inspect.probes.reproduce import openssl_line

MAX_REPLY: Final = 8 * 1024
"""Bytes of a greeting or a reply that are read."""

Clear = Literal["smtp", "ftp", "pop3", "imap"]
"""The protocols that begin in the clear and may go on encrypted."""


@dataclass(frozen=True, slots=True)
class _Dialogue:
    """How one protocol is asked."""

    question: bytes
    greeting_ends: re.Pattern[bytes]
    reply_ends: re.Pattern[bytes]
    offered: re.Pattern[bytes]


_LINE_220: Final = re.compile(rb"(?m)^[2-5][0-9]{2} [^\n]*\n\Z")
_DIALOGUES: Final[dict[Clear, _Dialogue]] = {
    "smtp": _Dialogue(
        f"EHLO {NO_VALUE}.example\r\n".encode(),
        _LINE_220,
        _LINE_220,
        re.compile(rb"(?im)^250[- ]STARTTLS\s*$"),
    ),
    "ftp": _Dialogue(
        b"FEAT\r\n", _LINE_220, _LINE_220, re.compile(rb"(?im)^\s*AUTH\s+[^\n]*(?:TLS|SSL)")
    ),
    "pop3": _Dialogue(
        b"CAPA\r\n",
        re.compile(rb"\n\Z"),
        re.compile(rb"(?:\n\.\r?\n|^-ERR[^\n]*\n)\Z"),
        re.compile(rb"(?im)^STLS\s*$"),
    ),
    "imap": _Dialogue(
        b"A001 CAPABILITY\r\n",
        re.compile(rb"\n\Z"),
        re.compile(rb"(?m)^A001 [^\n]*\n\Z"),
        re.compile(rb"(?i)\bSTARTTLS\b"),
    ),
}


def clear_protocol(protocol: str) -> Clear | None:
    """The protocol, if it is one that begins in the clear and may go on encrypted."""
    return next((name for name in _DIALOGUES if name == protocol), None)


async def look_at_starttls(
    context: ProbeContext, notes: Notes, admission: Admission, protocol: Clear, *, is_mx: bool
) -> None:
    """Asks one service, and makes the handshake where a mail exchanger offers it.

    Args:
        context: What the probe may use.
        notes: Where the fact goes.
        admission: The boundary's leave for the service.
        protocol: What it speaks.
        is_mx: Whether it takes mail for the domain under inspection.
    """
    asset = Asset(admission.host, str(admission.address), admission.port)
    covers = ("svc.smtp",) if protocol == "smtp" else ("svc.clear",)
    async with (
        context.pace.request(admission.host),
        open_connection(admission, context.deadlines) as connection,
    ):
        if isinstance(connection, Failure):
            notes.gap(asset, covers, f"{protocol}: {connection}", "error")
            return
        said = await _ask(connection, _DIALOGUES[protocol])
        context.pace.receive(len(said.data))
        if said.trouble:
            notes.gap(asset, covers, f"{protocol}: {said.trouble}", "error")
            return
        offered = _DIALOGUES[protocol].offered.search(said.data) is not None
        valid, error = (None, "")
        if offered and protocol == "smtp":
            valid, error = await _handshake(connection, context)
    evidence = notes.prove(
        asset,
        f"{protocol}: STARTTLS {'offered' if offered else 'not offered'}",
        said.data,
        reproduce=openssl_line(admission.host, admission.port, f"-starttls {protocol}"),
    )
    notes.fact(
        StartTlsFact(
            asset=asset,
            evidence=evidence,
            protocol=protocol,
            offered=offered,
            is_mx=is_mx,
            certificate_valid=valid,
            certificate_error=error,
        )
    )


@dataclass(frozen=True, slots=True)
class _Said:
    data: bytes
    trouble: str = ""


async def _ask(connection: Connection, dialogue: _Dialogue) -> _Said:
    greeting = await connection.receive(
        MAX_REPLY, lambda data: dialogue.greeting_ends.search(data) is not None
    )
    if greeting.failure is not None or greeting.cut:
        return _Said(greeting.data, f"no greeting: {greeting.failure or 'it does not end'}")
    failure = await connection.send(dialogue.question)
    if failure is not None:
        return _Said(greeting.data, str(failure))
    reply = await connection.receive(
        MAX_REPLY, lambda data: dialogue.reply_ends.search(data) is not None
    )
    if reply.cut or (reply.failure is not None and not reply.data):
        return _Said(greeting.data, f"no reply: {reply.failure or 'it does not end'}")
    return _Said(greeting.data + reply.data)


async def _handshake(connection: Connection, context: ProbeContext) -> tuple[bool | None, str]:
    """Goes on encrypted; says whether the certificate is valid for the name."""
    failure = await connection.send(b"STARTTLS\r\n")
    if failure is not None:
        return None, str(failure)
    ready = await connection.receive(MAX_REPLY, lambda data: data.endswith(b"\n"))
    if not ready.data.startswith(b"220"):
        return None, f"STARTTLS was refused: {ready.data[:80].decode('ascii', 'backslashreplace')}"
    outcome = await connection.start_tls(verified_context(context.trust))
    if isinstance(outcome, Failure):
        return False, str(outcome)
    return True, ""
