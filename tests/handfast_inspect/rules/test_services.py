from __future__ import annotations

from dataclasses import replace

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.service import PortScanFact, ServiceFact, StartTlsFact
from handfast_inspect.rules.services import (
    check_admin,
    check_clear,
    check_inventory,
    check_smtp,
)
from made_facts import NOW, PROOF, failures, states

HOST = Asset("db.example.test", "192.0.2.20")
SCAN = PortScanFact(HOST, PROOF, (22, 6379), (80,), (443,))
REDIS = ServiceFact(replace(HOST, port=6379), PROOF, "redis", "-NOAUTH", unauthenticated=False)
MAIL = StartTlsFact(
    replace(HOST, port=25), PROOF, "smtp", offered=True, is_mx=True, certificate_valid=True
)


@pytest.mark.parametrize("protocol", ["redis", "mysql", "docker", "kubernetes", "rdp", "Telnet"])
def test_internal_services_are_high(protocol: str) -> None:
    facts = Facts(services=(replace(REDIS, protocol=protocol),), port_scans=(SCAN,))
    assert failures(check_admin(facts, NOW)) == {f"service/{protocol.lower()}": "high"}


def test_an_internal_service_without_a_login_is_critical() -> None:
    facts = Facts(services=(replace(REDIS, unauthenticated=True),))
    assert failures(check_admin(facts, NOW)) == {"service/redis": "critical"}


def test_a_silent_service_is_guessed_by_its_port_and_that_is_said() -> None:
    (spoken,) = check_admin(Facts(services=(REDIS,)), NOW)
    (silent,) = check_admin(Facts(services=(replace(REDIS, banner=""),)), NOW)
    assert spoken.doubt is None
    assert silent.doubt is not None
    assert "port" in silent.doubt.reason


def test_a_scan_without_internal_services_passes() -> None:
    web = replace(REDIS, protocol="http")
    assert states(check_admin(Facts(services=(web,), port_scans=(SCAN,)), NOW)) == ["pass"]
    assert states(check_admin(Facts(services=(web,)), NOW)) == []


@pytest.mark.parametrize("protocol", ["ftp", "pop3", "imap"])
def test_logins_without_starttls_are_medium(protocol: str) -> None:
    fact = StartTlsFact(HOST, PROOF, protocol, offered=False)  # type: ignore[arg-type] # drawn
    assert failures(check_clear(Facts(starttls=(fact,)), NOW)) == {
        f"service/{protocol}/clear": "medium"
    }
    assert states(check_clear(Facts(starttls=(replace(fact, offered=True),)), NOW)) == ["pass"]


def test_telnet_is_always_clear() -> None:
    facts = Facts(services=(REDIS, replace(REDIS, protocol="telnet")))
    assert failures(check_clear(facts, NOW)) == {"service/telnet/clear": "medium"}


def test_a_scan_without_such_services_passes() -> None:
    assert states(check_clear(Facts(port_scans=(SCAN,), starttls=(MAIL,)), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (MAIL, ["pass"]),
        (replace(MAIL, offered=False, certificate_valid=None), ["fail"]),
        (replace(MAIL, certificate_valid=False, certificate_error="wrong name"), ["fail"]),
        (replace(MAIL, certificate_valid=None), ["not_tested"]),
        (replace(MAIL, is_mx=False, offered=False), []),
    ],
)
def test_mail_exchangers(fact: StartTlsFact, expected: list[str]) -> None:
    assert states(check_smtp(Facts(starttls=(fact,)), NOW)) == expected


def test_mail_in_the_clear_is_worse_than_a_wrong_certificate() -> None:
    clear = replace(MAIL, offered=False)
    wrong = replace(MAIL, certificate_valid=False)
    assert failures(check_smtp(Facts(starttls=(clear, wrong)), NOW)) == {
        "smtp/no-starttls": "medium",
        "smtp/certificate": "low",
    }


def test_open_ports_are_listed_with_what_answers() -> None:
    known = replace(REDIS, product="Redis", version="7.2")
    (verdict,) = check_inventory(Facts(port_scans=(SCAN,), services=(known,)), NOW)
    assert verdict.observed == "22/tcp unknown\n6379/tcp redis Redis 7.2"


def test_a_host_without_open_ports_passes() -> None:
    scan = replace(SCAN, open=())
    assert states(check_inventory(Facts(port_scans=(scan,)), NOW)) == ["pass"]
