"""HTTP/1.1 messages as values: requests read leniently, answers written exactly as told.

An answer may be as wrong as the laboratory needs it: header lines are bytes, and nothing is added
but `Content-Length`, and that only where the answer does not bring its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.site import ServiceKind, Site

MAX_HEAD_BYTES: Final = 16 * 1024
"""The longest request head that is read."""
MAX_BODY_BYTES: Final = 64 * 1024
"""The longest request body that is read."""

Headers: TypeAlias = tuple[tuple[str, str], ...]

_REASONS: Final = {
    200: "OK",
    204: "No Content",
    301: "Moved Permanently",
    302: "Found",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    505: "HTTP Version Not Supported",
}


class BadRequest(Exception):
    """A request that cannot be read.

    Attributes:
        status: The status code to answer with.
    """

    def __init__(self, status: int) -> None:
        super().__init__(f"bad request: {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """One request head."""

    method: str
    path: str
    """The path without the query, as sent."""
    version: str
    """`HTTP/1.0` or `HTTP/1.1`."""
    headers: Headers
    """Names in lower case, in the order sent."""

    def header(self, name: str) -> str:
        """The first header of that lower-case name; empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def host(self) -> str:
        """The host of the Host header, lower case, without the port."""
        return self.header("host").rsplit(":", 1)[0].lower().rstrip(".")

    @property
    def keeps_alive(self) -> bool:
        """Whether the visitor wants to send another request (RFC 9112 section 9.3)."""
        return self.version == "HTTP/1.1" and "close" not in self.header("connection").lower()

    @property
    def body_length(self) -> int:
        """How many bytes of body follow.

        Raises:
            BadRequest: The length is no number, too large, or told by chunks.
        """
        if self.header("transfer-encoding"):
            raise BadRequest(501)
        told = self.header("content-length") or "0"
        if not (told.isascii() and told.isdigit()) or len(told) > len(str(MAX_BODY_BYTES)):
            raise BadRequest(400)
        if int(told) > MAX_BODY_BYTES:
            raise BadRequest(413)
        return int(told)


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. `headers` come out as they are, control characters included."""

    status: int = 200
    headers: Headers = ()
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    """Empty sends none."""
    tells_length: bool = True
    """Whether `Content-Length` is added; without it the body ends with the connection."""

    def encode(self, *, head_only: bool = False) -> bytes:
        """Writes the bytes of the answer.

        Args:
            head_only: Leave the body out, for HEAD.
        """
        lines = list(self.headers)
        if self.content_type:
            lines.insert(0, ("Content-Type", self.content_type))
        if self.tells_length and not any(name.lower() == "content-length" for name, _ in lines):
            lines.append(("Content-Length", str(len(self.body))))
        status = f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Unknown')}"
        head = "\r\n".join([status, *(f"{name}: {value}" for name, value in lines), "", ""])
        return head.encode("utf-8", "surrogateescape") + (b"" if head_only else self.body)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with where it arrived."""

    request: Request
    site: Site
    kind: ServiceKind
    book: AddressBook = field(repr=False)

    @property
    def path(self) -> str:
        """The path that was asked for."""
        return self.request.path

    def url(self, kind: ServiceKind, path: str = "/") -> str:
        """A URL on the same site, under the name that the visitor used if it is one of ours."""
        known = self.request.host in {self.site.name, *self.site.aliases}
        return self.book.url(self.request.host if known else self.site.name, kind, path)


Responder: TypeAlias = Callable[[Exchange], Response]
"""Answers one request, at once."""


def parse_head(head: bytes) -> Request:
    """Reads a request head that ends with an empty line.

    Raises:
        BadRequest: It is no HTTP/1 request.
    """
    if len(head) > MAX_HEAD_BYTES:
        raise BadRequest(431)
    lines = head.decode("latin-1").replace("\r\n", "\n").rstrip("\n").split("\n")
    parts = lines[0].split(" ")
    if len(parts) != 3 or not parts[0].isalpha() or not parts[1]:  # noqa: PLR2004 - RFC 9112, 3
        raise BadRequest(400)
    method, target, version = parts
    if version not in {"HTTP/1.0", "HTTP/1.1"}:
        raise BadRequest(505 if version.startswith("HTTP/") else 400)
    return Request(method, _path_of(target), version, tuple(_header(line) for line in lines[1:]))


def _path_of(target: str) -> str:
    if target.startswith(("http://", "https://")):
        target = "/" + target.split("/", 3)[3] if target.count("/") > 2 else "/"  # noqa: PLR2004 - scheme://host/
    if not target.startswith(("/", "*")):
        raise BadRequest(400)
    return target.split("?", 1)[0]


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip():
        raise BadRequest(400)
    return name.lower(), value.strip()
