from __future__ import annotations

from pathlib import Path

import dns.rcode
import pytest

from handfast.errors import UserError
from handfast.network.answer import DnsStatus, Question
from handfast.network.nameserver import Nameserver
from handfast.network.resolver import (
    DnsResolver,
    ResolverLimits,
    SystemResolver,
    system_nameservers,
)
from loopback_dns import DnsServer, dns_server

FAST = ResolverLimits(attempt_seconds=0.1, total_seconds=0.5, rounds=1)


async def test_every_address_of_both_families_is_found_once(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add(
        "www.site.test 60 CNAME site.test.",
        "site.test 60 A 192.0.2.1",
        "site.test 60 A 192.0.2.2",
        "site.test 60 AAAA 2001:db8::1",
    )
    found = await DnsResolver([dns_on_loopback.address]).resolve("www.site.test")
    assert sorted(found) == ["192.0.2.1", "192.0.2.2", "2001:db8::1"]
    assert found[-1] == "2001:db8::1"


async def test_an_address_is_its_own_answer_and_asks_nobody(dns_on_loopback: DnsServer) -> None:
    resolver = DnsResolver([dns_on_loopback.address])
    assert await resolver.resolve("192.0.2.7") == ("192.0.2.7",)
    assert await resolver.resolve("2001:DB8::1") == ("2001:db8::1",)
    assert dns_on_loopback.asked == []


async def test_names_are_asked_as_written_without_a_search_domain(
    dns_on_loopback: DnsServer,
) -> None:
    await DnsResolver([dns_on_loopback.address]).resolve("intranet")
    assert {name for name, _, _ in dns_on_loopback.asked} == {"intranet"}


async def test_the_hosts_file_is_not_read(dns_on_loopback: DnsServer) -> None:
    assert await DnsResolver([dns_on_loopback.address]).resolve("localhost") == ()


async def test_a_failing_server_is_passed_over_for_the_next(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add("site.test 60 A 192.0.2.1")
    async with dns_server() as broken:
        broken.rcode("site.test", dns.rcode.SERVFAIL)
        resolver = DnsResolver([broken.address, dns_on_loopback.address])
        answer = await resolver.query(Question("site.test", "A"))
    assert answer.status is DnsStatus.OK
    assert answer.server == str(dns_on_loopback.address)


async def test_a_silent_server_is_asked_again_and_then_given_up(
    dns_on_loopback: DnsServer,
) -> None:
    dns_on_loopback.silence("site.test")
    limits = ResolverLimits(attempt_seconds=0.05, total_seconds=0.5, rounds=3)
    answer = await DnsResolver([dns_on_loopback.address], limits).query(Question("site.test", "A"))
    assert answer.status is DnsStatus.TIMEOUT
    assert len(dns_on_loopback.asked) == 3


async def test_the_total_deadline_ends_the_rounds(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.silence("site.test")
    limits = ResolverLimits(attempt_seconds=0.1, total_seconds=0.15, rounds=50)
    answer = await DnsResolver([dns_on_loopback.address], limits).query(Question("site.test", "A"))
    assert answer.status is DnsStatus.TIMEOUT
    assert len(dns_on_loopback.asked) <= 3


async def test_a_server_that_refuses_is_not_asked_twice(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.rcode("site.test", dns.rcode.REFUSED)
    answer = await DnsResolver([dns_on_loopback.address]).query(Question("site.test", "A"))
    assert answer.status is DnsStatus.REFUSED
    assert len(dns_on_loopback.asked) == 1


async def test_the_same_question_is_asked_once_a_run_whatever_came(
    dns_on_loopback: DnsServer,
) -> None:
    dns_on_loopback.add("site.test 60 A 192.0.2.1")
    dns_on_loopback.rcode("broken.test", dns.rcode.SERVFAIL)
    resolver = DnsResolver([dns_on_loopback.address])
    for name in ("site.test", "site.test", "broken.test", "broken.test"):
        await resolver.query(Question(name, "A"))
    assert [name for name, _, _ in dns_on_loopback.asked] == ["site.test", "broken.test"]


async def test_no_address_is_an_empty_answer(dns_on_loopback: DnsServer) -> None:
    dns_on_loopback.add("site.test 60 MX 10 mail.site.test.")
    assert await DnsResolver([dns_on_loopback.address], FAST).resolve("site.test") == ()


@pytest.mark.parametrize(
    "servers",
    [[], [Nameserver("dns.example")], [Nameserver("192.0.2.1", 0)], [Nameserver("::1%lo", 99999)]],
)
def test_a_resolver_without_a_usable_server_is_refused(servers: list[Nameserver]) -> None:
    with pytest.raises(UserError, match="name server"):
        DnsResolver(servers)


async def test_no_round_at_all_is_the_callers_error(dns_on_loopback: DnsServer) -> None:
    resolver = DnsResolver([dns_on_loopback.address], ResolverLimits(rounds=0))
    with pytest.raises(UserError, match="rounds"):
        await resolver.query(Question("site.test", "A"))


async def test_the_system_resolver_reads_the_hosts_file() -> None:
    assert "127.0.0.1" in await SystemResolver().resolve("localhost")


async def test_the_system_resolver_gives_up_in_time() -> None:
    assert await SystemResolver(seconds=0.0).resolve("localhost") == ()
    assert await SystemResolver().resolve("\udcff.test") == ()


def test_only_addresses_are_taken_from_resolv_conf(tmp_path: Path) -> None:
    path = tmp_path / "resolv.conf"
    path.write_text(
        "# nameserver 192.0.2.9\nsearch corp.test\nnameserver 192.0.2.1\n"
        "nameserver not-an-address\nnameserver\nnameserver 2001:db8::53 # second\n"
    )
    assert system_nameservers(path) == (Nameserver("192.0.2.1"), Nameserver("2001:db8::53"))
    assert system_nameservers(tmp_path / "missing") == ()
