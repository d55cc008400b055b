from __future__ import annotations

import asyncio
import gc
import gzip
import ssl

import pytest

from handfast.boundary.egress import EgressGuard
from handfast.boundary.scope import Rate, ScopeBudget
from handfast.errors import EgressDenied, LimitExceeded
from handfast.network.connect import Deadlines
from handfast.network.failure import FailureKind
from handfast.network.http import FetchRequest, GuardedClient
from handfast.network.pace import Pace
from loopback_tcp import (
    Handler,
    Site,
    StaticResolver,
    drips,
    floods,
    http_response,
    loopback_guard,
    loopback_scope,
    says,
    silent,
    tcp_server,
)
from loopback_tls import loopback_tls, server_context

QUICK = Deadlines(connect=0.5, handshake=0.5, read=0.2, total=0.6)
OK_HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


def client(port: int, *, resolver: StaticResolver | None = None) -> GuardedClient:
    guard = loopback_guard(port, resolver=resolver)
    trust = loopback_tls().trust
    return GuardedClient(guard, Pace.of(loopback_scope()), deadlines=QUICK, trust=trust)


async def failing(handler: Handler, cap: int = 1000) -> tuple[FailureKind | None, bytes, bool]:
    async with tcp_server(handler) as port:
        request = FetchRequest(f"http://site.test:{port}/", max_bytes=cap)
        fetched = await client(port).fetch(request)
    return fetched.failure.kind if fetched.failure else None, fetched.body, fetched.cut


async def test_the_whole_answer_is_kept_with_headers_as_sent() -> None:
    headers = [("Set-Cookie", "a=1"), ("X-ODD", "caf\xe9"), ("set-cookie", "b=2")]
    site = Site({"/x?y=1": http_response(b"hello", headers=headers)})
    async with tcp_server(site.serve) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/x?y=1"))
    answer = fetched.last
    assert answer is not None
    assert (answer.status, answer.reason, answer.http_version) == (200, "OK", "HTTP/1.1")
    assert answer.headers[2:] == tuple(headers)
    assert answer.all_headers("SET-COOKIE") == ("a=1", "b=2")
    assert answer.header("x-none") is None
    assert answer.peer == "127.0.0.1"
    assert answer.head.startswith(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
    assert b"caf\xe9" in answer.head
    assert fetched.body == b"hello"
    assert not fetched.cut
    assert fetched.failure is None


async def test_the_request_names_the_host_and_carries_nothing_else() -> None:
    site = Site()
    async with tcp_server(site.serve) as port:
        await client(port).fetch(
            FetchRequest(f"http://Site.Test:{port}/", headers=(("Origin", "https://evil.test"),))
        )
    lines = site.requests[0].split("\r\n")
    assert lines[0] == "GET / HTTP/1.1"
    assert f"Host: site.test:{port}" in lines
    assert "Origin: https://evil.test" in lines
    names = {line.partition(":")[0].lower() for line in lines[1:] if line}
    assert names == {"host", "user-agent", "accept", "accept-encoding", "origin"}


async def test_proxies_of_the_environment_have_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with tcp_server(Site({"/": http_response(b"direct")}).serve) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/"))
    assert fetched.body == b"direct"


async def test_a_name_that_moves_after_the_check_is_not_followed() -> None:
    resolver = StaticResolver()
    async with tcp_server(Site({"/": http_response(b"here")}).serve) as port:
        guarded = client(port, resolver=resolver)
        fetched = await guarded.fetch(FetchRequest(f"http://site.test:{port}/"))
    assert fetched.body == b"here"
    assert resolver.asked == ["site.test"]


async def test_redirects_are_followed_and_every_hop_is_kept() -> None:
    site = Site(
        {
            "/": http_response(status="302 Found", headers=[("Location", "next?a=1")]),
            "/next?a=1": http_response(b"end"),
        }
    )
    async with tcp_server(site.serve) as port:
        base = f"http://site.test:{port}"
        fetched = await client(port).fetch(FetchRequest(f"{base}/"))
    assert [answer.url for answer in fetched.answers] == [f"{base}/", f"{base}/next?a=1"]
    assert fetched.body == b"end"
    assert fetched.refused == ""


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "not in scope"),
        ("http://other.test/", "not in scope"),
        ("ftp://site.test/", "scheme"),
        ("/", "circle"),
        ("http://site.test:1/", "not in scope"),
    ],
)
async def test_a_redirect_out_of_scope_ends_with_its_reason(location: str, reason: str) -> None:
    redirect = http_response(b"moved", "301 Moved", [("Location", location)])
    async with tcp_server(Site({"/": redirect}).serve) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/"))
    assert reason in fetched.refused
    assert fetched.last is not None
    assert fetched.last.status == 301
    assert fetched.body == b"moved"


