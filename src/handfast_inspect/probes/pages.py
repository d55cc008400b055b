"""Reading an HTML page: what it loads, what it asks for, what it declares about itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import urljoin

from handfast_inspect.facts.page import Form, Page, ScriptReference, Subresource
from handfast_inspect.probes.markup import Tag, tags

MAX_ITEMS: Final = 500
"""Scripts, subresources and forms kept, each."""

MAX_DOCUMENT: Final = 512 * 1024
"""Characters read of a page."""

_Loads: TypeAlias = tuple[str, Literal["active", "passive"]]

_LOADING: Final[Mapping[str, _Loads]] = {
    "iframe": ("src", "active"),
    "frame": ("src", "active"),
    "embed": ("src", "active"),
    "object": ("data", "active"),
    "img": ("src", "passive"),
    "audio": ("src", "passive"),
    "video": ("src", "passive"),
    "source": ("src", "passive"),
    "track": ("src", "passive"),
}
"""Elements that load something by themselves, with the attribute that names it."""

_ACTIVE_LINKS: Final = frozenset({"stylesheet", "preload", "modulepreload", "manifest"})
_PASSIVE_LINKS: Final = frozenset({"icon", "apple-touch-icon", "mask-icon"})
_CSRF_MARKS: Final = ("csrf", "xsrf", "token", "nonce", "authenticity")


def read_page(document: str, url: str) -> Page:
    """Reads one page.

    Args:
        document: The text of the page.
        url: Where it came from, to resolve what it refers to.

    Returns:
        What rules look at; references that cannot be resolved are left out.
    """
    reader = _PageReader(url)
    for tag in tags(document[:MAX_DOCUMENT]):
        reader.take(tag)
    return reader.page()


def looks_like_html(content_type: str, body: bytes) -> bool:
    """Whether a browser would show a body as a page.

    Args:
        content_type: The header's value; empty where there is none.
        body: The first bytes.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind:
        return kind in {"text/html", "application/xhtml+xml"}
    start = body[:1024].lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


class _PageReader:
    """Collects what the tags of one page say, in order."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._base = url
        self._title = ""
        self._scripts: list[ScriptReference] = []
        self._inline_scripts = 0
        self._subresources: list[Subresource] = []
        self._forms: list[Form] = []
        self._open_form: Form | None = None
        self._has_password = False
        self._meta: dict[str, list[str]] = {}

    def take(self, tag: Tag) -> None:
        """Looks at one tag."""
        match tag.name:
            case "title":
                self._title = self._title or tag.text.strip()[:200]
            case "base" if self._base == self._url and "href" in tag.attributes:
                self._base = _join(self._url, tag.attributes["href"]) or self._url
            case "script":
                self._take_script(tag.attributes)
            case "form":
                self._take_form(tag)
            case "input":
                self._take_input(tag.attributes)
            case "meta":
                self._take_meta(tag.attributes)
            case "link":
                self._take_link(tag.attributes)
            case _ if tag.name in _LOADING and not tag.closing:
                attribute, kind = _LOADING[tag.name]
                self._take_resource(tag.attributes.get(attribute), kind, tag.name)
            case _:
                pass

    def page(self) -> Page:
        """What was collected."""
        self._close_form()
        return Page(
            title=self._title,
            scripts=tuple(self._scripts),
            inline_scripts=self._inline_scripts,
            subresources=tuple(self._subresources),
            forms=tuple(self._forms),
            has_password_field=self._has_password,
            meta_csp=tuple(self._meta.get("content-security-policy", ())[:MAX_ITEMS]),
            meta_referrer=self._last_meta("referrer"),
            meta_framing=self._last_meta("x-frame-options"),
            meta_refresh=self._refresh(),
            generator=self._last_meta("generator") or "",
        )

    def _take_script(self, attributes: Mapping[str, str]) -> None:
        source = attributes.get("src")
        if source is None:
            self._inline_scripts += 1
            return
        url = _join(self._base, source)
        if url and len(self._scripts) < MAX_ITEMS:
            integrity = attributes.get("integrity", "")
            self._scripts.append(ScriptReference(url, integrity, attributes.get("crossorigin")))

    def _take_form(self, tag: Tag) -> None:
        if tag.closing:
            self._close_form()
        elif self._open_form is None:  # a form inside a form is ignored, as browsers do
            action = _join(self._base, tag.attributes.get("action", "") or self._url)
            method = tag.attributes.get("method", "get").strip().lower()
            self._open_form = Form(action or self._url, method)

    def _close_form(self) -> None:
        if self._open_form is not None and len(self._forms) < MAX_ITEMS:
            self._forms.append(self._open_form)
        self._open_form = None

    def _take_input(self, attributes: Mapping[str, str]) -> None:
        kind = attributes.get("type", "text").strip().lower()
        password = kind == "password"
        self._has_password = self._has_password or password
        if kind == "image":
            self._take_resource(attributes.get("src"), "passive", "input")
        name = attributes.get("name", "").lower()
        csrf = kind == "hidden" and any(mark in name for mark in _CSRF_MARKS)
        form = self._open_form
        if form is not None and (password or csrf):
            self._open_form = Form(
                form.action,
                form.method,
                has_password=form.has_password or password,
                has_anti_csrf_field=form.has_anti_csrf_field or csrf,
            )

    def _take_meta(self, attributes: Mapping[str, str]) -> None:
        name = (attributes.get("http-equiv") or attributes.get("name") or "").strip().lower()
        self._meta.setdefault(name, []).append(attributes.get("content", ""))

    def _take_link(self, attributes: Mapping[str, str]) -> None:
        relations = set(attributes.get("rel", "").lower().split())
        if relations & _ACTIVE_LINKS:
            self._take_resource(attributes.get("href"), "active", "link")
        elif relations & _PASSIVE_LINKS:
            self._take_resource(attributes.get("href"), "passive", "link")

    def _take_resource(
        self, reference: str | None, kind: Literal["active", "passive"], element: str
    ) -> None:
        url = _join(self._base, reference) if reference else None
        if url and len(self._subresources) < MAX_ITEMS:
            self._subresources.append(Subresource(url, kind, element))

    def _last_meta(self, name: str) -> str | None:
        values = self._meta.get(name)
        return values[-1] if values else None

    def _refresh(self) -> str | None:
        value = self._last_meta("refresh")
        if value is None:
            return None
        target = value.replace(",", ";", 1).partition(";")[2].strip()
        if target[:3].lower() == "url":
            target = target[3:].lstrip().removeprefix("=")
        target = target.strip(" \t'\"")
        return _join(self._base, target) if target else None


def _join(base: str, reference: str) -> str | None:
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return None
