from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.programs.curl import HARMLESS_HEADERS, MAX_BODY, Curl, parse_curl
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused
from lab_scopes import lab

URL = "https://app.lab.example/"
ALWAYS = (
    "-q",
    "--globoff",
    "--proto",
    "=http,https",
    "--noproxy",
    "*",
    "--max-redirs",
    "0",
    "--max-time",
    "30",
    "--connect-timeout",
    "10",
    "--max-filesize",
    str(MAX_BODY),
)


def test_the_plain_form_reads_no_files_and_follows_nothing(scope: Scope) -> None:
    assert Curl((URL,)).argv(scope) == (
        *ALWAYS,
        "--show-error",
        "--silent",
        "--url",
        URL,
    )


@pytest.mark.parametrize(
    "fields",
    [
        Curl((URL, "http://203.0.113.10:8080/x?y=1")),
        Curl(("http://[2001:db8:10::5]/",), method="HEAD", flags=frozenset({"include"})),
        Curl(
            (URL,),
            headers=(("Accept", "*/*"), ("Range", "")),
            user_agent="probe/1.0",
            referer=URL,
            max_seconds=5,
            connect_seconds=2.5,
            max_body=1_000,
            retries=2,
            range="0-1023",
            write_out="%{http_code} %{time_total}\\n",
            tls_max="1.2",
            ciphers="HIGH:!aNULL",
            tls13_ciphers="TLS_AES_256_GCM_SHA384",
            curves="X25519",
            dump_headers=True,
            discard_body=True,
            pinned=(("app.lab.example", 443, "203.0.113.10"),),
            flags=frozenset({"http1_1", "ipv4", "tls1_2"}),
        ),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Curl, scope: Scope) -> None:
    assert parse_curl(fields.argv(scope)) == fields


def test_checked_addresses_are_pinned(scope: Scope) -> None:
    pins = {
        ("app.lab.example", 443): ip_address("203.0.113.10"),
        ("lab.example", 80): ip_address("2001:db8:10::5"),
    }
    argv = Curl((URL,)).with_pins(pins).argv(scope)
    assert "app.lab.example:443:203.0.113.10" in argv
    assert "lab.example:80:[2001:db8:10::5]" in argv
    assert parse_curl(argv).argv(scope) == argv


@pytest.mark.parametrize(
    "args",
    [
        [URL],
        ["-sSI", URL],
        ["-sSm5", URL],
        ["-s", "-S", "-i", "--", URL],
        ["-o", "-", URL],
        ["-so/dev/null", "-w", "%{http_code}", URL],
        ["-D-", URL],
        ["-X", "GET", URL],
        ["-X", "HEAD", URL],
        ["-H", "Connection: close", URL],
        ["-H", "Accept: text/html", "-H", "accept-language: zh", URL],
        ["-H", "Cache-Control:no-cache", URL],
        ["-A", "x", "-e", URL, URL],
        ["--url", URL],
        ["-g", "-q", "https://[2001:db8:10::5]/"],
        ["--resolve", "app.lab.example:443:203.0.113.10", URL],
        ["--noproxy", "*", "--proto", "=https", "--max-redirs", "3", "--stderr", "-", URL],
        ["-r", "0-", "--tls-max", "1.3", "-4", "--http2", URL],
        ["--retry", "2", "--max-filesize", "100000", URL],
        [URL, "https://lab.example/x"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_curl(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        [URL] * 5,
        ["app.lab.example"],
        ["https://evil.example/"],
        [URL, "https://evil.example/"],
        [URL, "--next", URL],
        ["--url", "https://evil.example/", URL],
        ["file:///etc/passwd"],
        ["https://user:pw@app.lab.example/"],
        ["https://app.lab.example/%0d%0a"],
        ["https://{app,www}.lab.example/"],
        ["https://app.lab.example/[1-9]"],
        ["https://[2001:db8:10::5]/[1-9]"],
        ["-o", "/var/x", URL],
        ["-so/tmp/x", URL],
        ["-O", URL],
        ["-D", "/var/x", URL],
        ["--stderr", "/var/x", URL],
        ["-L", URL],
        ["-sSL", URL],
        ["-k", URL],
        ["-d", "x", URL],
        ["--data-raw", "x", URL],
        ["-F", "a=b", URL],
        ["-T", "x", URL],
        ["-G", URL],
        ["-X", "POST", URL],
        ["-x", "http://203.0.113.10:8080", URL],
        ["-u", "a:b", URL],
        ["-n", URL],
        ["-b", "a=b", URL],
        ["-c", "-", URL],
        ["-K", "-", URL],
        ["-K-", URL],
        ["-E", "x", URL],
        ["--cacert", "/x", URL],
        ["-H", "@/etc/passwd", URL],
        ["-H", "Host: evil.example", URL],
        ["-H", "Authorization: Bearer x", URL],
        ["-H", "Cookie: a=b", URL],
        ["-H", "Connection: upgrade", URL],
        ["-H", "Accept: @/etc/passwd", URL],
        ["-A", "@/etc/passwd", URL],
        ["http://203.0.113.10:6379/"],
        ["http://203.0.113.10:25/"],
        ["-H", "X-Data: x", URL],
        ["-H", "Accept;", URL],
        ["-H", "Accept", URL],
        ["-H", " Host: evil.example", URL],
        ["-H", "Host : evil.example", URL],
        ["-H", f"Accept: {'x' * 501}", URL],
        ["-w", "@/etc/passwd", URL],
        ["-w", "%output{/tmp/x}", URL],
        ["-w", "%header{x}", URL],
        ["-w", "", URL],
        ["--resolve", "app.lab.example:443:198.51.100.7", URL],
        ["--resolve", "evil.example:443:203.0.113.10", URL],
        ["--resolve", "+app.lab.example:443:203.0.113.10", URL],
        ["--resolve", "203.0.113.10:443:203.0.113.11", URL],
        ["--resolve", "app.lab.example:443:203.0.113.10,198.51.100.7", URL],
        ["--resolve", "x", URL],
        ["--connect-to", "::app.lab.example:443", URL],
        ["--noproxy", "lab.example", URL],
        ["--proto", "+file", URL],
        ["--max-redirs", "-1", URL],
        ["--max-redirs", "99", URL],
        ["-m", "100000", URL],
        ["-m", "0", URL],
        ["--retry", "100", URL],
        ["-r", "0-1,2-3", URL],
        ["--tls-max", "9", URL],
        ["--ciphers", "a b", URL],
        ["-e", "https://evil.example/", URL],
        ["-A", "x" * 600, URL],
        ["--interface", "eth0", URL],
        ["--unix-socket", "/x", URL],
        ["--head=1", URL],
        ["--silen", URL],
        ["-Z", URL],
        ["-m", "1", "-m", "2", URL],
    ],
)
def test_files_bodies_relays_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_curl(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        Curl(()),
        Curl((URL,), method="POST"),  # type: ignore[arg-type]  # what a type checker would refuse
        Curl((URL,), headers=(("Host", "evil.example"),)),
        Curl((URL,), headers=(("Accept", "a\r\nX: y"),)),
        Curl((URL,), user_agent="a\nb"),
        Curl((URL,), max_seconds=0),
        Curl((URL,), connect_seconds=10_000),
        Curl((URL,), max_body=MAX_BODY + 1),
        Curl((URL,), retries=4),
        Curl((URL,), range="x"),
        Curl((URL,), flags=frozenset({"insecure"})),
        Curl((URL,), pinned=(("app.lab.example", 443, "x"),)),
        Curl(("-K",)),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Curl, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


def test_ports_out_of_scope_are_refused(web_scope: Scope) -> None:
    assert Curl((URL,)).argv(web_scope)
    for fields in (
        Curl(("https://app.lab.example:8443/",)),
        Curl((URL,), pinned=(("app.lab.example", 8443, "203.0.113.10"),)),
    ):
        with pytest.raises(CommandRefused, match="port 8443"):
            fields.argv(web_scope)


@given(st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_no_header_but_the_harmless_ones_is_sent(name: str, value: str) -> None:
    try:
        argv = parse_curl(["-H", f"{name}: {value}", URL]).argv(lab())
    except CommandRefused:
        return
    assert argv[argv.index("--header") + 1].partition(":")[0].lower() in HARMLESS_HEADERS
