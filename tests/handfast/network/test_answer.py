from __future__ import annotations

import dns.flags
import dns.message
import dns.rrset
from hypothesis import given
from hypothesis import strategies as st

from handfast.network.answer import MAX_RECORDS, DnsStatus, Question, answer_of, read_message
from handfast.network.nameserver import make_query

QUESTION = Question("site.test", "A")


def _response(*lines: str) -> dns.message.Message:
    response = dns.message.make_response(make_query(QUESTION))
    for line in lines:
        name, ttl, rtype, data = line.split(None, 3)
        response.answer.append(dns.rrset.from_text(name, int(ttl), "IN", rtype, data))
    return response


def test_an_alias_alone_is_no_data() -> None:
    answer = answer_of(QUESTION, _response("site.test. 1 CNAME gone.test."), b"", "s", 0)
    assert answer.status is DnsStatus.NO_DATA
    assert answer.of_type("CNAME")[0].data == "gone.test."


def test_the_flags_of_the_header_are_kept() -> None:
    response = _response("site.test. 1 A 192.0.2.1")
    response.flags |= dns.flags.AA | dns.flags.AD
    answer = answer_of(QUESTION, response, b"", "s", 0)
    assert (answer.authoritative, answer.authenticated) == (True, True)
    assert not answer.recursion_available


def test_more_records_than_the_cap_are_dropped_and_said_so() -> None:
    response = _response()
    addresses = [f"10.{n // 65536}.{n // 256 % 256}.{n % 256}" for n in range(MAX_RECORDS + 9)]
    response.answer.append(dns.rrset.from_text("site.test.", 1, "IN", "A", *addresses))
    answer = answer_of(QUESTION, response, b"", "s", 0)
    assert len(answer.records) == MAX_RECORDS
    assert answer.cut


@given(st.binary(max_size=512))
def test_any_bytes_are_a_message_or_nothing(data: bytes) -> None:
    message = read_message(data)
    if message is not None:
        assert answer_of(QUESTION, message, data, "s", 0).wire == data


@given(st.integers(0, 200), st.integers(0, 255))
def test_a_damaged_message_is_read_or_refused(position: int, value: int) -> None:
    wire = bytearray(
        _response(
            "site.test. 1 A 192.0.2.1",
            'site.test. 1 TXT "hello" "world"',
            "site.test. 1 MX 10 mail.site.test.",
            'site.test. 1 CAA 0 issue "ca.test"',
        ).to_wire()
    )
    wire[position % len(wire)] = value
    message = read_message(bytes(wire))
    if message is not None:
        answer_of(QUESTION, message, bytes(wire), "s", 0)
