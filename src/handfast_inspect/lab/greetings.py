"""Conversations of services that speak before they are spoken to: mail, files, shells, data."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from handfast_inspect.lab import injections
from handfast_inspect.lab.conversation import Conversation, Visitor

_MAX_COMMANDS: Final = 50
_SSH_KEXINIT: Final = 20
_SSH_BLOCK: Final = 8
_SSH_MIN_PADDING: Final = 4


def greet(banner: bytes, answers: Mapping[bytes, bytes], otherwise: bytes) -> Conversation:
    """Makes the conversation of a line-based service.

    Args:
        banner: Sent at once.
        answers: What each command, in upper case, is answered.
        otherwise: The answer to every other command.
    """

    async def converse(visitor: Visitor) -> None:
        await visitor.send(banner)
        for _ in range(_MAX_COMMANDS):
            line = await visitor.line()
            if not line:
                return
            command = _command(line)
            visitor.note(command.decode("ascii", "backslashreplace"))
            if command == b"STARTTLS" and visitor.starttls:
                await visitor.send(b"220 Ready to start TLS\r\n")
                await visitor.start_tls()
                continue
            await visitor.send(answers.get(command, otherwise))
            if command in {b"QUIT", b"LOGOUT"}:
                return

    return converse


def _command(line: bytes) -> bytes:
    """The command of a line; IMAP puts a tag of letters and digits before it."""
    words = line.upper().split()
    if len(words) > 1 and words[0][:1] in {b"A", b"."} and words[0][1:].isdigit():
        return words[1]
    return words[0] if words else b""


def _smtp(host: str, software: str, *extensions: str) -> Conversation:
    lines = [host, *extensions]
    marks = ["-"] * (len(lines) - 1) + [" "]
    ehlo = "".join(f"250{mark}{line}\r\n" for mark, line in zip(marks, lines, strict=True))
    return greet(
        f"220 {host} {software}\r\n".encode(),
        {
            b"EHLO": ehlo.encode(),
            b"HELO": f"250 {host}\r\n".encode(),
            b"NOOP": b"250 OK\r\n",
            b"QUIT": b"221 Bye\r\n",
        },
        b"502 Command not implemented\r\n",
    )


smtp_with_starttls: Final = _smtp("mail.good.lab.example", "ESMTP", "SIZE 10240000", "STARTTLS")
"""A mail server that offers encryption."""

smtp_without_starttls: Final = _smtp(
    "mail.bad.lab.example", "ESMTP Postfix 2.6.6", "SIZE 10240000", "AUTH PLAIN LOGIN", "VRFY"
)
"""A mail server that asks for passwords in the clear."""

ftp: Final = greet(
    b"220 (vsFTPd 2.3.4)\r\n",
    {
        b"FEAT": b"211-Features:\r\n PASV\r\n SIZE\r\n211 End\r\n",
        b"AUTH": b"530 Please login with USER and PASS.\r\n",
        b"QUIT": b"221 Goodbye.\r\n",
    },
    b"530 Please login with USER and PASS.\r\n",
)
"""An FTP server without encryption."""

pop3: Final = greet(
    b"+OK Dovecot ready.\r\n",
    {b"CAPA": b"+OK\r\nUSER\r\nUIDL\r\n.\r\n", b"QUIT": b"+OK Bye\r\n"},
    b"-ERR Unknown command\r\n",
)
"""A POP3 server without STLS."""

imap: Final = greet(
    b"* OK [CAPABILITY IMAP4rev1 LOGIN-REFERRALS ID AUTH=PLAIN] IMAP ready.\r\n",
    {b"LOGOUT": b"* BYE\r\n"},
    b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nA001 OK done\r\n",
)
"""An IMAP server without STARTTLS."""

telnet: Final = greet(
    b"\xff\xfd\x18\xff\xfd\x20\xff\xfb\x01\xff\xfb\x03\r\nrouter login: ", {}, b"Password: "
)
"""Telnet: four option negotiations (RFC 854) and a prompt."""

_REDIS_INFO: Final = b"# Server\r\nredis_version:3.2.1\r\nos:Linux\r\nrole:master\r\n"

redis: Final = greet(
    b"$%d\r\n%s\r\n" % (len(_REDIS_INFO), _REDIS_INFO),
    {b"PING": b"+PONG\r\n"},
    b"-ERR unknown command\r\n",
)
"""A data store that tells all to whoever connects, without being asked (a real one waits)."""

hostile: Final = greet(
    f"220 {injections.ANSI}{injections.ORDER_ENGLISH} {injections.BREAKS_HTML}"
    f"{injections.BIDI}\r\n220-{injections.FAKE_TURN}\r\n".encode(),
    {},
    f"500 {injections.ORDER_CHINESE}\r\n".encode(),
)
"""A greeting that addresses the reader."""


def _name_list(names: str) -> bytes:
    encoded = names.encode()
    return struct.pack("!I", len(encoded)) + encoded


def key_exchange_packet(lists: tuple[str, ...]) -> bytes:
    """Writes an SSH_MSG_KEXINIT packet (RFC 4253 sections 6 and 7.1).

    Args:
        lists: The ten comma-separated name lists, in the order of the RFC.
    """
    cookie = b"handfast-cookie."
    payload = bytes([_SSH_KEXINIT]) + cookie + b"".join(_name_list(names) for names in lists)
    payload += b"\x00" + bytes(4)
    padding = _SSH_BLOCK - (len(payload) + 5) % _SSH_BLOCK
    if padding < _SSH_MIN_PADDING:
        padding += _SSH_BLOCK
    return struct.pack("!IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


_OLD_ALGORITHMS: Final = (
    "diffie-hellman-group1-sha1,diffie-hellman-group14-sha1",
    "ssh-dss,ssh-rsa",
    *("arcfour,3des-cbc,aes128-cbc",) * 2,
    *("hmac-md5,hmac-sha1",) * 2,
    *("none,zlib",) * 2,
    *("",) * 2,
)


async def ssh(visitor: Visitor) -> None:
    """An SSH server of 2009: it says who it is and what it offers, and waits."""
    await visitor.send(b"SSH-2.0-OpenSSH_5.3p1\r\n")
    identification = await visitor.line()
    if identification:
        visitor.note(identification.decode("ascii", "backslashreplace"))
    await visitor.send(key_exchange_packet(_OLD_ALGORITHMS))
    await visitor.line()
