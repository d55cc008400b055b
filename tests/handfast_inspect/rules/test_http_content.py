from __future__ import annotations

import pytest

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.page import Form, Page, ScriptReference, Subresource
from handfast_inspect.findings.finding import State
from handfast_inspect.rules.http_content import check_integrity, check_mixed, has_integrity
from made_facts import HOST, NOW, failures, response, states

HASH = "sha384-" + "A" * 64


def showing(page: Page, url: str = f"https://{HOST}/") -> Facts:
    return Facts(responses=(response(page=page, url=url),))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (Page(), {}),
        (Page(scripts=(ScriptReference("https://a.test/x.js"),)), {}),
        (Page(scripts=(ScriptReference("http://a.test/x.js"),)), {"mixed/script": "high"}),
        (
            Page(subresources=(Subresource("http://a.test/x.css", "active", "link"),)),
            {"mixed/active": "high"},
        ),
        (
            Page(subresources=(Subresource("http://a.test/x.png", "passive", "img"),)),
            {"mixed/passive": "low"},
        ),
        (Page(forms=(Form("http://a.test/send"),)), {"mixed/form": "high"}),
        (Page(forms=(Form("mailto:a@b.test"),)), {}),
    ],
)
def test_http_content_on_https_pages(page: Page, expected: dict[str, str]) -> None:
    assert failures(check_mixed(showing(page), NOW)) == expected


def test_a_page_over_http_has_no_mixed_content() -> None:
    page = Page(scripts=(ScriptReference("http://a.test/x.js"),))
    assert states(check_mixed(showing(page, f"http://{HOST}/"), NOW)) == ["pass"]


@pytest.mark.parametrize(
    ("script", "bare"),
    [
        (ScriptReference("https://cdn.other.test/x.js"), True),
        (ScriptReference("https://cdn.other.test/x.js", integrity="md5-x"), True),
        (ScriptReference("https://cdn.other.test/x.js", integrity=HASH), False),
        (ScriptReference("https://cdn.other.test/x.js", integrity=f"md5-x {HASH}"), False),
        (ScriptReference("https://static.example.test/x.js"), False),
        (ScriptReference(f"https://{HOST}/x.js"), False),
        (ScriptReference("data:text/javascript,1"), False),
    ],
)
def test_scripts_of_other_sites_need_integrity(script: ScriptReference, *, bare: bool) -> None:
    found = failures(check_integrity(showing(Page(scripts=(script,))), NOW))
    assert found == ({"script/integrity": "low"} if bare else {})


def test_a_long_list_of_scripts_is_cut() -> None:
    scripts = tuple(ScriptReference(f"https://cdn.other.test/{n}.js") for n in range(30))
    verdicts = list(check_integrity(showing(Page(scripts=scripts)), NOW))
    assert [v.state for v in verdicts] == [State.FAIL]
    assert verdicts[0].observed.endswith("… and 10 more")


def test_integrity_needs_a_hash_that_browsers_know() -> None:
    assert has_integrity(ScriptReference("x", integrity=f"{HASH}?ct=application/javascript"))
    assert not has_integrity(ScriptReference("x", integrity="sha1-AAAA"))
    assert not has_integrity(ScriptReference("x", integrity=""))
