"""Rules about files that should not be public.

A hit needs an answer with status 200 or 206, the content signature of its kind and a difference
from what a random path returns; never the status alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import FileProbeFact
from handfast_inspect.findings.finding import ProbeClass, Severity
from handfast_inspect.rules.reproduce import curl_body
from handfast_inspect.rules.rule import Rule, Verdict, failed, passed, untested

SECRET_KINDS = {
    "git": Severity.HIGH,
    "env": Severity.CRITICAL,
    "aws_credentials": Severity.CRITICAL,
    "private_key": Severity.CRITICAL,
    "database_dump": Severity.CRITICAL,
    "config_backup": Severity.CRITICAL,
}
"""Kinds that hold secrets."""

DEBUG_KINDS = {
    "phpinfo": Severity.MEDIUM,
    "server_status": Severity.MEDIUM,
    "actuator": Severity.MEDIUM,
    "svn": Severity.MEDIUM,
    "ds_store": Severity.LOW,
    "source_map": Severity.INFO,
}
"""Kinds that give internals away."""

_FOUND = {200, 206}


def check_secrets(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse public secrets (OWASP WSTG-CONF-04; CWE-538)."""
    del now
    return _judge(facts, SECRET_KINDS)


def check_debug(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse public debug pages and metadata (OWASP WSTG-CONF-04)."""
    del now
    return _judge(facts, DEBUG_KINDS)


def _judge(facts: Facts, kinds: dict[str, Severity]) -> Iterator[Verdict]:
    for fact in facts.file_probes:
        if fact.kind not in kinds:
            continue
        if fact.status is None:
            yield untested(fact, f"no answer for {fact.path}")
        elif is_exposed(fact):
            yield failed(
                fact,
                kinds[fact.kind],
                f"path:{fact.path}",
                f"{fact.path} is public; its content has the signature “{fact.signature}”.",
                observed=fact.excerpt or f"GET {fact.path} → {fact.status}, {fact.signature}",
            )
        else:
            yield passed(fact, f"{fact.path} is not public (status {fact.status})")


def is_exposed(fact: FileProbeFact) -> bool:
    """Whether a file is really there: status, signature and difference from a random path."""
    return fact.status in _FOUND and fact.signature is not None and fact.differs_from_baseline


FILES_SECRET = Rule(
    id="files.secret",
    title="A file with secrets is public",
    probe_class=ProbeClass.CONSENT,
    check=check_secrets,
    needs="the list of files was not asked for",
    impact="Passwords, keys or the source code can be downloaded by anybody.",
    remediation="Remove the file, block the path, and replace every secret that was in it.",
    config="location ~ /\\.(?!well-known) { deny all; }",
    reproduce=curl_body,
    references=(
        "https://owasp.org/www-project-web-security-testing-guide/",
        "https://cwe.mitre.org/data/definitions/538.html",
    ),
    cwe=538,
    would_change="A decoy (honeypot) would make this void.",
)

FILES_DEBUG = Rule(
    id="files.debug",
    title="A debug page or metadata file is public",
    probe_class=ProbeClass.CONSENT,
    check=check_debug,
    needs="the list of files was not asked for",
    impact="Settings, addresses of clients, file names or source code are given away.",
    remediation="Remove it or allow it from inside only.",
    config="location = /server-status { allow 127.0.0.1; deny all; }",
    reproduce=curl_body,
    references=("https://owasp.org/www-project-web-security-testing-guide/",),
    cwe=538,
)
