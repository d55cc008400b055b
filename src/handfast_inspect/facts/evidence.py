"""Evidence: the bytes that prove a fact, where they came from and how to get them again."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from handfast_inspect.facts.asset import Asset

MAX_EXCERPT: Final = 4096
"""Bytes kept of one piece of evidence; the hash covers all of them."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a target, or a server asked about it, really sent."""

    id: str
    """`probe:hash`: the same bytes about the same thing have the same id in every run."""
    probe: str
    """Id of the probe that took it."""
    asset: Asset
    taken_at: datetime
    """In UTC."""
    summary: str
    """One line for the report: `GET https://example.test/ answered 200`."""
    excerpt_base64: str
    """The first bytes, exactly, unless `redacted`."""
    sha256: str
    """Lower-case hex over all the bytes that were received, excerpt and rest."""
    length: int
    """How many bytes these were."""
    redacted: bool = False
    """Secrets in the excerpt were blotted out before it was stored."""
    reproduce: str = ""
    """A shell line that shows the same again: dig, curl, openssl."""

    @property
    def excerpt(self) -> bytes:
        """The bytes kept."""
        return base64.b64decode(self.excerpt_base64)

    @property
    def text(self) -> str:
        """The excerpt for a person: UTF-8, with whatever is not printable made visible."""
        decoded = self.excerpt.decode("utf-8", "backslashreplace")
        return "".join(map(_visible, decoded))


def take_evidence(
    probe: str,
    asset: Asset,
    summary: str,
    content: bytes,
    taken_at: datetime,
    *,
    shown: bytes | None = None,
    reproduce: str = "",
) -> Evidence:
    """Make evidence of what was received.

    Args:
        probe: Id of the probe.
        asset: What it is about.
        summary: One line for the report.
        content: Every byte received.
        taken_at: When, in UTC.
        shown: What to keep instead of the content, where that holds secrets.
        reproduce: A shell line that shows the same again.

    Returns:
        The record; of long content only the first `MAX_EXCERPT` bytes are kept.
    """
    excerpt = (content if shown is None else shown)[:MAX_EXCERPT]
    digest = hashlib.sha256(content).hexdigest()
    name = hashlib.sha256(f"{asset}\0{summary}\0{digest}".encode("utf-8", "surrogatepass"))
    return Evidence(
        id=f"{probe}:{name.hexdigest()[:16]}",
        probe=probe,
        asset=asset,
        taken_at=taken_at,
        summary=summary,
        excerpt_base64=base64.b64encode(excerpt).decode("ascii"),
        sha256=digest,
        length=len(content),
        redacted=shown is not None,
        reproduce=reproduce,
    )


def _visible(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return character.encode("unicode_escape").decode("ascii")
