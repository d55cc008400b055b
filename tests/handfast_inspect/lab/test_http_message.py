from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.lab.address_book import AddressBook
from handfast_inspect.lab.http_message import (
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    BadRequest,
    Exchange,
    Request,
    Response,
    parse_head,
)
from handfast_inspect.lab.site import Service, ServiceKind, Site


def request(*lines: str) -> Request:
    return parse_head("\r\n".join([*lines, "", ""]).encode())


def test_a_request_is_read_with_its_headers_in_lower_case() -> None:
    read = request("GET /a?b=c HTTP/1.1", "Host: Bad.Lab.Example:8080", "X-A: 1", "X-A: 2")
    assert (read.method, read.path, read.version) == ("GET", "/a", "HTTP/1.1")
    assert read.host == "bad.lab.example"
    assert read.header("x-a") == "1"
    assert read.header("absent") == ""


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("GET http://a.lab.example/x/y HTTP/1.1", "/x/y"),
        ("GET https://a.lab.example HTTP/1.1", "/"),
        ("OPTIONS * HTTP/1.1", "*"),
    ],
)
def test_other_forms_of_the_target_are_read(line: str, path: str) -> None:
    assert request(line).path == path


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("GET /", 400),
        ("GET  / HTTP/1.1", 400),
        ("G3T / HTTP/1.1", 400),
        ("GET x HTTP/1.1", 400),
        ("GET / SMTP", 400),
        ("GET / HTTP/2.0", 505),
    ],
)
def test_a_damaged_request_line_is_refused(line: str, status: int) -> None:
    with pytest.raises(BadRequest) as refused:
        request(line)
    assert refused.value.status == status


@pytest.mark.parametrize("header", ["no colon", ": no name", "Name : blank", " folded: x"])
def test_a_damaged_header_is_refused(header: str) -> None:
    with pytest.raises(BadRequest):
        request("GET / HTTP/1.1", header)


def test_a_head_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadRequest) as refused:
        parse_head(b"GET / HTTP/1.1\r\nX: " + b"y" * MAX_HEAD_BYTES + b"\r\n\r\n")
    assert refused.value.status == 431


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Transfer-Encoding: chunked", 501),
        ("Content-Length: -1", 400),
        ("Content-Length: ²", 400),
        ("Content-Length: 99999999999999999999", 400),
        (f"Content-Length: {MAX_BODY_BYTES + 1}", 413),
    ],
)
def test_a_body_of_unknown_length_is_refused(header: str, status: int) -> None:
    with pytest.raises(BadRequest) as refused:
        _ = request("POST / HTTP/1.1", header).body_length
    assert refused.value.status == status


def test_the_length_of_a_body_is_read() -> None:
    assert request("POST / HTTP/1.1", "Content-Length: 12").body_length == 12
    assert request("GET / HTTP/1.1").body_length == 0


@pytest.mark.parametrize(
    ("lines", "keeps"),
    [
        (("GET / HTTP/1.1",), True),
        (("GET / HTTP/1.1", "Connection: Close"), False),
        (("GET / HTTP/1.0",), False),
    ],
)
def test_a_connection_is_kept_as_the_version_has_it(lines: tuple[str, ...], *, keeps: bool) -> None:
    assert request(*lines).keeps_alive is keeps


def test_an_answer_brings_its_length_unless_it_lies_about_it() -> None:
    assert b"\r\nContent-Length: 2\r\n" in Response(body=b"hi").encode()
    lying = Response(headers=(("content-length", "9"),), body=b"hi").encode()
    assert lying.lower().count(b"content-length") == 1


def test_an_answer_may_keep_its_length_to_itself() -> None:
    assert b"Content-Length" not in Response(body=b"hi", tells_length=False).encode()


def test_an_answer_to_head_has_no_body() -> None:
    encoded = Response(body=b"hi").encode(head_only=True)
    assert encoded.endswith(b"\r\n\r\n")
    assert b"Content-Length: 2" in encoded


def test_control_characters_go_out_as_they_are() -> None:
    assert b"X-A: \x1b[2J\r\n" in Response(headers=(("X-A", "\x1b[2J"),)).encode()


def test_a_url_keeps_the_name_that_the_visitor_used() -> None:
    services = (Service(ServiceKind.HTTPS, 8443),)
    site = Site("a.lab.example", "", "127.0.0.1", services, aliases=("www.a.lab.example",))
    book = AddressBook([site])
    for host, name in [("www.a.lab.example", "www.a.lab.example"), ("evil", "a.lab.example")]:
        exchange = Exchange(
            request("GET / HTTP/1.1", f"Host: {host}"), site, ServiceKind.HTTP, book
        )
        assert exchange.url(ServiceKind.HTTPS, "/x") == f"https://{name}:8443/x"


@given(st.binary(max_size=300))
def test_garbage_is_a_request_or_a_bad_request(garbage: bytes) -> None:
    with suppress(BadRequest):
        assert parse_head(garbage + b"\r\n\r\n").path.startswith(("/", "*"))
