from __future__ import annotations

import re
from pathlib import Path

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.rules import catalog
from handfast_inspect.rules.catalog import CATALOG, RULE_SET_VERSION
from handfast_inspect.rules.rule import Rule

EXPECTED = [
    "tls.cert.invalid",
    "tls.cert.expiry",
    "tls.cert.lifetime",
    "tls.cert.key",
    "tls.cert.ct",
    "tls.proto.ssl",
    "tls.proto.old",
    "tls.proto.new",
    "tls.cipher.broken",
    "tls.cipher.weak",
    "tls.misc",
    "http.no_https",
    "http.redirect",
    "http.hsts",
    "http.csp",
    "http.framing",
    "http.nosniff",
    "http.referrer",
    "http.isolation",
    "http.obsolete",
    "http.mixed",
    "http.sri",
    "http.cookie.secure",
    "http.cookie.httponly",
    "http.cookie.samesite",
    "http.cookie.scope",
    "http.cors",
    "http.methods",
    "http.banner",
    "http.eol",
    "http.error",
    "http.listing",
    "http.login_plain",
    "files.secret",
    "files.debug",
    "files.securitytxt",
    "files.robots",
    "dns.spf",
    "dns.dmarc",
    "dns.dkim",
    "dns.mta_sts",
    "dns.dnssec",
    "dns.caa",
    "dns.axfr",
    "dns.delegation",
    "dns.dangling",
    "dns.private",
    "dns.wildcard",
    "dns.recursion",
    "reg.expiry",
    "reg.lock",
    "ct.names",
    "svc.admin",
    "svc.clear",
    "svc.smtp",
    "svc.ssh",
    "svc.inventory",
]


def test_the_catalog_is_the_whole_check_list() -> None:
    assert sorted(rule.id for rule in CATALOG) == sorted(EXPECTED)
    assert len(CATALOG) == 57
    assert RULE_SET_VERSION


@pytest.mark.parametrize("rule", CATALOG, ids=lambda rule: rule.id)
def test_every_rule_says_what_it_needs_means_and_advises(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9_]+)+", rule.id)
    for text in (rule.title, rule.needs, rule.impact, rule.remediation):
        assert text
        assert text == text.strip()
    assert rule.references
    assert all(url.startswith("https://") for url in rule.references)
    assert rule.check.__doc__
    assert rule.reproduce(Asset("example.test", port=443))


def test_active_rules_need_consent() -> None:
    active = {rule.id for rule in CATALOG if rule.probe_class is ProbeClass.CONSENT}
    assert {"dns.axfr", "dns.recursion", "http.methods", "files.secret", "svc.admin"} <= active
    assert {rule.id for rule in CATALOG if rule.id.startswith("svc.")} <= active
    passive = {rule.id for rule in CATALOG if rule.probe_class is ProbeClass.PASSIVE}
    assert all(name.startswith(("dns.", "reg.", "ct.")) for name in passive)


def test_every_rule_that_is_written_is_in_the_catalog() -> None:
    folder = Path(catalog.__file__).parent
    written = {
        name
        for path in folder.glob("*.py")
        for name in re.findall(r'^    id="([a-z0-9_.]+)",$', path.read_text("utf-8"), re.MULTILINE)
    }
    assert written == {rule.id for rule in CATALOG}
