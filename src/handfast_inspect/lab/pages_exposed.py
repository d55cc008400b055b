"""The answers of a site that serves its own repository, secrets and debug pages. All made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from handfast_inspect.lab.http_message import Exchange, Response
from handfast_inspect.lab.pages_good import GOOD_HEADERS, page

PLANTED_SECRET: Final = "pl4nted-s3cret-of-the-laboratory"  # noqa: S105 - made up, to be redacted
"""The secret in every exposed file. It must never stand in a report, a log or an evidence store."""

_KEY_BEGIN: Final = "-----BEGIN OPENSSH PRIVATE KEY-----"
_KEY_END: Final = "-----END OPENSSH PRIVATE KEY-----"

_FILES: Final[Mapping[str, tuple[str, str]]] = {
    "/.git/HEAD": ("application/octet-stream", "ref: refs/heads/main\n"),
    "/.git/config": (
        "application/octet-stream",
        (
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
            f'[remote "origin"]\n\turl = https://deploy:{PLANTED_SECRET}@git.lab.example/shop.git\n'
        ),
    ),
    "/.env": (
        "application/octet-stream",
        f"APP_ENV=production\nDB_PASSWORD={PLANTED_SECRET}\nAPI_KEY={PLANTED_SECRET}\n",
    ),
    "/.aws/credentials": (
        "text/plain",
        (
            f"[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\n"
            f"aws_secret_access_key = {PLANTED_SECRET}\n"
        ),
    ),
    "/id_rsa": ("text/plain", f"{_KEY_BEGIN}\n{PLANTED_SECRET}\n{_KEY_END}\n"),
    "/.ssh/id_rsa": ("text/plain", f"{_KEY_BEGIN}\n{PLANTED_SECRET}\n{_KEY_END}\n"),
    "/dump.sql": (
        "application/sql",
        (
            "-- MySQL dump 10.13  Distrib 5.7.44\n--\nCREATE TABLE `users` (`id` int);\n"
            f"INSERT INTO `users` VALUES (1,'{PLANTED_SECRET}');\n"
        ),
    ),
    "/wp-config.php.bak": (
        "text/plain",
        f"<?php\ndefine('DB_NAME', 'shop');\ndefine('DB_PASSWORD', '{PLANTED_SECRET}');\n",
    ),
    "/phpinfo.php": (
        "text/html",
        (
            "<html><head><title>phpinfo()</title></head><body><h1>PHP Version 5.4.16</h1>"
            "<table><tr><td>System</td><td>Linux shop</td></tr></table></body></html>"
        ),
    ),
    "/server-status": (
        "text/html",
        (
            "<html><head><title>Apache Status</title></head><body><h1>Apache Server Status for "
            "exposed.lab.example</h1><dl><dt>Server uptime: 3 days</dt></dl></body></html>"
        ),
    ),
    "/actuator/env": (
        "application/json",
        (
            '{"activeProfiles":["prod"],"propertySources":[{"name":"systemProperties",'
            f'"properties":{{"db.password":{{"value":"{PLANTED_SECRET}"}}}}}}]}}'
        ),
    ),
    "/.svn/entries": ("text/plain", "12\n"),
    "/robots.txt": (
        "text/plain",
        "User-agent: *\nDisallow: /admin/\nDisallow: /phpmyadmin/\nDisallow: /internal/reports/\n",
    ),
    "/app.js.map": (
        "application/json",
        '{"version":3,"sources":["src/app.ts"],"mappings":"AAAA","names":[]}',
    ),
}

_DS_STORE: Final = b"\x00\x00\x00\x01Bud1\x00\x00\x10\x00\x00\x00\x08\x00" + bytes(64)


def respond(exchange: Exchange) -> Response:
    """Answers for the exposed site: well configured, but for what lies in its document root."""
    if exchange.path == "/":
        script = '<script src="/app.js"></script>'
        return Response(headers=GOOD_HEADERS, body=page("Shop", script))
    if exchange.path == "/app.js":
        body = b"let a=1;\n//# sourceMappingURL=app.js.map\n"
        return Response(headers=GOOD_HEADERS, body=body, content_type="text/javascript")
    if exchange.path == "/.DS_Store":
        content_type = "application/octet-stream"
        return Response(headers=GOOD_HEADERS, body=_DS_STORE, content_type=content_type)
    if exchange.path in _FILES:
        content_type, body_text = _FILES[exchange.path]
        return Response(headers=GOOD_HEADERS, body=body_text.encode(), content_type=content_type)
    return Response(404, headers=GOOD_HEADERS, body=page("Not found"))


def exposed_paths() -> tuple[str, ...]:
    """The paths under which something lies that should not."""
    return ("/.DS_Store", *(path for path in _FILES if path != "/robots.txt"))
