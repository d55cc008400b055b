from __future__ import annotations

from collections.abc import Mapping

import pytest

from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.tls import ProtocolFact, ProtocolVersion, TlsFeaturesFact
from handfast_inspect.rules.tls_protocol import (
    check_broken_versions,
    check_features,
    check_new_versions,
    check_old_versions,
)
from made_facts import NOW, PROOF, SITE, failures, states


def offers(versions: Mapping[ProtocolVersion, bool | None]) -> Facts:
    return Facts(
        protocols=tuple(
            ProtocolFact(SITE, PROOF, version, offered, "" if offered is not None else "timeout")
            for version, offered in versions.items()
        )
    )


def test_ssl_2_is_critical_and_ssl_3_high() -> None:
    facts = offers({"SSLv2": True, "SSLv3": True, "TLSv1.0": True})
    assert failures(check_broken_versions(facts, NOW)) == {
        "protocol/SSLv2": "critical",
        "protocol/SSLv3": "high",
    }


def test_tls_1_0_and_1_1_are_medium() -> None:
    facts = offers({"TLSv1.0": True, "TLSv1.1": True, "TLSv1.2": True})
    assert failures(check_old_versions(facts, NOW)) == {
        "protocol/TLSv1.0": "medium",
        "protocol/TLSv1.1": "medium",
    }


def test_refused_old_versions_pass_and_unclear_ones_are_not_tested() -> None:
    assert states(check_old_versions(offers({"TLSv1.0": False, "TLSv1.1": None}), NOW)) == [
        "pass",
        "not_tested",
    ]
    assert states(check_broken_versions(offers({"SSLv3": False}), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ({"TLSv1.2": True, "TLSv1.3": True}, {}),
        ({"TLSv1.2": False, "TLSv1.3": True}, {}),
        ({"TLSv1.2": True, "TLSv1.3": False}, {"protocol/no-TLSv1.3": "low"}),
        ({"TLSv1.2": False, "TLSv1.3": False}, {"protocol/no-TLSv1.2": "high"}),
    ],
)
def test_current_versions_are_wanted(
    versions: dict[ProtocolVersion, bool | None], expected: dict[str, str]
) -> None:
    assert failures(check_new_versions(offers(versions), NOW)) == expected


@pytest.mark.parametrize(
    "versions",
    [
        {"TLSv1.2": True},
        {"TLSv1.2": True, "TLSv1.3": None},
        {"TLSv1.2": None, "TLSv1.3": False},
        {"TLSv1.0": True},
    ],
)
def test_unprobed_current_versions_are_not_tested(
    versions: dict[ProtocolVersion, bool | None],
) -> None:
    assert states(check_new_versions(offers(versions), NOW)) == ["not_tested"]


def test_each_endpoint_is_judged_by_itself() -> None:
    facts = Facts(
        protocols=(
            ProtocolFact(SITE, PROOF, "TLSv1.3", offered=True),
            ProtocolFact(Asset("b.test", port=8443), PROOF, "TLSv1.3", offered=False),
            ProtocolFact(Asset("b.test", port=8443), PROOF, "TLSv1.2", offered=True),
        )
    )
    assert sorted(states(check_new_versions(facts, NOW))) == ["fail", "pass"]


@pytest.mark.parametrize(
    ("compression", "renegotiation", "expected"),
    [
        (False, True, ["pass"]),
        (True, True, ["fail"]),
        (False, False, ["fail"]),
        (True, False, ["fail", "fail"]),
        (None, True, ["not_tested"]),
        (True, None, ["fail", "not_tested"]),
    ],
)
def test_compression_and_renegotiation_are_judged(
    compression: bool | None,  # noqa: FBT001 - three states
    renegotiation: bool | None,  # noqa: FBT001 - three states
    expected: list[str],
) -> None:
    fact = TlsFeaturesFact(SITE, PROOF, compression, renegotiation)
    assert states(check_features(Facts(tls_features=(fact,)), NOW)) == expected
