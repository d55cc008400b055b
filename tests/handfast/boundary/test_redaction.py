from __future__ import annotations

import json
import time
from types import MappingProxyType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handfast.boundary.redaction import (
    MARK,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT,
    MAX_TOTAL,
    is_secret_name,
    redact,
    redact_text,
)

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXZhbHVl"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIabcdefghij\n-----END RSA PRIVATE KEY-----"

SECRETS = [
    "sk-" + LETTERS[:40],
    "sk-ant-api03-" + LETTERS[:40],
    "sk_live_" + LETTERS[:24],
    "ghp_" + LETTERS[:36],
    "github_pat_" + LETTERS[:50],
    "glpat-" + LETTERS[:20],
    "xoxb-1234567890-" + LETTERS[:20],
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "AIza" + LETTERS[:35],
    "ya29." + LETTERS[:40],
    "hf_" + LETTERS[:34],
    "npm_" + LETTERS[:36],
    "gsk_" + LETTERS[:40],
    JWT,
    "AGE-SECRET-KEY-1" + "Q" * 58,
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "key is {}.", "x={}&y=1", '{{"a": "{}"}}', "({})", "\n{}\n"]
)
def test_keys_of_known_shapes_are_taken_out(secret: str, around: str) -> None:
    shown = redact_text(around.format(secret))
    assert secret not in shown
    assert MARK in shown


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer hunter2hunter2",
        "authorization: Basic aHVudGVyMg==",
        '"Authorization": "token hunter2"',
        "Proxy-Authorization: Digest hunter2",
        "Cookie: sid=hunter2; theme=dark",
        "Set-Cookie: sid=hunter2; Path=/; HttpOnly",
        "X-Api-Key: hunter2",
        "curl -H 'Authorization: Bearer hunter2hunter2'",
        "Bearer hunter2hunter2",
        "https://user:hunter2@example.org/x",
        "postgresql+psycopg://app:hunter2@db/x",
        "redis://:hunter2@db",
        "https://hunter2@example.org/",
        "password=hunter2",
        "password: hunter2",
        "passwd = 'hunter2'",
        '{"client_secret": "hunter2"}',
        "api-key=hunter2&x=1",
        "?access_token=hunter2",
        "SESSION_ID=hunter2",
        "AWS_SECRET_ACCESS_KEY=hunter2",
        "https://user:p@ss:hunter2@example.org/x",
        'password: "correct horse hunter2"',
        "password=(hunter2)",
        "password=" + "x" * 9_000 + "hunter2",
        "Cookie: " + "x" * 9_000 + "hunter2",
        "Bearer " + "x" * 9_000 + "hunter2",
        "sk-" + "x" * 9_000 + "hunter2",
        '{"apiKey": "hunter2"}',
        '[{"a": {"dbPassword": "hun\\u0074er2"}}]',
        '{"body": "{\\"password\\": \\"hunter2\\"}"}',
        'said {\\"password\\": \\"hunter2\\"}',
        PEM.replace("MIIabcdefghij", "hunter2"),
        "-----BEGIN PRIVATE KEY-----\nhunter2 and then the log was cut",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nhunter2\n-----END PGP PRIVATE KEY BLOCK-----",
    ],
)
def test_credentials_in_text_are_taken_out(text: str) -> None:
    shown = redact_text(text)
    assert "hunter2" not in shown
    assert MARK in shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing here",
        "https://example.org/a@b",
        "max_tokens: 500",
        "the password is wrong",
        "a bearer of news",
        "ssh-rsa AAAA",
        "-----BEGIN CERTIFICATE-----",
        "sk-short",
        "tokens=5",
        "中文没有秘密",
        '{"a":   [1, 2]}',
        "{not json",
        "[" * 5_000,
    ],
)
def test_harmless_text_stays(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "Password",
        "db_password",
        "userPassword",
        "apiKey",
        "API_KEY",
        "x-api-key",
        "access_token",
        "accessToken",
        "refreshtoken",
        "client_secret",
        "Authorization",
        "Cookie",
        "set-cookie",
        "credentials",
        "private_key",
        "sessionId",
        "passphrase",
        "tokens",
        "secrets",
    ],
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["", "user", "keyboard", "cookie_policy", "tokenizer", "key", "secretary"]
)
def test_other_names_are_not(name: str) -> None:
    assert not is_secret_name(name)