async def test_redirects_end_after_five() -> None:
    routes = {
        f"/{n}": http_response(status="302 Found", headers=[("Location", f"/{n + 1}")])
        for n in range(20)
    }
    site = Site(routes)
    async with tcp_server(site.serve) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/0"))
    assert len(site.requests) == 6
    assert "redirects" in fetched.refused


async def test_a_redirect_is_left_alone_when_asked() -> None:
    redirect = http_response(status="302 Found", headers=[("Location", "/next")])
    site = Site({"/": redirect})
    async with tcp_server(site.serve) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/", follow=False))
    assert site.paths == ["/"]
    assert fetched.refused == ""


async def test_a_url_out_of_scope_is_refused_before_anything_is_sent() -> None:
    site = Site()
    async with tcp_server(site.serve) as port:
        with pytest.raises(EgressDenied):
            await client(port).fetch(FetchRequest(f"http://other.test:{port}/"))
    assert site.requests == []


async def test_the_same_get_is_sent_once_and_another_one_again() -> None:
    site = Site({"/": http_response(b"once")})
    async with tcp_server(site.serve) as port:
        guarded = client(port)
        request = FetchRequest(f"http://site.test:{port}/")
        first, second = await asyncio.gather(guarded.fetch(request), guarded.fetch(request))
        third = await guarded.fetch(FetchRequest(request.url, method="HEAD"))
    assert first is second
    assert len(site.requests) == 2
    assert third.body == b""


async def test_a_big_body_is_cut_at_the_cap() -> None:
    assert await failing(floods(b"x" * 4096, OK_HEAD), 10_000) == (None, b"x" * 10_000, True)


async def test_a_compressed_bomb_is_cut_at_the_cap() -> None:
    bomb = gzip.compress(bytes(20_000_000), 9)
    answer = http_response(bomb, headers=[("Content-Encoding", "gzip")])
    assert await failing(says(answer)) == (None, bytes(1000), True)


async def test_silence_costs_the_read_deadline() -> None:
    kind, _, cut = await failing(silent())
    assert kind is FailureKind.READ_TIMEOUT
    assert cut


async def test_a_slow_drip_costs_the_total_deadline_and_keeps_what_came() -> None:
    kind, body, cut = await failing(drips(b"x", 0.05, OK_HEAD))
    assert kind is FailureKind.TOTAL_TIMEOUT
    assert body.startswith(b"x")
    assert cut


