from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.file_signatures import (
    MAX_FILE,
    SIGNATURES,
    SOURCE_MAP,
    SOURCE_MAP_LINK,
    redact,
)

BY_PATH = {signature.path: signature for signature in SIGNATURES}
SECRET = "hunter2-hunter2"
FOUND = {
    "/.git/HEAD": b"ref: refs/heads/main\n",
    "/.git/config": b"[core]\n\tbare = false\n[remote]\n\turl = https://u:hunter2-hunter2@x/\n",
    "/.env": b"# env\nexport DB_PASSWORD=hunter2-hunter2\n",
    "/.aws/credentials": b"[default]\naws_secret_access_key = hunter2-hunter2\n",
    "/id_rsa": b"-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2-hunter2\n",
    "/.ssh/id_rsa": b"-----BEGIN RSA PRIVATE KEY-----\nhunter2-hunter2\n",
    "/dump.sql": b"-- MySQL dump 10.13\nINSERT INTO `u` VALUES ('hunter2-hunter2');\n",
    "/backup.sql": b"CREATE TABLE users (pw text default 'hunter2-hunter2');\n",
    "/wp-config.php.bak": b"<?php\ndefine('DB_PASSWORD', 'hunter2-hunter2');\n",
    "/wp-config.php~": b'<?php\ndefine( "DB_PASSWORD", "hunter2-hunter2" );\n',
    "/phpinfo.php": b"<title>PHP 8.3 - phpinfo()</title>",
    "/info.php": b"<h1>PHP Version 5.4.16</h1>",
    "/server-status": b"<h1>Apache Server Status for site.test</h1>",
    "/actuator/env": b'{"activeProfiles":["prod"],"x":{"value":"hunter2-hunter2"}}',
    "/.svn/entries": b"12\n",
    "/.DS_Store": b"\x00\x00\x00\x01Bud1\x00\x00",
}
HARMLESS = (
    b"<!doctype html><html><head><title>Not found</title></head><body>Nothing</body></html>",
    b"",
    b"{}",
    b"Please log in to see .git/HEAD and DB_PASSWORD",
    b"<p>-----BEGIN PRIVATE KEY-----</p>",
    b"12 monkeys are no repository but 13 might be",
)


def test_every_path_is_recognised_by_its_content() -> None:
    assert set(FOUND) == set(BY_PATH)
    for path, content in FOUND.items():
        assert BY_PATH[path].pattern.search(content), path


@pytest.mark.parametrize("content", HARMLESS)
def test_a_page_that_is_shown_for_every_path_has_no_signature(content: bytes) -> None:
    matched = {s.path for s in SIGNATURES if s.pattern.search(content)}
    assert matched <= {"/.svn/entries"} if content.startswith(b"12 ") else matched == set()


@pytest.mark.parametrize("path", [path for path, content in FOUND.items() if b"hunter" in content])
def test_no_secret_survives_the_redaction(path: str) -> None:
    shown = redact(FOUND[path], BY_PATH[path])
    assert SECRET not in shown
    assert "signature: " in shown


def test_the_names_of_settings_are_kept() -> None:
    assert redact(FOUND["/.env"], BY_PATH["/.env"]).endswith(
        "[5 bytes]\nexport DB_PASSWORD=[15 bytes]"
    )


@given(st.binary(max_size=600), st.sampled_from(SIGNATURES))
def test_whatever_stands_behind_a_name_is_blotted_out(noise: bytes, kind: object) -> None:
    del kind
    secret = b"s3cr3t-value-of-nobody"
    for signature in SIGNATURES:
        for content in (noise + b"\nPASSWORD=" + secret, b"a: '" + secret + b"'\n" + noise):
            assert secret.decode() not in redact(content, signature)


def test_source_maps_are_found_by_their_link_and_their_shape() -> None:
    assert SOURCE_MAP_LINK.findall(b"x\n//# sourceMappingURL=app.js.map\n") == [b"app.js.map"]
    assert SOURCE_MAP.pattern.search(b'{"version":3,"sources":["a.ts"],"mappings":""}')
    assert not SOURCE_MAP.pattern.search(b"<html>sources</html>")


@pytest.mark.parametrize(
    "piece", [b"A", b"define(", b"<title>", b"-----BEGIN ", b"\n", b" ", b"'\\", b"a=", b"0"]
)
def test_patterns_are_linear(piece: bytes) -> None:
    content = (piece * MAX_FILE)[:MAX_FILE]
    started = time.process_time()
    for signature in SIGNATURES:
        signature.pattern.search(content)
        redact(content, signature)
    assert time.process_time() - started < 1
