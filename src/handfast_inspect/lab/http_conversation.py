"""The conversation of an HTTP/1.1 server: requests in, a responder's answers out."""

from __future__ import annotations

import asyncio
from typing import Final

from handfast_inspect.lab.conversation import Conversation, Visitor
from handfast_inspect.lab.http_message import (
    BadRequest,
    Exchange,
    Request,
    Responder,
    Response,
    parse_head,
)

MAX_REQUESTS: Final = 100
"""Requests that one connection may carry."""


def http_conversation(respond: Responder) -> Conversation:
    """Makes the conversation of a web server.

    Args:
        respond: What answers each request.
    """

    async def converse(visitor: Visitor) -> None:
        for _ in range(MAX_REQUESTS):
            if not await _answer_one(visitor, respond):
                return

    return converse


async def read_request(visitor: Visitor) -> Request | None:
    """Reads one request with its body, which is dropped; None at the end of the stream.

    Raises:
        BadRequest: What came is no HTTP/1 request.
        TimeoutError: It did not come in time.
    """
    async with asyncio.timeout(visitor.pace.idle_seconds):
        try:
            head = await visitor.reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as cut:
            if cut.partial.strip():
                raise BadRequest(400) from cut
            return None
        except asyncio.LimitOverrunError as overrun:
            raise BadRequest(431) from overrun
        request = parse_head(head)
        visitor.note(f"{request.method} {request.path}")
        try:
            await visitor.reader.readexactly(request.body_length)
        except asyncio.IncompleteReadError:
            return None
        return request


async def _answer_one(visitor: Visitor, respond: Responder) -> bool:
    """Serves one request; False when the connection is to end."""
    try:
        request = await read_request(visitor)
    except BadRequest as bad:
        await visitor.send(_refusal(bad.status).encode())
        return False
    if request is None:
        return False
    response = respond(Exchange(request, visitor.site, visitor.kind, visitor.book))
    await visitor.send(response.encode(head_only=request.method == "HEAD"))
    return request.keeps_alive


def _refusal(status: int) -> Response:
    return Response(status, headers=(("Connection", "close"),), content_type="")