@pytest.mark.parametrize(
    "noise",
    [
        b"220 mail.test ESMTP\r\n\r\n",
        b"\x16\x03\x01\x00\x00" * 20,
        b"HTTP/1.1 999999 no\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_what_is_no_http_is_a_protocol_failure(noise: bytes) -> None:
    kind, _, _ = await failing(says(noise))
    assert kind is FailureKind.PROTOCOL


async def test_endless_headers_are_given_up() -> None:
    kind, _, _ = await failing(floods(b"X-A: " + b"a" * 4000 + b"\r\n", b"HTTP/1.1 200 OK\r\n"))
    assert kind is FailureKind.PROTOCOL


async def test_an_answer_cut_midway_keeps_its_head() -> None:
    async def short(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    async with tcp_server(short) as port:
        fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/"))
    assert fetched.last is not None
    assert fetched.body == b"half"
    assert fetched.failure is not None
    assert fetched.failure.kind is FailureKind.PROTOCOL


async def test_a_closed_port_is_a_failure_and_no_exception() -> None:
    async with tcp_server(silent()) as port:
        pass
    fetched = await client(port).fetch(FetchRequest(f"http://site.test:{port}/"))
    assert fetched.failure is not None
    assert fetched.failure.kind is FailureKind.REFUSED
    assert fetched.answers == ()


async def test_the_certificate_is_checked_against_the_name_at_the_pinned_address() -> None:
    site = Site({"/": http_response(b"secret")})
    context = loopback_tls().server_context("site.test")
    async with tcp_server(site.serve, context) as port:
        guarded = client(port)
        good = await guarded.fetch(FetchRequest(f"https://site.test:{port}/"))
        wrong = await guarded.fetch(FetchRequest(f"https://other.site.test:{port}/"))
        looked_at = await guarded.fetch(
            FetchRequest(f"https://other.site.test:{port}/", verify=False)
        )
    assert good.body == b"secret"
    assert good.last is not None
    assert good.last.tls_version == "TLSv1.3"
    assert wrong.failure is not None
    assert wrong.failure.kind is FailureKind.CERTIFICATE
    assert wrong.failure.verify_code == 62
    assert wrong.answers == ()
    assert looked_at.body == b"secret"
    assert f"Host: other.site.test:{port}" in site.requests[1]


async def test_old_suites_are_spoken_on_request_and_never_without_a_certificate() -> None:
    site = Site({"/": http_response(b"old")})
    old = server_context(loopback_tls().authority, "site.test", rsa=True)
    old.set_ciphers("AES128-SHA:@SECLEVEL=0")
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    anonymous = server_context(loopback_tls().authority, "site.test", rsa=True)
    anonymous.set_ciphers("AECDH:@SECLEVEL=0")
    anonymous.maximum_version = ssl.TLSVersion.TLSv1_2
    async with tcp_server(site.serve, old) as port, tcp_server(site.serve, anonymous) as nobody:
        guarded = client(port)
        url = f"https://site.test:{port}/"
        assert (await guarded.fetch(FetchRequest(url))).failure is not None
        assert (await guarded.fetch(FetchRequest(url, old_tls=True))).body == b"old"
        wrong = FetchRequest(f"https://other.site.test:{port}/", old_tls=True)
        assert (await guarded.fetch(wrong)).answers == ()
        unknown = FetchRequest(f"https://site.test:{nobody}/", old_tls=True)
        assert (await client(nobody).fetch(unknown)).answers == ()
        seen = FetchRequest(unknown.url, verify=False)
        assert (await client(nobody).fetch(seen)).body == b"old"


async def test_an_address_needs_a_certificate_for_the_address() -> None:
    context = loopback_tls().server_context("127.0.0.1")
    async with tcp_server(Site({"/": http_response(b"ok")}).serve, context) as port:
        fetched = await client(port).fetch(FetchRequest(f"https://127.0.0.1:{port}/"))
    assert fetched.body == b"ok"


async def test_a_run_ends_at_its_requests_and_bytes() -> None:
    async with tcp_server(Site({"*": http_response(b"x" * 100)}).serve) as port:
        guard = EgressGuard(loopback_scope(port), StaticResolver())
        few = GuardedClient(guard, Pace(Rate(1000, 4), ScopeBudget(requests=1)))
        await few.fetch(FetchRequest(f"http://site.test:{port}/a"))
        with pytest.raises(LimitExceeded, match="requests"):
            await few.fetch(FetchRequest(f"http://site.test:{port}/b"))
        small = GuardedClient(guard, Pace(Rate(1000, 4), ScopeBudget(bytes=50)))
        with pytest.raises(LimitExceeded, match="bytes"):
            await small.fetch(FetchRequest(f"http://site.test:{port}/c"))


async def test_a_handshake_that_is_cut_short_leaves_no_connection_open() -> None:
    slow = Deadlines(connect=5, handshake=5, read=5, total=0.2)
    async with tcp_server(silent()) as port:
        hasty = GuardedClient(loopback_guard(port), Pace.of(loopback_scope()), deadlines=slow)
        fetched = await hasty.fetch(FetchRequest(f"https://site.test:{port}/"))
    assert fetched.failure is not None
    assert fetched.failure.kind is FailureKind.TOTAL_TIMEOUT
    gc.collect()  # an open transport would warn here, and a warning is an error
