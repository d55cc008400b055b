from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.rules.csp import (
    allows_eval,
    allows_inline,
    broad_sources,
    every_policy,
    frame_ancestors,
    parse_policies,
    plain_http_sources,
    protects_framing,
)


def test_a_header_is_cut_into_directives_and_sources() -> None:
    (policy,) = parse_policies(["Default-Src 'self';  script-src a.test  'unsafe-inline' ;;"])
    assert dict(policy.directives) == {
        "default-src": ("'self'",),
        "script-src": ("a.test", "'unsafe-inline'"),
    }


def test_the_first_of_two_equal_directives_counts() -> None:
    (policy,) = parse_policies(["script-src 'self'; script-src *"])
    assert policy.sources("script-src") == ("'self'",)


def test_a_comma_separates_policies_and_headers_add_up() -> None:
    assert len(parse_policies(["default-src 'self', img-src *", "object-src 'none'"])) == 3


def test_policies_without_a_known_directive_do_not_exist() -> None:
    assert parse_policies(["", "hello world", "default_src 'self'", ";;"]) == ()


def test_meta_elements_cannot_set_frame_ancestors() -> None:
    (policy,) = parse_policies([], ["frame-ancestors 'none'; default-src 'self'"])
    assert dict(policy.directives) == {"default-src": ("'self'",)}
    assert parse_policies([], ["frame-ancestors 'none'"]) == ()


def test_fetch_directives_fall_back_and_others_do_not() -> None:
    (policy,) = parse_policies(["default-src 'none'; script-src a.test"])
    assert policy.sources("script-src-elem") == ("a.test",)
    assert policy.sources("style-src-attr") == ("'none'",)
    assert policy.sources("img-src") == ("'none'",)
    (bare,) = parse_policies(["script-src a.test"])
    assert bare.sources("img-src") is None


@pytest.mark.parametrize(
    ("sources", "inline"),
    [
        (None, True),
        (("'self'",), False),
        (("'unsafe-inline'",), True),
        (("'UNSAFE-INLINE'",), True),
        (("'unsafe-inline'", "'nonce-abc'"), False),
        (("'unsafe-inline'", "'sha256-abc='"), False),
        (("'unsafe-inline'", "'strict-dynamic'"), False),
        (("unsafe-inline",), False),
    ],
)
def test_inline_is_allowed_unless_a_nonce_or_hash_stands_beside_it(
    sources: tuple[str, ...] | None, *, inline: bool
) -> None:
    assert allows_inline(sources) is inline


@pytest.mark.parametrize(
    ("sources", "broad"),
    [
        (None, ("*",)),
        (("*",), ("*",)),
        (("https:", "'self'"), ("https:",)),
        (("HTTPS:",), ("HTTPS:",)),
        (("data:", "a.test"), ("data:",)),
        (("*.example.test", "https://a.test"), ()),
        (("https:", "'nonce-x'", "'strict-dynamic'"), ()),
        (("https:", "'nonce-x'"), ("https:",)),
        ((), ()),
    ],
)
def test_wildcards_and_bare_schemes_are_broad_unless_strict_dynamic_silences_them(
    sources: tuple[str, ...] | None, broad: tuple[str, ...]
) -> None:
    assert broad_sources(sources) == broad


def test_eval_and_http_sources_are_seen() -> None:
    assert allows_eval(None)
    assert allows_eval(("'unsafe-eval'",))
    assert not allows_eval(("'wasm-unsafe-eval'",))
    assert plain_http_sources(("http://a.test", "http:", "https:")) == ("http://a.test", "http:")
    assert plain_http_sources(None) == ()


def test_a_weakness_counts_only_when_every_policy_has_it() -> None:
    weak, strict = "script-src 'unsafe-inline'", "script-src 'self'"
    assert every_policy(parse_policies([weak]), "script-src", allows_inline)
    assert not every_policy(parse_policies([weak, strict]), "script-src", allows_inline)
    assert not every_policy((), "script-src", allows_inline)


@pytest.mark.parametrize(
    ("value", "protects"),
    [
        ("frame-ancestors 'none'", True),
        ("frame-ancestors", True),
        ("frame-ancestors 'self' https://a.test", True),
        ("frame-ancestors *", False),
        ("frame-ancestors https:", False),
        ("default-src 'none'", False),
        ("frame-ancestors *, frame-ancestors 'self'", True),
    ],
)
def test_frame_ancestors_protect_unless_they_name_everybody(value: str, *, protects: bool) -> None:
    policies = parse_policies([value])
    assert protects_framing(policies) is protects
    assert (frame_ancestors(policies) is None) == ("frame-ancestors" not in value)


@given(st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
def test_any_text_can_be_parsed(headers: list[str], meta: list[str]) -> None:
    for policy in parse_policies(headers, meta):
        assert policy.directives
        allows_inline(policy.sources("script-src"))
