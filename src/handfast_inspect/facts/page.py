"""What one HTML page contains: read from its text, never executed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ScriptReference:
    """A `script` element with a `src`."""

    url: str
    """Absolute, resolved against the page."""
    integrity: str = ""
    crossorigin: str | None = None


@dataclass(frozen=True, slots=True)
class Subresource:
    """Anything else that the page loads by itself."""

    url: str
    """Absolute, resolved against the page."""
    kind: Literal["active", "passive"]
    """Active: stylesheets, frames, objects, fetches. Passive: images, audio, video."""
    element: str = ""
    """The element's name: link, iframe, img …"""


@dataclass(frozen=True, slots=True)
class Form:
    """A `form` element."""

    action: str
    """Absolute, resolved against the page; the page itself when the attribute is missing."""
    method: str = "get"
    has_password: bool = False
    has_anti_csrf_field: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of one HTML document that rules look at."""

    title: str = ""
    scripts: tuple[ScriptReference, ...] = ()
    inline_scripts: int = 0
    subresources: tuple[Subresource, ...] = ()
    forms: tuple[Form, ...] = ()
    has_password_field: bool = False
    """Also true for password fields outside any form."""
    meta_csp: tuple[str, ...] = ()
    """`content` of every meta element with http-equiv Content-Security-Policy."""
    meta_referrer: str | None = None
    meta_framing: str | None = None
    """`content` of a meta element that tries to set X-Frame-Options (browsers ignore it)."""
    meta_refresh: str | None = None
    """Absolute target of a meta refresh, if any."""
    generator: str = ""
    """`content` of meta name=generator."""
