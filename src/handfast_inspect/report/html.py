"""The HTML report: one file, no outside assets, no scripts."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from handfast_inspect.findings.difference import Difference
from handfast_inspect.findings.finding import Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.report.prose import prose_blocks
from handfast_inspect.report.summary import show_asset, summarize
from handfast_inspect.report.visible import visible
from handfast_inspect.report.wording import (
    Lang,
    impact_of,
    remediation_of,
    rule_title,
    wording,
)

_LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}


def render_html(
    inspection: Inspection, lang: Lang = "en", difference: Difference | None = None
) -> str:
    """Write an inspection as one HTML page.

    Every expression of the template passes `visible` and then HTML escaping; the page carries a
    Content-Security-Policy that allows its own styles and nothing else.

    Args:
        inspection: The record.
        lang: Language of headings and titles.
        difference: What changed since an earlier inspection, if that is to be shown.

    Returns:
        A complete document.
    """
    summary = summarize(inspection)
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            inspection=inspection,
            summary=summary,
            findings=inspection.findings,
            difference=difference,
            severities=tuple(reversed(Severity)),
            words=wording(lang),
            lang=lang,
            language_tag=_LANGUAGE_TAGS[lang],
            show_asset=show_asset,
            minute=_minute,
            second=_second,
            prose_blocks=prose_blocks,
            known_ids=frozenset(item.id for item in inspection.evidence),
            is_link=_is_link,
            rule_title=rule_title,
            impact_of=impact_of,
            remediation_of=remediation_of,
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("handfast_inspect.report", "templates"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: object) -> object:
    """Show hidden characters in every string that the template prints."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _second(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _is_link(url: str) -> bool:
    """Whether an address may become a link; a stored report may hold any."""
    return url.startswith("https://") and url.isascii() and url.isprintable()
