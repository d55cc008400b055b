"""HTTP facts: responses, CORS, methods, error pages, listings and well-known files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.page import Page


@dataclass(frozen=True, slots=True)
class Hop:
    """One request of a redirect chain, the last (final) one included."""

    url: str
    status: int
    location: str | None = None
    """The Location header as sent."""
    ip: str | None = None
    hsts: str | None = None
    """The Strict-Transport-Security header of this hop, if any."""


@dataclass(frozen=True, slots=True)
class Cookie:
    """One Set-Cookie line, without the value: values are secrets."""

    name: str
    host: str
    """The host that set it."""
    secure: bool = False
    http_only: bool = False
    same_site: str | None = None
    """As written; None when the attribute is absent."""
    domain: str | None = None
    """As written, without a leading dot; None when the attribute is absent."""
    path: str | None = None
    max_age: int | None = None
    """Seconds."""
    expires: str | None = None
    value_length: int = 0
    url: str = ""
    """The URL whose response set it."""


@dataclass(frozen=True, slots=True)
class HttpResponseFact:
    """One GET with its redirects followed, or the reason why there was no answer."""

    asset: Asset
    evidence: tuple[str, ...]
    purpose: Literal["http_home", "https_home", "page"]
    """`http_home`: asked for http://host/. `https_home`: https://host/. `page`: anything else."""
    url: str
    """What was asked for first."""
    hops: tuple[Hop, ...] = ()
    """Every answer in order; empty without an answer."""
    final_url: str = ""
    status: int | None = None
    """Of the final answer; None without an answer."""
    http_version: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """Of the final answer, in order, repeated names kept apart."""
    cookies: tuple[Cookie, ...] = ()
    """Of every hop."""
    page: Page | None = None
    """None when the final answer is not HTML."""
    body_sha256: str = ""
    body_length: int = 0
    certificate_valid: bool | None = None
    """Whether every https hop had a certificate that a browser accepts; None without https."""
    error: str = ""
    """Why there was no final answer: "connection refused", "too many redirects" …"""


@dataclass(frozen=True, slots=True)
class SchemeFact:
    """How the same host answers on http and on https."""

    asset: Asset
    evidence: tuple[str, ...]
    http_answers: bool | None
    https_answers: bool | None
    same_content: bool | None = None
    """Compared only when both answered with a page of their own; None otherwise."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PreloadFact:
    """Whether the host is on the HSTS preload list."""

    asset: Asset
    evidence: tuple[str, ...]
    preloaded: bool
    snapshot: str
    """Date of the list that was looked at, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class CorsFact:
    """The CORS answer to one GET with a foreign Origin header."""

    asset: Asset
    evidence: tuple[str, ...]
    sent_origin: str
    """The foreign origin that was sent, or `null`."""
    allow_origin: str | None
    allow_credentials: str | None


@dataclass(frozen=True, slots=True)
class MethodsFact:
    """Which methods the server says it allows (OPTIONS) and whether TRACE is answered."""

    asset: Asset
    evidence: tuple[str, ...]
    allowed: tuple[str, ...] | None
    """Methods of the Allow header, upper case; None without one."""
    trace_echoed: bool | None
    """True when TRACE came back as message/http; None when not tried."""


@dataclass(frozen=True, slots=True)
class ErrorPageFact:
    """What a path that cannot exist returns."""

    asset: Asset
    evidence: tuple[str, ...]
    status: int
    content_type: str
    excerpt: str
    """At most 4,096 characters of the body."""


@dataclass(frozen=True, slots=True)
class DirectoryFact:
    """What a directory URL returns."""

    asset: Asset
    evidence: tuple[str, ...]
    status: int
    title: str
    excerpt: str
    """At most 4,096 characters of the body."""


@dataclass(frozen=True, slots=True)
class FileProbeFact:
    """One request of the fixed list of files that should not be public."""

    asset: Asset
    evidence: tuple[str, ...]
    path: str
    kind: str
    """See `handfast_inspect.rules.exposed_files` for the kinds that are judged: git, env,
    aws_credentials, private_key, database_dump, config_backup, phpinfo, server_status, actuator,
    svn, ds_store, source_map."""
    status: int | None
    signature: str | None
    """Name of the content signature that matched; None when none did."""
    differs_from_baseline: bool
    """False when a random path returns the same kind of answer."""
    excerpt: str = ""
    """Redacted: enough to prove the kind, no secret."""


@dataclass(frozen=True, slots=True)
class SecurityTxtFact:
    """The answer at /.well-known/security.txt (RFC 9116)."""

    asset: Asset
    evidence: tuple[str, ...]
    status: int | None
    final_url: str
    content_type: str
    signed: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    """Field names in lower case, values as written."""
    error: str = ""
    """A line that is no field, or why there was no answer."""


@dataclass(frozen=True, slots=True)
class RobotsFact:
    """The answer at /robots.txt."""

    asset: Asset
    evidence: tuple[str, ...]
    status: int | None
    disallow: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
