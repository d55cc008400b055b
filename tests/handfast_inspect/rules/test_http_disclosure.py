from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import DirectoryFact, ErrorPageFact
from handfast_inspect.findings.finding import Confidence, State
from handfast_inspect.rules.http_disclosure import (
    check_banner,
    check_end_of_life,
    check_error_page,
    check_listing,
)
from made_facts import NOW, PROOF, SITE, failures, response, states


def sending(name: str, value: str) -> Facts:
    return Facts(responses=(response(((name, value),)),))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Server", "nginx", {"header:server/banner": "info"}),
        ("Server", "nginx/1.25.3", {"header:server/banner": "low"}),
        ("X-Powered-By", "PHP/8.3.1", {"header:x-powered-by/banner": "low"}),
        ("X-Powered-By", "Express", {"header:x-powered-by/banner": "info"}),
        ("X-AspNet-Version", "4.0.30319", {"header:x-aspnet-version/banner": "low"}),
        ("X-Debug-Token", "abc", {"header:x-debug-token/debug": "low"}),
        ("Server", "  ", {}),
        ("Date", "Thu, 01 Jan 1970 00:00:00 GMT", {}),
    ],
)
def test_banners_and_debug_headers(name: str, value: str, expected: dict[str, str]) -> None:
    assert failures(check_banner(sending(name, value), NOW)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("nginx/1.18.0", {"product/nginx": "medium"}),
        ("PHP/8.3.30", {}),
        ("Apache/2.4.49", {"product/apache": "high"}),
        ("Apache/2.4.41", {"product/apache": "medium"}),
        ("OpenSSL/1.0.1", {"product/openssl": "high"}),
        ("Apache/2.2.15", {"product/apache": "medium"}),
    ],
)
def test_old_software_is_medium_and_high_when_attacks_are_known(
    value: str, expected: dict[str, str]
) -> None:
    assert failures(check_end_of_life(sending("Server", value), NOW)) == expected


def test_a_version_is_fine_until_its_line_ends() -> None:
    facts = sending("X-Powered-By", "PHP/8.2.29")
    before, after = datetime(2026, 12, 30, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    assert states(check_end_of_life(facts, before)) == ["pass"]
    assert states(check_end_of_life(facts, after)) == ["fail"]


def test_the_version_is_only_what_the_server_says() -> None:
    (verdict,) = check_end_of_life(sending("Server", "nginx/1.18.0"), NOW)
    assert verdict.doubt is not None
    assert verdict.doubt.confidence is Confidence.LOW
    assert "backports" in verdict.doubt.reason


def test_software_that_the_snapshot_does_not_know_is_not_judged() -> None:
    assert states(check_end_of_life(sending("Server", "homemade/1.0"), NOW)) == []


TRACES = {
    "python": "<pre>Traceback (most recent call last):\n  File",
    "django": "You're seeing this error because you have <code>DEBUG = True</code>",
    "werkzeug": "<title>KeyError // Werkzeug Debugger</title>",
    "php": "<b>Fatal error</b>: Uncaught Error in /var/www/x.php:3\n on line <b>3</b>",
    "php trace": "Stack trace:\n#0 /var/www/html/index.php(12): f()",
    "laravel": "Illuminate\\Routing\\Router->findRoute",
    "java": "<pre>\tat org.apache.catalina.core.StandardWrapper.invoke(StandardWrapper.java:173)",
    "dotnet": "<title>Server Error in '/' Application.</title>",
    "rails": "<title>Action Controller: Exception caught</title>",
    "node": "Error: x\n    at Object.<anonymous> (/srv/app/server.js:10:9)",
    "go": "goroutine 1 [running]:\nmain.main()",
    "sql": "You have an error in your SQL syntax; check the manual of your MySQL server",
    "symfony": "<h1>Symfony Exception</h1>",
}


@pytest.mark.parametrize("name", TRACES)
def test_traces_in_error_pages_are_found(name: str) -> None:
    facts = Facts(error_pages=(ErrorPageFact(SITE, PROOF, 500, "text/html", TRACES[name]),))
    assert failures(check_error_page(facts, NOW)) == {"error-page/trace": "medium"}


@pytest.mark.parametrize(
    "text",
    [
        "<h1>404 Not Found</h1>",
        "",
        "We arrived at the (new) shop.",
        "Error 500",
        "at home (/about)",
    ],
)
def test_plain_error_pages_pass(text: str) -> None:
    facts = Facts(error_pages=(ErrorPageFact(SITE, PROOF, 404, "text/html", text),))
    assert states(check_error_page(facts, NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("status", "title", "text", "listed"),
    [
        (200, "Index of /files", "<h1>Index of /files</h1>", True),
        (200, "", '<a href="/">Parent Directory</a>', True),
        (200, "Directory listing for /x", "", True),
        (200, "", "<title>Directory: /x</title>", True),
        (200, "", "<A HREF='/'>[To Parent Directory]</A>", True),
        (403, "Index of /files", "<h1>Index of /files</h1>", False),
        (200, "Index of economic freedom", "<p>An index of all</p>", False),
    ],
)
def test_directory_listings(status: int, title: str, text: str, *, listed: bool) -> None:
    facts = Facts(directories=(DirectoryFact(SITE, PROOF, status, title, text),))
    assert states(check_listing(facts, NOW)) == (["fail"] if listed else ["pass"])


@given(st.text(max_size=500))
def test_any_error_page_can_be_judged(text: str) -> None:
    facts = Facts(error_pages=(ErrorPageFact(SITE, PROOF, 404, "text/html", text),))
    assert len(list(check_error_page(facts, NOW))) == 1


@pytest.mark.parametrize(
    "text", ["at " * 1365, "at (/" * 819, "[" + "A" * 4095, "Fatal error: " * 315, "at a.b(" * 585]
)
def test_a_hostile_error_page_costs_no_time(text: str) -> None:
    facts = Facts(error_pages=(ErrorPageFact(SITE, PROOF, 404, "text/html", text),))
    (verdict,) = check_error_page(facts, NOW)
    assert verdict.state is State.PASS
