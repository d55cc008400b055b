from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import CorsFact, MethodsFact
from handfast_inspect.rules.http_exchange import check_cors, check_methods
from made_facts import NOW, PROOF, SITE, failures, states

FOREIGN = "https://foreign.example"


@pytest.mark.parametrize(
    ("sent", "origin", "credentials", "expected"),
    [
        (FOREIGN, FOREIGN, "true", {"cors/reflected-with-credentials": "high"}),
        ("null", "null", "true", {"cors/null-with-credentials": "high"}),
        (FOREIGN, FOREIGN, None, {"cors/public": "info"}),
        (FOREIGN, "*", None, {"cors/public": "info"}),
        (FOREIGN, "*", "true", {"cors/public": "info"}),
        (FOREIGN, FOREIGN, "True", {"cors/public": "info"}),
        (FOREIGN, "https://app.example.test", "true", {}),
        (FOREIGN, None, None, {}),
    ],
)
def test_foreign_origins_may_not_read_with_credentials(
    sent: str, origin: str | None, credentials: str | None, expected: dict[str, str]
) -> None:
    facts = Facts(cors=(CorsFact(SITE, PROOF, sent, origin, credentials),))
    assert failures(check_cors(facts, NOW)) == expected


@pytest.mark.parametrize(
    ("allowed", "echoed", "expected"),
    [
        (("GET", "HEAD", "OPTIONS"), False, {}),
        (("GET",), True, {"method/trace": "low"}),
        (("GET", "TRACE"), None, {"method/trace": "low"}),
        (("GET", "TRACE"), False, {}),
        (("GET", "PUT", "DELETE"), False, {"method/writing": "info"}),
        (None, True, {"method/trace": "low"}),
    ],
)
def test_trace_and_writing_methods_are_noted(
    allowed: tuple[str, ...] | None,
    echoed: bool | None,  # noqa: FBT001 - three states
    expected: dict[str, str],
) -> None:
    facts = Facts(methods=(MethodsFact(SITE, PROOF, allowed, echoed),))
    assert failures(check_methods(facts, NOW)) == expected


def test_a_server_that_names_no_methods_is_not_tested() -> None:
    facts = Facts(methods=(MethodsFact(SITE, PROOF, None, None),))
    assert states(check_methods(facts, NOW)) == ["not_tested"]


def test_without_facts_nothing_is_said() -> None:
    assert states(check_cors(Facts(), NOW)) == []
    assert states(check_methods(Facts(), NOW)) == []
