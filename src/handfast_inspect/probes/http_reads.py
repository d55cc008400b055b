"""Unusual but harmless requests: foreign origins, impossible paths, directories, OPTIONS."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from handfast.network.http import Fetched
from handfast_inspect.facts.http import CorsFact, DirectoryFact, ErrorPageFact, MethodsFact
from handfast_inspect.facts.page import Page
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.pages import read_page
from handfast_inspect.probes.probe import NO_VALUE, ProbeContext, Target
from handfast_inspect.probes.site import (
    Origin,
    asset_of,
    fetch_home,
    find_origin,
    prove_fetch,
    text_of,
    trouble_of,
)

FOREIGN_ORIGIN: Final = f"https://{NO_VALUE}.example"
"""An origin that nobody holds (RFC 2606)."""

MAX_EXCERPT: Final = 4096
"""Characters kept of one."""

USUAL_DIRECTORIES: Final = ("/uploads/", "/images/", "/files/", "/backup/", "/assets/", "/static/")
"""Directories that are asked for besides those that the front page refers to."""

MAX_DIRECTORIES: Final = 10

_NOTHING: Final = "nothing answers over http or https"
_SUCCESS: Final = range(200, 300)


async def look_at_cors(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Sends one GET with a foreign Origin and one with `null`."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("http.cors",), _NOTHING)
        return
    for sent in (FOREIGN_ORIGIN, "null"):
        fetched = await context.client.fetch(found.request("/", headers=(("Origin", sent),)))
        asset = asset_of(target, fetched)
        evidence = prove_fetch(notes, asset, fetched)
        if fetched.last is None:
            notes.gap(asset, ("http.cors",), trouble_of(fetched), "error")
            continue
        notes.fact(
            CorsFact(
                asset,
                evidence,
                sent,
                fetched.last.header("access-control-allow-origin"),
                fetched.last.header("access-control-allow-credentials"),
            )
        )


async def look_at_methods(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Sends OPTIONS; no other method is ever tried."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("http.methods",), _NOTHING)
        return
    fetched = await context.client.fetch(found.request("/", method="OPTIONS"))
    asset = asset_of(target, fetched)
    evidence = prove_fetch(notes, asset, fetched)
    if fetched.last is None:
        notes.gap(asset, ("http.methods",), trouble_of(fetched), "error")
        return
    allow = ",".join(fetched.last.all_headers("allow"))
    methods = tuple(dict.fromkeys(word.strip().upper() for word in allow.split(",")[:50]))
    allowed = tuple(method for method in methods if method) if allow else None
    notes.fact(MethodsFact(asset, evidence, allowed, trace_echoed=None))


async def look_at_error_page(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for a path that cannot exist."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("http.error",), _NOTHING)
        return
    fetched = await fetch_impossible(context, found)
    asset = asset_of(target, fetched, f"{found.url}/")
    if fetched.last is None:
        notes.gap(asset, ("http.error",), trouble_of(fetched), "error")
        return
    evidence = prove_fetch(notes, asset, fetched)
    content_type = fetched.last.header("content-type") or ""
    excerpt = text_of(fetched)[:MAX_EXCERPT]
    notes.fact(ErrorPageFact(asset, evidence, fetched.last.status, content_type[:200], excerpt))


async def look_at_directories(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for directories that the front page refers to, and for a few usual ones."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("http.listing",), _NOTHING)
        return
    home = await fetch_home(context, target, found.scheme)
    for path in directories_of(home)[:MAX_DIRECTORIES]:
        request = found.request(path)
        fetched = await context.client.fetch(request)
        asset = asset_of(target, fetched)
        if fetched.last is None:
            notes.gap(asset, ("http.listing",), trouble_of(fetched), "error")
            return  # what answers nothing once will not answer ten times
        evidence = prove_fetch(notes, asset, fetched)
        text = text_of(fetched)
        title = read_page(text, request.url).title
        status = fetched.last.status
        excerpt = text[:MAX_EXCERPT] if status in _SUCCESS else ""
        notes.fact(DirectoryFact(asset, evidence, status, title, excerpt))


async def fetch_impossible(context: ProbeContext, origin: Origin, suffix: str = "") -> Fetched:
    """Fetches a path that nobody can have made, as the baseline for all others.

    Args:
        context: What the probe may use.
        origin: The site.
        suffix: What the path ends in, where the kind of file matters.
    """
    return await context.client.fetch(origin.request(f"/{context.random_label()}{suffix}"))


def directories_of(home: Fetched) -> tuple[str, ...]:
    """Directories worth asking for: those of the front page's own files, then the usual ones."""
    if home.last is None:
        return USUAL_DIRECTORIES
    page = read_page(text_of(home), home.last.url)
    host = urlsplit(home.last.url).netloc
    found = [
        folder
        for url in _references(page)
        for folder in (_folder(url, host),)
        if folder not in {"", "/"}
    ]
    return tuple(dict.fromkeys([*found[:4], *USUAL_DIRECTORIES]))


def _references(page: Page) -> list[str]:
    return [item.url for item in page.scripts] + [item.url for item in page.subresources]


def _folder(url: str, host: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.path.rpartition("/")[0] + "/" if parts.netloc == host else ""
