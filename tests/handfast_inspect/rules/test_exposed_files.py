from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import FileProbeFact
from handfast_inspect.rules.exposed_files import (
    DEBUG_KINDS,
    SECRET_KINDS,
    check_debug,
    check_secrets,
)
from made_facts import NOW, PROOF, SITE, failures, states

HIT = FileProbeFact(
    SITE, PROOF, "/.env", "env", 200, "dotenv", differs_from_baseline=True, excerpt="KEY=…"
)


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        ("git", "high"),
        ("env", "critical"),
        ("aws_credentials", "critical"),
        ("private_key", "critical"),
        ("database_dump", "critical"),
        ("config_backup", "critical"),
    ],
)
def test_public_secrets_are_critical_or_high(kind: str, severity: str) -> None:
    facts = Facts(file_probes=(replace(HIT, kind=kind),))
    assert failures(check_secrets(facts, NOW)) == {"path:/.env": severity}
    assert states(check_debug(facts, NOW)) == []


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        ("phpinfo", "medium"),
        ("server_status", "medium"),
        ("actuator", "medium"),
        ("svn", "medium"),
        ("ds_store", "low"),
        ("source_map", "info"),
    ],
)
def test_public_debug_files_are_less(kind: str, severity: str) -> None:
    facts = Facts(file_probes=(replace(HIT, kind=kind),))
    assert failures(check_debug(facts, NOW)) == {"path:/.env": severity}
    assert states(check_secrets(facts, NOW)) == []


@pytest.mark.parametrize(
    "fact",
    [
        replace(HIT, signature=None),
        replace(HIT, differs_from_baseline=False),
        replace(HIT, status=403),
        replace(HIT, status=302),
    ],
)
def test_a_status_alone_proves_nothing(fact: FileProbeFact) -> None:
    assert states(check_secrets(Facts(file_probes=(fact,)), NOW)) == ["pass"]


def test_no_answer_is_not_tested() -> None:
    facts = Facts(file_probes=(replace(HIT, status=None),))
    assert states(check_secrets(facts, NOW)) == ["not_tested"]


def test_no_kind_is_in_both_tables() -> None:
    assert not SECRET_KINDS.keys() & DEBUG_KINDS.keys()
