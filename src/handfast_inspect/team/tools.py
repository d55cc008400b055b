"""The team's tools: probes without arguments, what was found, what was received, a section."""

from __future__ import annotations

import json

from handfast import FunctionTool, function_tool
from handfast_inspect.findings.citations import keep_cited
from handfast_inspect.findings.finding import Finding
from handfast_inspect.gathering import Gathering
from handfast_inspect.probes.probe import Probe
from handfast_inspect.report.summary import show_asset
from handfast_inspect.team.window import WINDOW, page, shown
from handfast_inspect.team.work import Subject, TeamWork

_ROOM = 2 * WINDOW
"""Characters that the library lets through: a window, and an entry that alone is larger."""


def tool_name(probe: Probe) -> str:
    """The name of the tool that runs a probe."""
    return "probe_" + "".join(c if c.isalnum() else "_" for c in probe.id)


def probe_tool(probe: Probe, gathering: Gathering) -> FunctionTool:
    """A tool that runs one probe on the target, and takes no arguments."""

    async def look() -> str:
        result = await gathering.look(probe)
        known = {record.id for record in result.evidence}
        rows: list[object] = [
            *(_finding(each) for each in gathering.findings() if known.intersection(each.evidence)),
            *({"not_seen": shown(gap.reason)} for gap in result.facts.gaps),
            *(
                {"evidence": record.id, "summary": shown(record.summary)}
                for record in result.evidence
            ),
        ]
        return page(rows, 0)

    return function_tool(
        look,
        name_override=tool_name(probe),
        description_override=f"Look at {probe.title}.",
        max_output_chars=_ROOM,
    )


def findings_tool(gathering: Gathering) -> FunctionTool:
    """A tool that lists what the rules found."""

    @function_tool(max_output_chars=_ROOM)
    async def list_findings(start: int = 0) -> str:
        """List what the rules found so far, worst first, with the evidence of each.

        Args:
            start: The first row to show; `next_start` of an earlier answer shows more.
        """
        return page([_finding(finding) for finding in gathering.findings()], start)

    return list_findings


def evidence_tool(gathering: Gathering) -> FunctionTool:
    """A tool that shows one piece of evidence."""

    @function_tool(max_output_chars=_ROOM)
    async def show_evidence(evidence_id: str, start: int = 0) -> str:
        """Show what was really received.

        Args:
            evidence_id: An id from another tool's answer.
            start: The first character to show.
        """
        for record in gathering.evidence:
            if record.id == evidence_id:
                text = shown(record.text)
                seen = text[max(start, 0) : max(start, 0) + WINDOW]
                about = {"id": record.id, "summary": shown(record.summary), "length": len(text)}
                return json.dumps({**about, "data": seen}, ensure_ascii=False)
        return f"There is no evidence {shown(evidence_id[:80])!r}; list_findings shows the ids."

    return show_evidence


def section_tool(gathering: Gathering, work: TeamWork) -> FunctionTool:
    """A tool that takes one section of the report."""

    @function_tool
    async def write_section(subject: Subject, text: str) -> str:
        """Write one section of the report; a second one on the same subject replaces the first.

        Args:
            subject: What the section is about.
            text: Sentences, each with the ids of its evidence in square brackets.
        """
        work.write(subject, text)
        cited = keep_cited(text, {record.id for record in gathering.evidence})
        if not cited.dropped:
            return "Written."
        return (
            f"Written, but {len(cited.dropped)} sentences cite no known evidence and will be "
            "dropped. Write the section again with an id in square brackets in each sentence."
        )

    return write_section


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "finding": finding.title,
        "rule": finding.rule_id,
        "severity": finding.severity.value,
        "where": shown(show_asset(finding.asset)),
        "detail": shown(finding.explanation),
        "evidence": list(finding.evidence),
    }
