from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.page import Page
from handfast_inspect.rules.http_headers import (
    check_isolation,
    check_nosniff,
    check_obsolete,
    check_referrer,
)
from made_facts import GOOD_HEADERS, NOW, failures, response, states


def sending(*headers: tuple[str, str]) -> Facts:
    return Facts(responses=(response(headers),))


def test_good_headers_pass_every_rule() -> None:
    for check in (check_nosniff, check_referrer, check_isolation, check_obsolete):
        assert states(check(sending(*GOOD_HEADERS), NOW)) == ["pass"]
        assert states(check(Facts(), NOW)) == []


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ("nosniff", True),
        ("NoSniff", True),
        ("nosniff, x", True),
        ("x, nosniff", False),
        ("", False),
        ("sniff", False),
    ],
)
def test_nosniff_must_be_the_first_value(value: str, *, good: bool) -> None:
    found = failures(check_nosniff(sending(("X-Content-Type-Options", value)), NOW))
    assert found == ({} if good else {"header:x-content-type-options/missing": "low"})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("no-referrer", {}),
        ("Strict-Origin", {}),
        ("unsafe-url", {"unsafe": "low"}),
        ("no-referrer-when-downgrade", {"unsafe": "low"}),
        ("origin", {"origin": "info"}),
        ("origin-when-cross-origin", {"origin": "info"}),
        ("whatever", {"invalid": "info"}),
        ("no-referrer, strict-origin-when-cross-origin", {}),
        ("strict-origin, unsafe-url", {"unsafe": "low"}),
        ("unsafe-url, future-value", {"unsafe": "low"}),
        ("future-value, same-origin", {}),
    ],
)
def test_the_last_known_referrer_policy_counts(value: str, expected: dict[str, str]) -> None:
    found = failures(check_referrer(sending(("Referrer-Policy", value)), NOW))
    assert found == {f"header:referrer-policy/{k}": v for k, v in expected.items()}


def test_no_referrer_policy_is_a_note_and_a_meta_element_counts() -> None:
    assert failures(check_referrer(sending(), NOW)) == {"header:referrer-policy/missing": "info"}
    page = Page(meta_referrer="no-referrer")
    assert states(check_referrer(Facts(responses=(response((), page=page),)), NOW)) == ["pass"]


def test_absent_isolation_is_a_note_for_each_header() -> None:
    assert failures(check_isolation(sending(), NOW)) == {
        "header:cross-origin-opener-policy/missing": "info",
        "header:cross-origin-resource-policy/missing": "info",
        "header:cross-origin-embedder-policy/missing": "info",
        "header:permissions-policy/missing": "info",
    }


def test_each_absent_header_has_its_own_line_of_configuration() -> None:
    for verdict in check_isolation(sending(), NOW):
        name = verdict.location.removeprefix("header:").removesuffix("/missing")
        assert (verdict.config or "").lower().startswith(name)


def test_values_that_switch_nothing_on_count_as_absent() -> None:
    found = failures(
        check_isolation(
            sending(
                *GOOD_HEADERS[:-3],
                ("Cross-Origin-Opener-Policy", "unsafe-none"),
                ("Cross-Origin-Resource-Policy", "nonsense"),
                ("Cross-Origin-Embedder-Policy", 'require-corp; report-to="x"'),
            ),
            NOW,
        )
    )
    assert set(found) == {
        "header:cross-origin-opener-policy/missing",
        "header:cross-origin-resource-policy/missing",
    }


def test_files_need_no_isolation() -> None:
    facts = Facts(responses=(response((("Content-Type", "image/png"),), html=False),))
    assert states(check_isolation(facts, NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("name", "value", "obsolete"),
    [
        ("Public-Key-Pins", "pin-sha256=x", True),
        ("Expect-CT", "max-age=1", True),
        ("Feature-Policy", "camera 'none'", True),
        ("P3P", "CP=x", True),
        ("X-XSS-Protection", "1; mode=block", True),
        ("X-XSS-Protection", "0", False),
        ("X-XSS-Protection", " 0 ; report=x", False),
        ("X-XSS-Protection", "01", True),
    ],
)
def test_obsolete_headers_are_notes(name: str, value: str, *, obsolete: bool) -> None:
    found = failures(check_obsolete(sending((name, value)), NOW))
    assert found == ({f"header:{name.lower()}/obsolete": "info"} if obsolete else {})