def test_values_under_secret_names_are_taken_out_at_every_depth() -> None:
    found = redact(
        {
            "user": "ada",
            "password": "x",
            "pin_password": 1234,
            "nested": [{"apiKey": ["a", {"deep": "b"}]}],
            "max_tokens": 500,
            "token": "t",
            "credentials": {"user": "u"},
            "cookies": None,
            "secret": True,
        }
    )
    assert found == {
        "user": "ada",
        "password": MARK,
        "pin_password": MARK,
        "nested": [{"apiKey": [MARK, {"deep": MARK}]}],
        "max_tokens": 500,
        "token": MARK,
        "credentials": {"user": MARK},
        "cookies": None,
        "secret": True,
    }


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError

    def __str__(self) -> str:
        raise RuntimeError


class HostileText(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError

    def __len__(self) -> int:
        return 0


def test_what_json_cannot_hold_becomes_a_word() -> None:
    found = redact(
        {
            "object": Hostile(),
            "bytes": b"abc",
            "array": bytearray(b"abc"),
            "nan": float("nan"),
            "inf": float("-inf"),
            "set": {1},
            "tuple": (1, 2.5),
            "proxy": MappingProxyType({"a": 1}),
            "huge": 10**5_000,
            3: "three",
            None: "none",
            1.5: "float",
            True: "yes",
            Hostile: "type",
            "text": HostileText("x"),
        }
    )
    assert found == {
        "object": "[Hostile]",
        "bytes": "[3 bytes]",
        "array": "[3 bytes]",
        "nan": "nan",
        "inf": "-inf",
        "set": [1],
        "tuple": [1, 2.5],
        "proxy": {"a": 1},
        "huge": "[a very large number]",
        "3": "three",
        "None": "none",
        "1.5": "float",
        "True": "yes",
        "[type]": "type",
        "text": "x",
    }


def test_keys_that_become_alike_stay_apart() -> None:
    assert redact({1: "a", "1": "b", SECRETS[0]: "c", SECRETS[1]: "d"}) == {
        "1": "a",
        "1'": "b",
        MARK: "c",
        f"{MARK}'": "d",
    }


def test_deep_wide_and_circular_data_are_cut_off() -> None:
    circle: list[object] = []
    circle.append(circle)
    text = json.dumps(redact(circle))
    assert text.count("[") == MAX_DEPTH + 2
    wide = redact(list(range(MAX_NODES * 3)))
    assert json.dumps(wide).count(",") < MAX_NODES
    assert (
        len(json.dumps(redact({str(number): number for number in range(MAX_NODES * 3)}))) < 500_000
    )
    many = json.dumps(redact(["x" * 10_000] * 1_000))
    assert len(many) < MAX_TOTAL * 2


def test_long_text_is_cut_before_a_word_that_could_be_half_a_secret() -> None:
    text = "x" * (MAX_TEXT - 30) + " " + SECRETS[0] + " tail" * 100
    shown = redact_text(text)
    assert len(shown) <= MAX_TEXT
    assert "sk-" not in shown
    assert shown.endswith(f"[cut, {len(text)} characters]")
    assert redact_text(shown) == shown


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(SECRETS),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=8) | st.sampled_from(["password", "token", "a"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON)
@example({"TOKEN": float("inf")})
def test_any_data_becomes_json_and_redacting_twice_changes_nothing(value: object) -> None:
    once = redact(value)
    json.dumps(once, allow_nan=False)
    assert redact(once) == once


PIECES = st.sampled_from(
    [
        "Bearer ",
        "authorization",
        "cookie",
        ": ",
        "=",
        '"',
        "'",
        "\n",
        " ",
        "password",
        "://",
        "@",
        "https",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "-----END",
        MARK,
        "[",
        "]",
        "token",
        "abcdefghij",
        "eyJabcde.",
        *SECRETS,
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_redacting_text_twice_changes_nothing(text: str) -> None:
    once = redact_text(text)
    assert redact_text(once) == once
    for secret in SECRETS:
        if f" {secret} " in f" {text} ":
            assert f" {secret} " not in f" {once} "


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "password=" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "eyJ" * 50_000,
        "https://" * 20_000,
        "Cookie: " * 20_000,
        "sk-" * 60_000,
        "a@" * 80_000,
        "A" * 100_000 + ".",
        "Bearer " * 30_000,
        "x_" * 90_000 + "password",
    ],
)
def test_hostile_text_is_done_in_bounded_time(text: str) -> None:
    started = time.perf_counter()
    redact({text: text, "a": [text] * 20})
    assert time.perf_counter() - started < 5
