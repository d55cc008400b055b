"""The Markdown report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handfast_inspect.findings.finding import Finding, Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.report.markdown_text import cell_code, code, code_block, plain, prose
from handfast_inspect.report.summary import Summary, show_asset, summarize
from handfast_inspect.report.wording import (
    Lang,
    impact_of,
    remediation_of,
    rule_title,
    wording,
)


def render_markdown(inspection: Inspection, lang: Lang = "en") -> str:
    """Write an inspection as Markdown.

    Args:
        inspection: The record.
        lang: Language of the headings.

    Returns:
        A document in which nothing from a target is markup.
    """
    words = wording(lang)
    summary = summarize(inspection)
    blocks = [
        *_head(inspection, words),
        *_summary(summary, words, lang),
        *_prose_sections(inspection),
        *_findings(inspection, words, lang),
        *_gaps(summary, words, lang),
        *_grades(inspection, words),
        *_scope(inspection, words),
        *_evidence(inspection, words),
        f"*{words['generated']}*",
    ]
    return "\n\n".join(blocks) + "\n"


def _head(inspection: Inspection, words: Mapping[str, str]) -> Iterator[str]:
    yield f"# {words['report']}: {plain(inspection.target)}"
    tool = f"{plain(inspection.tool)}, {words['rule_set']} {plain(inspection.rule_set)}"
    grades = ", ".join(f"{plain(g.host)} **{plain(g.grade)}**" for g in inspection.grades)
    lines = [
        f"- {words['run']}: {inspection.started:%Y-%m-%d %H:%M} – {inspection.ended:%H:%M} UTC",
        f"- {words['mode']}: {words[inspection.mode.value]}",
        f"- {words['tool']}: {tool}",
        f"- {words['authorized_by']}: {plain(inspection.scope.authorized_by)}",
    ]
    if grades:
        lines.append(f"- {words['grade']}: {grades}")
    yield "\n".join(lines)
    if inspection.mode_reason:
        yield f"> **{words['degraded']}**: {plain(inspection.mode_reason)}"


def _summary(summary: Summary, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    yield f"## {words['summary']}"
    header = " | ".join(words[severity.value] for severity, _ in summary.counts)
    counts = " | ".join(str(count) for _, count in summary.counts)
    yield f"| {header} |\n|{'---|' * len(summary.counts)}\n| {counts} |"
    cover = summary.coverage
    yield (
        f"{words['coverage']}: **{cover.percent:g} %** "
        f"({cover.rules_tested} {words['of']} {cover.rules} {words['rules_tested']}; "
        f"{words['checks']}: {cover.passed} {words['passed']}, {cover.failed} {words['failed']}, "
        f"{cover.not_tested} {words['not_tested']}, {cover.errors} {words['errors']})"
    )
    if summary.top:
        yield f"### {words['top']}"
        yield "\n".join(
            f"{number}. **{words[f.severity.value]}**: {plain(rule_title(f.rule_id, lang))}, "
            f"{code(show_asset(f.asset))}"
            for number, f in enumerate(summary.top, 1)
        )


def _prose_sections(inspection: Inspection) -> Iterator[str]:
    for section in inspection.sections:
        yield f"## {plain(section.title)}"
        yield prose(section.text)


def _findings(inspection: Inspection, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    yield f"## {words['findings']}"
    if not inspection.findings:
        yield words["no_findings"]
    for severity in reversed(Severity):
        for finding in inspection.findings:
            if finding.severity is severity:
                yield from _finding(finding, words, lang)


def _finding(finding: Finding, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    title = plain(rule_title(finding.rule_id, lang))
    yield f"### {words[finding.severity.value].upper()}: {title}"
    confidence = finding.confidence.value
    if finding.confidence_reason:
        confidence += f" ({plain(finding.confidence_reason)})"
    lines = [
        f"- {words['asset']}: {code(show_asset(finding.asset))}",
        f"- {words['rule']}: {code(finding.rule_id)}, {code(finding.location)}",
        f"- {words['confidence']}: {confidence}",
        f"- {words['effort']}: {finding.effort.value}",
        f"- {words['evidence']}: {', '.join(map(code, finding.evidence)) or words['none']}",
    ]
    identifiers = [f"CWE-{finding.cwe}"] if finding.cwe else []
    identifiers += [plain(cve) for cve in finding.cve]
    lines += [f"- {', '.join(identifiers)}"] if identifiers else []
    lines.append(f"- {words['fingerprint']}: {code(finding.fingerprint)}")
    yield plain(finding.explanation)
    yield "\n".join(lines)
    yield from _finding_blocks(finding, words, lang)


def _finding_blocks(finding: Finding, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    for key, text in (("observed", finding.observed), ("reproduce", finding.reproduce)):
        if text:
            yield f"**{words[key]}**"
            yield code_block(text)
    for key, text in (
        ("impact", impact_of(finding, lang)),
        ("remediation", remediation_of(finding, lang)),
        ("would_change", finding.would_change),
    ):
        if text:
            yield f"**{words[key]}**: {plain(text)}"
        if key == "remediation" and finding.config:
            yield code_block(finding.config)
    if finding.references:
        links = ", ".join(f"<{url}>" for url in finding.references if _is_link(url))
        yield f"**{words['references']}**: {links}"


def _is_link(url: str) -> bool:
    """Whether an address can stand between `<` and `>`; a stored report may hold any."""
    return url.startswith("https://") and url.isascii() and not set(url) & set("<> \\\"'`|\n\r\t")


def _gaps(summary: Summary, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    if not summary.gaps:
        return
    yield f"## {words['not_tested_title']}"
    yield words["not_tested_hint"]
    rows = [f"| {words['reason']} | {words['rule']} | {words['asset']} |", "|---|---|---|"]
    rows += [
        f"| {plain(gap.reason)} | "
        f"{', '.join(f'{plain(rule_title(r, lang))} ({cell_code(r)})' for r in gap.rules)} | "
        f"{', '.join(map(cell_code, gap.assets))} |"
        for gap in summary.gaps
    ]
    yield "\n".join(rows)


def _grades(inspection: Inspection, words: Mapping[str, str]) -> Iterator[str]:
    if not inspection.grades:
        return
    yield f"## {words['grades']}"
    yield words["grade_hint"]
    for grade in inspection.grades:
        yield f"### {plain(grade.host)}: {plain(grade.grade)} ({grade.score})"
        rows = [f"| {words['test']} | {words['result']} | {words['points']} |", "|---|---|---|"]
        rows += [f"| {plain(i.test)} | {plain(i.result)} | {i.modifier:+d} |" for i in grade.items]
        yield "\n".join(rows)


def _scope(inspection: Inspection, words: Mapping[str, str]) -> Iterator[str]:
    scope = inspection.scope
    until = f"{scope.valid_until:%Y-%m-%d %H:%M} UTC" if scope.valid_until else ""
    yield f"## {words['scope']}"
    pairs = (
        ("authorized_by", plain(scope.authorized_by)),
        ("reference", plain(scope.reference)),
        ("valid_until", until),
        ("targets", ", ".join(map(code, scope.targets))),
        ("classes", ", ".join(map(code, scope.classes))),
        ("rate", plain(scope.rate)),
        ("requests", str(inspection.requests_sent)),
        ("budget", ", ".join(f"{plain(k)}: {plain(v)}" for k, v in inspection.budget)),
    )
    yield "\n".join(f"- {words[key]}: {value}" for key, value in pairs if value)
    if inspection.approvals:
        yield f"### {words['approvals']}"
        yield "\n".join(
            f"- {approval.at:%Y-%m-%d %H:%M} UTC, {plain(approval.by)}: {plain(approval.what)}"
            for approval in inspection.approvals
        )


def _evidence(inspection: Inspection, words: Mapping[str, str]) -> Iterator[str]:
    yield f"## {words['evidence']}"
    rows = ["| id | UTC | | SHA-256 |", "|---|---|---|---|"]
    rows += [
        f"| {cell_code(item.id)} | {item.taken_at:%Y-%m-%d %H:%M:%S} | {plain(item.summary)} | "
        f"{cell_code(item.sha256)} |"
        for item in inspection.evidence
    ]
    yield "\n".join(rows)
    yield f"{words['integrity_hint']}: {code(inspection.evidence_digest)}"
