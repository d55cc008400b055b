"""SARIF 2.1.0, for code scanning and other collectors."""

from __future__ import annotations

import json
import re

from handfast_inspect.findings.finding import Finding, Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.report.summary import show_asset
from handfast_inspect.report.visible import visible
from handfast_inspect.report.wording import Lang, impact_of, remediation_of, rule_title

SARIF_VERSION = "2.1.0"
SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
_SCORES = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "0.0",
}
_UNSAFE_IN_PATH = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_PART = 80


def render_sarif(inspection: Inspection, lang: Lang = "en") -> str:
    """Write the findings as SARIF.

    Code scanning wants files, so each asset becomes a synthetic path below `inspection/`; the real
    asset stands in the message and the properties. `security-severity` is a property of a rule, so
    a rule carries the worst severity that it has in this inspection.

    Args:
        inspection: The record.
        lang: Language of rule titles.

    Returns:
        A SARIF log with one run.
    """
    rule_ids = tuple(dict.fromkeys(finding.rule_id for finding in inspection.findings))
    run = {
        "tool": {
            "driver": {
                "name": "handfast",
                "fullName": visible(inspection.tool, one_line=True),
                "semanticVersion": _version(inspection.tool),
                "rules": [_rule(rule_id, inspection, lang) for rule_id in rule_ids],
            }
        },
        "automationDetails": {"id": f"inspection/{_part(inspection.target)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not inspection.mode_reason,
                "startTimeUtc": f"{inspection.started:%Y-%m-%dT%H:%M:%SZ}",
                "endTimeUtc": f"{inspection.ended:%Y-%m-%dT%H:%M:%SZ}",
            }
        ],
        "results": [_result(finding, rule_ids) for finding in inspection.findings],
        "properties": {
            "coveragePercent": inspection.coverage.percent,
            "ruleSet": inspection.rule_set,
            "evidenceSha256": inspection.evidence_digest,
        },
    }
    log = {"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}
    return json.dumps(log, ensure_ascii=True, sort_keys=True, indent=2) + "\n"


def synthetic_path(finding: Finding) -> str:
    """A file path for an asset: what code scanning shows as the place of a finding.

    Args:
        finding: Any finding.

    Returns:
        A relative path of safe characters, the same in every run.
    """
    asset = finding.asset
    host = _part(asset.host)
    port = f"/{asset.port}" if asset.port else ""
    return f"inspection/{host}{port}/{_part(finding.rule_id)}"


def _rule(rule_id: str, inspection: Inspection, lang: Lang) -> dict[str, object]:
    examples = [finding for finding in inspection.findings if finding.rule_id == rule_id]
    first = examples[0]
    worst = max(finding.severity for finding in examples)
    tags = ["security"]
    tags += [f"external/cwe/cwe-{first.cwe:03d}"] if first.cwe else []
    return {
        "id": rule_id,
        "name": _camel(rule_id),
        "shortDescription": {"text": visible(rule_title(rule_id, lang), one_line=True)},
        "fullDescription": {"text": visible(impact_of(first, lang) or first.title, one_line=True)},
        "help": {"text": visible(_help(first, lang))},
        "defaultConfiguration": {"level": _LEVELS[worst]},
        "properties": {"security-severity": _SCORES[worst], "tags": tags},
        **({"helpUri": first.references[0]} if first.references else {}),
    }


def _help(finding: Finding, lang: Lang) -> str:
    return "\n".join(filter(None, (remediation_of(finding, lang), finding.config)))


def _result(finding: Finding, rule_ids: tuple[str, ...]) -> dict[str, object]:
    asset = visible(show_asset(finding.asset), one_line=True)
    lines = [f"{asset}: {visible(finding.explanation, one_line=True)}"]
    lines += [visible(finding.observed)] if finding.observed else []
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_ids.index(finding.rule_id),
        "level": _LEVELS[finding.severity],
        "kind": "fail",
        "message": {"text": "\n".join(lines)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": synthetic_path(finding)},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [
                    {"fullyQualifiedName": f"{asset} {visible(finding.location, one_line=True)}"}
                ],
            }
        ],
        "partialFingerprints": {"handfast/v1": finding.fingerprint},
        "properties": {
            "severity": finding.severity.value,
            "confidence": finding.confidence.value,
            "evidence": list(finding.evidence),
            "asset": asset,
        },
    }


def _version(tool: str) -> str:
    match = re.search(r"[0-9]+\.[0-9]+\.[0-9]+", tool)
    return match[0] if match else "0.0.0"


def _part(text: str) -> str:
    return _UNSAFE_IN_PATH.sub("_", text)[:_LONGEST_PART].strip(".") or "_"


def _camel(rule_id: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._-]", rule_id))
