from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.network.http import FetchRequest
from handfast_inspect.probes.reproduce import curl_line, dig_line, netcat_line, openssl_line


def test_dig_is_told_the_server_the_port_and_the_name() -> None:
    assert dig_line("site.test", "TXT") == ("dig +noall +answer +comments -t TXT -q site.test")
    assert dig_line("site.test", "DS", "192.0.2.1#5353", dnssec=True) == (
        "dig +dnssec @192.0.2.1 -p 5353 -t DS -q site.test"
    )
    assert "-p" not in dig_line("site.test", "A", "2001:db8::1#53")


def test_curl_follows_nothing_and_sends_the_same_headers() -> None:
    request = FetchRequest(
        "https://site.test/?a=1&b=2", headers=(("Origin", "null"),), verify=False
    )
    assert curl_line(request) == (
        "curl -sS -i --max-time 20 -k -H 'Origin: null' -- 'https://site.test/?a=1&b=2'"
    )
    assert "-X OPTIONS" in curl_line(FetchRequest("http://site.test/", method="OPTIONS"))
    assert " -I " in curl_line(FetchRequest("http://site.test/", method="HEAD"))


def test_openssl_gets_a_name_for_sni_and_brackets_for_an_address() -> None:
    assert openssl_line("site.test", 443, "-tls1") == (
        "openssl s_client -connect site.test:443 -servername site.test -tls1 </dev/null"
    )
    assert "'[2001:db8::1]:443'" in openssl_line("2001:db8::1", 443)
    assert "-servername" not in openssl_line("2001:db8::1", 443)


@given(st.text(min_size=1, max_size=60))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_hostile_name_stays_one_word(name: str) -> None:
    hostile = name + "'; rm -rf /; $(id) `id`"
    assert hostile in shlex.split(dig_line(hostile, "A"))
    assert hostile in shlex.split(curl_line(FetchRequest(hostile)))
    assert f"{hostile}:1" in shlex.split(openssl_line(hostile.replace(":", ""), 1)) or ":" in name
    assert hostile in shlex.split(netcat_line(hostile, 1))
