"""Content-Security-Policy: parsing (CSP Level 3, section 2.2) and what a set of policies allows.

A page under several policies loads only what all of them allow, so a weakness counts only when
every policy has it. `[no directive]` falls back to `default-src` for fetch directives; base-uri,
form-action and frame-ancestors have no fallback.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

_NAME = re.compile(r"[A-Za-z0-9-]+")
_META_IGNORED = frozenset({"frame-ancestors", "report-uri", "sandbox"})
_NONCE_OR_HASH = re.compile(r"'(nonce-[^']+|sha(256|384|512)-[^']+)'", re.IGNORECASE)
_BROAD = frozenset(
    {"*", "http:", "https:", "data:", "blob:", "filesystem:", "http://*", "https://*"}
)

KNOWN_DIRECTIVES = frozenset(
    {
        "base-uri",
        "block-all-mixed-content",
        "child-src",
        "connect-src",
        "default-src",
        "fenced-frame-src",
        "font-src",
        "form-action",
        "frame-ancestors",
        "frame-src",
        "img-src",
        "manifest-src",
        "media-src",
        "navigate-to",
        "object-src",
        "plugin-types",
        "prefetch-src",
        "report-to",
        "report-uri",
        "require-sri-for",
        "require-trusted-types-for",
        "sandbox",
        "script-src",
        "script-src-attr",
        "script-src-elem",
        "style-src",
        "style-src-attr",
        "style-src-elem",
        "trusted-types",
        "upgrade-insecure-requests",
        "webrtc",
        "worker-src",
    }
)


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy: directive names in lower case, each with its source list."""

    directives: Mapping[str, tuple[str, ...]]

    def sources(self, name: str) -> tuple[str, ...] | None:
        """The sources of a fetch directive, `default-src` standing in; None: anything goes."""
        for candidate in _fallbacks(name):
            if candidate in self.directives:
                return self.directives[candidate]
        return None


def _fallbacks(name: str) -> tuple[str, ...]:
    if name.startswith("script-src-"):
        return (name, "script-src", "default-src")
    if name.startswith("style-src-"):
        return (name, "style-src", "default-src")
    return (name, "default-src")


def parse_policies(headers: Iterable[str], meta: Iterable[str] = ()) -> tuple[Policy, ...]:
    """Parse every enforced policy of a response.

    Args:
        headers: Values of Content-Security-Policy headers; a comma separates policies.
        meta: Contents of meta elements; frame-ancestors, report-uri and sandbox do not count there.

    Returns:
        Policies with at least one known directive, headers first.
    """
    parsed = [_parse(text) for value in headers for text in value.split(",")]
    for text in meta:
        directives = _parse(text)
        parsed.append({k: v for k, v in directives.items() if k not in _META_IGNORED})
    return tuple(
        Policy(MappingProxyType(directives))
        for directives in parsed
        if KNOWN_DIRECTIVES & directives.keys()
    )


def _parse(text: str) -> dict[str, tuple[str, ...]]:
    directives: dict[str, tuple[str, ...]] = {}
    for part in text.split(";"):
        tokens = part.split()
        if tokens and _NAME.fullmatch(tokens[0]):
            directives.setdefault(tokens[0].lower(), tuple(tokens[1:]))
    return directives


def allows_inline(sources: tuple[str, ...] | None) -> bool:
    """Whether a source list lets inline code run.

    `'unsafe-inline'` is ignored beside a nonce, a hash or `'strict-dynamic'` (section 6.7.3.2).
    """
    if sources is None:
        return True
    lowered = {source.lower() for source in sources}
    return "'unsafe-inline'" in lowered and not _is_strict(sources)


def allows_eval(sources: tuple[str, ...] | None) -> bool:
    """Whether a source list lets strings be run as code."""
    return sources is None or "'unsafe-eval'" in {source.lower() for source in sources}


def broad_sources(sources: tuple[str, ...] | None) -> tuple[str, ...]:
    """Sources that let nearly anybody's files in: `*`, bare schemes; `*` without any list.

    Beside `'strict-dynamic'` hosts and schemes are ignored (section 6.7.1.1), so none is broad.
    """
    if sources is None:
        return ("*",)
    if "'strict-dynamic'" in {source.lower() for source in sources}:
        return ()
    return tuple(source for source in sources if source.lower() in _BROAD)


def plain_http_sources(sources: tuple[str, ...] | None) -> tuple[str, ...]:
    """Sources that are loaded over http."""
    return tuple(
        s for s in sources or () if s.lower() == "http:" or s.lower().startswith("http://")
    )


def every_policy(
    policies: tuple[Policy, ...], directive: str, weak: Callable[[tuple[str, ...] | None], object]
) -> bool:
    """Whether all policies have a weakness in one directive, so that the page has it.

    Args:
        policies: The enforced policies, at least one.
        directive: A fetch directive, such as `script-src`.
        weak: What a source list must not be.

    Returns:
        True when every policy is weak there.
    """
    return bool(policies) and all(weak(policy.sources(directive)) for policy in policies)


def _is_strict(sources: tuple[str, ...]) -> bool:
    return _has_nonce(sources) or "'strict-dynamic'" in {source.lower() for source in sources}


def _has_nonce(sources: tuple[str, ...]) -> bool:
    return any(_NONCE_OR_HASH.fullmatch(source) for source in sources)


def frame_ancestors(policies: tuple[Policy, ...]) -> tuple[str, ...] | None:
    """The narrowest frame-ancestors list; None when no policy has one.

    An empty list means `'none'`.
    """
    lists = [p.directives["frame-ancestors"] for p in policies if "frame-ancestors" in p.directives]
    return min(lists, key=_openness, default=None)


def _openness(ancestors: tuple[str, ...]) -> int:
    if not ancestors or "'none'" in {source.lower() for source in ancestors}:
        return 0
    return 2 if any(source.lower() in _BROAD for source in ancestors) else 1


def protects_framing(policies: tuple[Policy, ...]) -> bool:
    """Whether some policy keeps strangers from framing the page."""
    ancestors = frame_ancestors(policies)
    return ancestors is not None and _openness(ancestors) < 2  # noqa: PLR2004 - 2 is "anybody"
