"""The difference of two inspections as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handfast_inspect.findings.difference import Difference
from handfast_inspect.findings.finding import Finding
from handfast_inspect.report.markdown_text import code, plain
from handfast_inspect.report.summary import show_asset
from handfast_inspect.report.wording import Lang, rule_title, wording


def render_difference(difference: Difference, lang: Lang = "en") -> str:
    """Write what changed between two inspections.

    Args:
        difference: New, fixed, unchanged and unknown findings.
        lang: Language of headings and titles.

    Returns:
        Markdown; unchanged findings are counted, the others listed.
    """
    words = wording(lang)
    blocks = [f"# {words['changes']}"]
    for key, findings in (
        ("new", difference.new),
        ("fixed", difference.fixed),
        ("unknown", difference.unknown),
        ("unchanged", difference.unchanged),
    ):
        blocks.append(f"## {words[key]} ({len(findings)})")
        if findings and key != "unchanged":
            blocks.append("\n".join(_lines(findings, words, lang)))
    return "\n\n".join(blocks) + "\n"


def _lines(findings: tuple[Finding, ...], words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    for finding in findings:
        yield (
            f"- **{words[finding.severity.value]}** {plain(rule_title(finding.rule_id, lang))}, "
            f"{code(show_asset(finding.asset))}: {plain(finding.explanation)}"
        )
