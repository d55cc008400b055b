"""Hand-made inspections for tests of reports: a plain one and a hostile one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.dns import CaaFact, DnssecFact
from handfast_inspect.facts.evidence import Evidence, take_evidence
from handfast_inspect.facts.gap import GapFact
from handfast_inspect.facts.http import Cookie, FileProbeFact
from handfast_inspect.facts.mail import DmarcFact, SpfFact
from handfast_inspect.facts.page import Form, Page, ScriptReference
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.findings.inspection_record import (
    Approval,
    Inspection,
    Mode,
    ScopeStatement,
    Section,
    seal_inspection,
)
from handfast_inspect.rules.catalog import RULE_SET_VERSION
from handfast_inspect.rules.judge import judge
from handfast_inspect.rules.scoring import grade_sites
from made_facts import HOST, NOW, PROOF, SITE, ZONE, certificate, redirects, response

STARTED = datetime(2026, 11, 1, 11, 58, tzinfo=UTC)

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`|][(javascript:1)"
    "\x1b[31m\x07\u202eevil\u200b\u2066\U000e0041\n## Owned\n| a | b |\n```\n![x](http://e.test/)"
)
"""Text that tries every form at once."""


def sample_facts(word: Callable[[str], str] = str) -> Facts:
    """What a mediocre site gives; `word` may change every text that a target controls."""
    site = response(
        (
            ("Content-Type", "text/html"),
            ("Server", word("nginx/1.18.0")),
            ("Strict-Transport-Security", word("max-age=300")),
            ("Content-Security-Policy", word("default-src 'self' 'unsafe-inline'")),
        ),
        page=Page(
            title=word("Shop"),
            scripts=(ScriptReference(word("https://cdn.example.net/a.js")),),
            forms=(Form(f"http://{HOST}/login?{word('x')}", "post", has_password=True),),
            has_password_field=True,
        ),
        cookies=(Cookie(word("PHPSESSID"), HOST, http_only=True, url=f"https://{HOST}/"),),
    )
    return Facts(
        responses=(site, redirects((f"http://{HOST}/", 200, None))),
        certificates=(replace(certificate(days=90, left=12), issuer=word("CN=R13")),),
        file_probes=(
            FileProbeFact(
                replace(SITE, url=f"https://{HOST}/.env"),
                ("files:0123456789abcdef",),
                "/.env",
                "env",
                200,
                "dotenv",
                differs_from_baseline=True,
                excerpt=word("DB_PASSWORD=(redacted)"),
            ),
        ),
        spf=(
            SpfFact(
                ZONE,
                PROOF,
                "example.test",
                (word("v=spf1 ~all"),),
                receives_mail=True,
                effective_all="~",
            ),
        ),
        dmarc=(DmarcFact(ZONE, PROOF, "example.test", None),),
        dnssec=(
            DnssecFact(
                ZONE,
                PROOF,
                "example.test",
                ds_present=False,
                dnskey_present=False,
                validated=None,
            ),
        ),
        caa=(CaaFact(ZONE, PROOF, "example.test", None),),
        gaps=(GapFact(Asset(HOST, port=25), (), ("svc.",), word("port 25 is not in scope")),),
    )


def sample_evidence(word: Callable[[str], str] = str) -> tuple[Evidence, ...]:
    """Evidence for `sample_facts`."""
    taken = [
        take_evidence(
            "web",
            SITE,
            word(f"GET https://{HOST}/ answered 200"),
            word("HTTP/1.1 200 OK\r\nServer: nginx/1.18.0\r\n\r\n<html>").encode(),
            NOW,
            reproduce=f"curl -sS -i https://{HOST}/",
        ),
        take_evidence("tls", SITE, "certificate", b"-----BEGIN CERTIFICATE-----", NOW),
        take_evidence("files", SITE, "GET /.env answered 200", b"DB=1", NOW, shown=b"DB=(hidden)"),
    ]
    return tuple(
        replace(item, id=f"{probe}:0123456789abcdef")
        for item, probe in zip(taken, ("web", "tls", "files"), strict=True)
    )


def sample_inspection(word: Callable[[str], str] = str) -> Inspection:
    """A finished inspection of `sample_facts`."""
    facts = sample_facts(word)
    return seal_inspection(
        Inspection(
            tool="handfast 0.1.0",
            rule_set=RULE_SET_VERSION,
            target=word("example.test"),
            scope=ScopeStatement(
                authorized_by=word("Ada Example, CISO"),
                reference="SEC-1234",
                valid_until=STARTED + timedelta(days=30),
                targets=("example.test", "*.example.test:443"),
                classes=("P", "R", "C"),
                rate="5 requests per second",
                digest="cd" * 32,
            ),
            started=STARTED,
            ended=NOW,
            mode=Mode.TEAM,
            requests_sent=42,
            budget=(("requests", "42 of 500"),),
            approvals=(Approval(word("Ada"), NOW, "ports 1 to 100"),),
            evidence=sample_evidence(word),
            checks=judge(facts, NOW, tuple(ProbeClass)),
            grades=grade_sites(facts, NOW),
            sections=(
                Section(
                    word("What stands out"),
                    "The file /.env is public [files:0123456789abcdef]. It is all very bad.\n\n"
                    "- The certificate has 12 days left. [tls:0123456789abcdef]",
                    "reporter",
                ),
            ),
        )
    )


def hostile_inspection() -> Inspection:
    """The same with `HOSTILE` in every text that a target, a model or a user controls."""
    return sample_inspection(lambda text: text + HOSTILE)
