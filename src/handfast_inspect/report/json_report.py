"""The canonical JSON report: sorted, versioned, checked by `schema.json`, and readable back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import cast

from handfast.errors import UserError
from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import CheckResult, Finding, State
from handfast_inspect.findings.inspection_record import SCHEMA_VERSION, Inspection
from handfast_inspect.findings.store import count_by_severity
from handfast_inspect.plain_json import from_plain, to_plain
from handfast_inspect.report.summary import most_important
from handfast_inspect.report.visible import is_hidden

SCHEMA_FILE = "schema.json"
_DERIVED = ("format", "schema_version", "summary", "findings", "checks")
_HIDDEN = re.compile(r"[^\x20-\x7e\n]")


def render_json(inspection: Inspection) -> str:
    """Write an inspection as JSON.

    The same inspection always gives the same text. Characters that a terminal would act on or hide
    are written as JSON escapes, so the values stay exact.

    Args:
        inspection: The record.

    Returns:
        A document that `schema.json` accepts.
    """
    text = json.dumps(_document(inspection), ensure_ascii=False, sort_keys=True, indent=2)
    return _HIDDEN.sub(lambda match: _escape(match[0]), text) + "\n"


def read_json(text: str) -> Inspection:
    """Read what `render_json` wrote.

    Args:
        text: A JSON report.

    Returns:
        The inspection, equal to the one that was written.

    Raises:
        UserError: The text is not such a report, or is of a newer version.
    """
    try:
        loaded: object = json.loads(text)
    except ValueError as error:
        raise UserError(f"a JSON report is expected; this text is not JSON: {error}") from error
    if not isinstance(loaded, Mapping):
        raise UserError("a JSON report is an object; this text holds something else")
    document = cast("Mapping[str, object]", loaded)
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UserError(
            f"this handfast reads reports of schema version {SCHEMA_VERSION}, not {version!r}; "
            "read it with the version that wrote it"
        )
    findings = _read_findings(document.get("findings"))
    stored = from_plain(_StoredChecks, {"checks": document.get("checks")}).checks
    rest = {key: value for key, value in document.items() if key not in _DERIVED}
    rest["checks"] = [to_plain(_check_result(check, findings)) for check in stored]
    return from_plain(Inspection, rest)


def schema_text() -> str:
    """The JSON Schema of reports, as published with the package."""
    return files("handfast_inspect.report").joinpath(SCHEMA_FILE).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class _StoredCheck:
    """A check result whose finding is named by its fingerprint."""

    rule_id: str
    state: State
    asset: Asset
    evidence: tuple[str, ...]
    detail: str
    finding: str | None


@dataclass(frozen=True, slots=True)
class _StoredChecks:
    checks: tuple[_StoredCheck, ...]


def _document(inspection: Inspection) -> dict[str, object]:
    plain = cast("dict[str, object]", to_plain(inspection))
    plain.update(
        format="handfast-inspection",
        schema_version=SCHEMA_VERSION,
        summary=_summary(inspection),
        findings=[_stored_finding(finding) for finding in inspection.findings],
        checks=[to_plain(_stored_check(check)) for check in inspection.checks],
    )
    return plain


def _summary(inspection: Inspection) -> dict[str, object]:
    counts = count_by_severity(inspection.findings)
    return {
        "counts": {severity.value: count for severity, count in counts.items()},
        "coverage": to_plain(inspection.coverage),
        "top": [finding.fingerprint for finding in most_important(inspection.findings)],
    }


def _stored_finding(finding: Finding) -> dict[str, object]:
    plain = cast("dict[str, object]", to_plain(finding))
    return {**plain, "fingerprint": finding.fingerprint}


def _stored_check(check: CheckResult) -> _StoredCheck:
    return _StoredCheck(
        rule_id=check.rule_id,
        state=check.state,
        asset=check.asset,
        evidence=check.evidence,
        detail=check.detail,
        finding=check.finding.fingerprint if check.finding else None,
    )


def _read_findings(data: object) -> dict[str, Finding]:
    if not isinstance(data, list):
        raise UserError("$.findings: expected a list")
    found: dict[str, Finding] = {}
    for number, item in enumerate(cast("list[object]", data)):
        where = f"$.findings[{number}]"
        if not isinstance(item, Mapping):
            raise UserError(f"{where}: expected an object")
        fields = dict(cast("Mapping[str, object]", item))
        given = fields.pop("fingerprint", None)
        finding = from_plain(Finding, fields, where)
        if given != finding.fingerprint:
            raise UserError(f"{where}: the fingerprint does not fit the finding; it was changed")
        found[finding.fingerprint] = finding
    return found


def _check_result(check: _StoredCheck, findings: Mapping[str, Finding]) -> CheckResult:
    if check.finding is not None and check.finding not in findings:
        raise UserError(f"the check {check.rule_id} names a finding that the report does not have")
    return CheckResult(
        rule_id=check.rule_id,
        state=check.state,
        asset=check.asset,
        evidence=check.evidence,
        detail=check.detail,
        finding=None if check.finding is None else findings[check.finding],
    )


def _escape(character: str) -> str:
    if not is_hidden(character):
        return character
    return json.dumps(character)[1:-1]
