"""Files that should not be public, and the two that should: security.txt and robots.txt."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import urljoin, urlsplit

from handfast.errors import EgressDenied
from handfast.network.http import Fetched, FetchRequest
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.http import FileProbeFact, RobotsFact, SecurityTxtFact
from handfast_inspect.probes.file_signatures import (
    MAX_FILE,
    SIGNATURES,
    SOURCE_MAP,
    SOURCE_MAP_LINK,
    FileSignature,
    redact,
)
from handfast_inspect.probes.http import alike
from handfast_inspect.probes.http_reads import fetch_impossible
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.pages import read_page
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.reproduce import curl_line
from handfast_inspect.probes.security_txt import read_robots, read_security_txt
from handfast_inspect.probes.site import (
    Origin,
    asset_of,
    fetch_home,
    find_origin,
    prove_fetch,
    text_of,
    trouble_of,
)

MAX_TEXT: Final = 64 * 1024
"""Bytes read of security.txt and robots.txt."""

MAX_SCRIPTS: Final = 3
"""Scripts of the front page whose source maps are looked for."""

MAX_SCRIPT: Final = 512 * 1024
"""Bytes read of a script; the link to its source map stands at its end."""

_FILE_RULES: Final = ("files.secret", "files.debug")
_NOTHING: Final = "nothing answers over http or https"
_OK: Final = 200


async def look_for_files(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for each file of the fixed list, and for source maps of the page's own scripts."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, _FILE_RULES, _NOTHING)
        return
    baselines: dict[str, Fetched] = {}
    for signature in SIGNATURES:
        suffix = _suffix(signature.path)
        if suffix not in baselines:
            baselines[suffix] = await fetch_impossible(context, found, suffix)
        request = found.request(signature.path, max_bytes=MAX_FILE)
        baseline = baselines[suffix]
        if not await _look_at_file(target, context, notes, signature, request, baseline=baseline):
            return
    await _look_for_source_maps(target, context, notes, found)


async def look_at_security_txt(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Fetches security.txt at its place, and at the old one where it is not there (RFC 9116)."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("files.securitytxt",), _NOTHING)
        return
    fetched = await _fetch_text(context, found, "/.well-known/security.txt")
    if fetched.last is None or fetched.last.status != _OK:
        older = await _fetch_text(context, found, "/security.txt")
        fetched = older if older.last is not None and older.last.status == _OK else fetched
    asset = asset_of(target, fetched, f"{found.url}/")
    evidence = prove_fetch(notes, asset, fetched)
    if fetched.last is None:
        notes.gap(asset, ("files.securitytxt",), trouble_of(fetched), "error")
        return
    there = fetched.last.status == _OK
    read = read_security_txt(text_of(fetched) if there else "")
    notes.fact(
        SecurityTxtFact(
            asset=asset,
            evidence=evidence,
            status=fetched.last.status,
            final_url=fetched.last.url,
            content_type=(fetched.last.header("content-type") or "")[:200],
            signed=read.signed,
            fields=read.fields,
            error=read.error or trouble_of(fetched),
        )
    )


async def look_at_robots(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Fetches robots.txt; nothing that it names is ever visited."""
    found = await find_origin(context, target)
    if found is None:
        notes.gap(target.asset, ("files.robots",), _NOTHING)
        return
    fetched = await _fetch_text(context, found, "/robots.txt")
    asset = asset_of(target, fetched)
    evidence = prove_fetch(notes, asset, fetched)
    if fetched.last is None:
        notes.gap(asset, ("files.robots",), trouble_of(fetched), "error")
        return
    there = fetched.last.status == _OK and b"<html" not in fetched.body[:1024].lower()
    robots = read_robots(text_of(fetched) if there else "")
    notes.fact(RobotsFact(asset, evidence, fetched.last.status, robots.disallow, robots.sitemaps))


async def _fetch_text(context: ProbeContext, origin: Origin, path: str) -> Fetched:
    return await context.client.fetch(origin.request(path, max_bytes=MAX_TEXT, follow=True))


async def _look_at_file(
    target: Target,
    context: ProbeContext,
    notes: Notes,
    signature: FileSignature,
    request: FetchRequest,
    *,
    baseline: Fetched,
) -> bool:
    """Looks at one file; False where the site has stopped answering."""
    fetched = await context.client.fetch(request)
    asset = asset_of(target, fetched)
    if fetched.last is None:
        notes.gap(asset, _FILE_RULES, trouble_of(fetched), "error")
        return False
    matched = signature.pattern.search(fetched.body) is not None
    excerpt = redact(fetched.body, signature) if matched else ""
    notes.fact(
        FileProbeFact(
            asset=asset,
            evidence=_prove_redacted(notes, asset, fetched, excerpt),
            path=signature.path,
            kind=signature.kind,
            status=fetched.last.status,
            signature=signature.name if matched else None,
            differs_from_baseline=differs(fetched, baseline),
            excerpt=excerpt,
        )
    )
    return True


def _prove_redacted(notes: Notes, asset: Asset, fetched: Fetched, excerpt: str) -> tuple[str, ...]:
    """Keeps the head and what may be shown of the body; the hash covers all of it."""
    last = fetched.last
    if last is None:
        return ()
    return notes.prove(
        asset,
        f"GET {fetched.request.url} answered {last.status}",
        last.head + fetched.body,
        shown=last.head + excerpt.encode(),
        reproduce=curl_line(fetched.request),
    )


def differs(fetched: Fetched, baseline: Fetched) -> bool:
    """Whether an answer is another kind of answer than that to an impossible path."""
    if fetched.last is None or baseline.last is None:
        return fetched.last is not None
    if fetched.last.status != baseline.last.status:
        return True
    return not alike(text_of(fetched), text_of(baseline)[:MAX_FILE])


async def _look_for_source_maps(
    target: Target,
    context: ProbeContext,
    notes: Notes,
    origin: Origin,
) -> None:
    home = await fetch_home(context, target, origin.scheme)
    if home.last is None:
        return
    own = urlsplit(home.last.url).netloc
    page = read_page(text_of(home), home.last.url)
    scripts = [item.url for item in page.scripts if _netloc(item.url) == own][:MAX_SCRIPTS]
    baseline = await fetch_impossible(context, origin, ".map")
    for script in dict.fromkeys(scripts):
        map_url = await _source_map_url(context, origin, script)
        if map_url is None:
            continue
        signature = replace(SOURCE_MAP, path=urlsplit(map_url).path)
        request = origin.request(map_url, max_bytes=MAX_FILE)
        try:
            await _look_at_file(target, context, notes, signature, request, baseline=baseline)
        except EgressDenied as error:
            notes.gap(target.asset, ("files.debug",), f"{map_url[:200]}: {error.reason}")


async def _source_map_url(context: ProbeContext, origin: Origin, script: str) -> str | None:
    try:
        fetched = await context.client.fetch(origin.request(script, max_bytes=MAX_SCRIPT))
    except EgressDenied:
        return None
    links: list[bytes] = SOURCE_MAP_LINK.findall(fetched.body)
    if not links or links[-1].startswith(b"data:"):
        return None
    try:
        return urljoin(script, links[-1].decode("ascii", "ignore"))
    except ValueError:
        return None


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _suffix(path: str) -> str:
    """The ending that decides which handler of a server answers: `.php`, `.sql`, or none."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending}" if dot and stem else ""
