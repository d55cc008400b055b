"""The fixed words of reports, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

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
    "none": ("none", "无"),
    "generated": (
        "Severities are set by rules, never by a model. Every line cites evidence.",
        "严重程度由规则判定，不由模型判定；每一项都附有证据。",
    ),
}

TITLES_ZH: dict[str, str] = {
    "tls.cert.invalid": "证书对该主机无效",
    "tls.cert.expiry": "证书即将过期",
    "tls.cert.lifetime": "证书有效期超过公共 CA 允许的上限",
    "tls.cert.key": "证书密钥或签名强度不足",
    "tls.cert.ct": "证书未记录在透明度日志中",
    "tls.proto.ssl": "支持 SSL 2 或 SSL 3",
    "tls.proto.old": "支持 TLS 1.0 或 TLS 1.1",
    "tls.proto.new": "缺少新版 TLS 协议",
    "tls.cipher.broken": "接受已被攻破的加密套件",
    "tls.cipher.weak": "接受较弱的加密套件",
    "tls.misc": "TLS 选项削弱了连接安全",
    "http.no_https": "网站无法通过 https 访问",
    "http.redirect": "http 没有直接跳转到 https",
    "http.hsts": "HSTS 缺失或较弱",
    "http.csp": "内容安全策略（CSP）缺失或较弱",
    "http.framing": "网站可被陌生站点嵌入框架",
    "http.nosniff": "浏览器可能猜测内容类型",
    "http.referrer": "页面地址会泄露给其他网站",
    "http.isolation": "页面未与其他来源隔离",
    "http.obsolete": "发送了过时的响应头",
    "http.mixed": "https 页面使用了 http 内容",
    "http.sri": "第三方脚本未固定完整性",
    "http.cookie.secure": "Cookie 未设置 Secure",
    "http.cookie.httponly": "会话 Cookie 可被脚本读取",
    "http.cookie.samesite": "Cookie 没有有效的 SameSite",
    "http.cookie.scope": "会话 Cookie 的作用范围过大",
    "http.cors": "其他网站可以读取响应",
    "http.methods": "允许不常用的请求方法",
    "http.banner": "响应头暴露软件信息",
    "http.eol": "软件已停止维护",
    "http.error": "错误页面暴露内部信息",
    "http.listing": "目录可被列出",
    "http.login_plain": "密码经由 http 传输",
    "files.secret": "含有机密的文件可公开访问",
    "files.debug": "调试页面或元数据文件可公开访问",
    "files.securitytxt": "security.txt 缺失或有误",
    "files.robots": "robots.txt 暴露了私有路径",
    "dns.spf": "SPF 未说明谁可以发信",
    "dns.dmarc": "DMARC 未能阻止伪造邮件",
    "dns.dkim": "DKIM 密钥较弱或处于测试模式",
    "dns.mta_sts": "发往该域的邮件在途中未受保护",
    "dns.dnssec": "DNSSEC 缺失、失效或较弱",
    "dns.caa": "CAA 未限制谁可以签发证书",
    "dns.axfr": "可以下载整个区域",
    "dns.delegation": "域名委派有误或脆弱",
    "dns.dangling": "记录指向不存在的目标",
    "dns.private": "公共 DNS 返回内部地址",
    "dns.wildcard": "该区域下任意名称都能解析",
    "dns.recursion": "名称服务器是开放解析器",
    "reg.expiry": "域名注册即将到期",
    "reg.lock": "域名没有转移锁",
    "ct.names": "证书日志中还有其他名称",
    "svc.admin": "内部服务可从外部访问",
    "svc.clear": "以明文接收密码",
    "svc.smtp": "邮件服务器未保护邮件",
    "svc.ssh": "SSH 服务器较旧或提供旧算法",
    "svc.inventory": "开放端口",
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
    titles = TITLES_ZH if lang == "zh" else _TITLES_EN
    return titles.get(rule_id, rule_id)
