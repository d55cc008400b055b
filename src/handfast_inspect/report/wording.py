"""The fixed words of reports, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from handfast_inspect.findings.finding import Finding
from handfast_inspect.report.rule_texts_zh import RULES_ZH
from handfast_inspect.rules.catalog import CATALOG

Lang: TypeAlias = Literal["en", "zh"]

_WORDS: dict[str, tuple[str, str]] = {
    "report": ("Security inspection", "安全检查报告"),
    "target": ("Target", "目标"),
    "summary": ("Summary", "概要"),
    "findings": ("Findings", "发现"),
    "no_findings": ("No findings.", "没有发现问题。"),
    "top": ("Most important", "最重要的问题"),
    "coverage": ("Coverage", "覆盖率"),
    "coverage_hint": (
        "share of the rule set that could be tested; the rest is listed below",
        "规则集中能够实际检查的比例；其余见下文“未检查”",
    ),
    "rules_tested": ("rules tested", "条规则已检查"),
    "of": ("of", "/"),
    "checks": ("Checks", "检查项"),
    "passed": ("passed", "通过"),
    "failed": ("failed", "未通过"),
    "not_tested": ("not tested", "未检查"),
    "errors": ("errors", "出错"),
    "not_tested_title": ("Not tested", "未检查的项目"),
    "not_tested_hint": (
        "These checks had no answer. They are neither passed nor failed.",
        "这些检查没有得到结果，既不算通过，也不算未通过。",
    ),
    "passed_title": ("Passed checks", "通过的检查"),
    "grade": ("Grade", "等级"),
    "grades": ("Web grades", "网站等级"),
    "grade_hint": (
        "after the method of Mozilla's Observatory, version 4",
        "按 Mozilla Observatory 第 4 版方法计算",
    ),
    "test": ("Test", "测试"),
    "result": ("Result", "结果"),
    "points": ("Points", "分数"),
    "score": ("Score", "得分"),
    "scope": ("Scope and authorisation", "授权与范围"),
    "authorized_by": ("Authorised by", "授权人"),
    "reference": ("Reference", "依据"),
    "valid_until": ("Valid until", "有效期至"),
    "targets": ("Targets", "目标范围"),
    "classes": ("Probe classes", "探测类别"),
    "rate": ("Rate", "速率"),
    "approvals": ("Approvals", "批准记录"),
    "run": ("Run", "运行"),
    "started": ("Started", "开始"),
    "ended": ("Ended", "结束"),
    "mode": ("Mode", "模式"),
    "requests": ("Requests sent", "发送请求数"),
    "budget": ("Budget used", "已用预算"),
    "tool": ("Tool", "工具"),
    "rule_set": ("Rule set", "规则集"),
    "workflow": ("workflow, no model", "固定流程（不使用模型）"),
    "team": ("team of agents", "智能体团队"),
    "degraded": ("degraded", "降级运行"),
    "asset": ("Asset", "资产"),
    "rule": ("Rule", "规则"),
    "reason": ("Reason", "原因"),
    "severity": ("Severity", "严重程度"),
    "critical": ("critical", "严重"),
    "high": ("high", "高"),
    "medium": ("medium", "中"),
    "low": ("low", "低"),
    "info": ("info", "提示"),
    "confidence": ("Confidence", "置信度"),
    "observed": ("Observed", "观察到的内容"),
    "impact": ("Impact", "影响"),
    "remediation": ("Remediation", "修复建议"),
    "reproduce": ("Reproduce", "复现命令"),
    "references": ("References", "参考资料"),
    "evidence": ("Evidence", "证据"),
    "effort": ("Effort", "修复工作量"),
    "would_change": ("What would change this", "什么情况会改变结论"),
    "fingerprint": ("Fingerprint", "指纹"),
    "taken_at": ("Time", "时间"),
    "size": ("Bytes", "字节"),
    "redacted": ("redacted", "已脱敏"),
    "integrity": ("Integrity", "完整性"),
    "integrity_hint": (
        "SHA-256 over all evidence records",
        "全部证据记录的 SHA-256 摘要",
    ),
    "changes": ("Since the last inspection", "与上次检查相比"),
    "new": ("New", "新增"),
    "fixed": ("Fixed", "已修复"),
    "unchanged": ("Unchanged", "未变化"),
    "unknown": ("Not tested again", "本次未能复查"),
    "stop": (".", "："),
    "none": ("none", "无"),
    "generated": (
        "Severities are set by rules, never by a model. Every line cites evidence.",
        "严重程度由规则判定，不由模型判定；每一项都附有证据。",
    ),
}

_TITLES_EN = {rule.id: rule.title for rule in CATALOG}


def wording(lang: Lang) -> Mapping[str, str]:
    """The fixed words in one language.

    Args:
        lang: `en` or `zh`.

    Returns:
        Words by key.
    """
    column = 1 if lang == "zh" else 0
    return {key: words[column] for key, words in _WORDS.items()}


def rule_title(rule_id: str, lang: Lang) -> str:
    """The title of a rule.

    Args:
        rule_id: A rule of the catalog, or one of a later or earlier rule set.
        lang: `en` or `zh`.

    Returns:
        Its title; the id itself for a rule that this version does not know.
    """
    if lang == "zh" and rule_id in RULES_ZH:
        return RULES_ZH[rule_id].title
    return _TITLES_EN.get(rule_id, rule_id)


def impact_of(finding: Finding, lang: Lang) -> str:
    """What a finding allows; in Chinese where the rule is known, else as the finding has it."""
    text = RULES_ZH.get(finding.rule_id) if lang == "zh" else None
    return text.impact if text else finding.impact


def remediation_of(finding: Finding, lang: Lang) -> str:
    """What to do; in Chinese where the rule is known, else as the finding has it."""
    text = RULES_ZH.get(finding.rule_id) if lang == "zh" else None
    return text.remediation if text else finding.remediation
