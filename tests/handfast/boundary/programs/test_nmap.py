from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.programs.nmap import HARMLESS_SCRIPTS, Nmap, parse_nmap
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused
from lab_scopes import lab

HOST = "203.0.113.10"


def test_the_plain_form_names_its_targets_alone(scope: Scope) -> None:
    assert Nmap((HOST,)).argv(scope) == ("--", HOST)


def test_without_ports_those_in_scope_are_scanned(web_scope: Scope) -> None:
    assert Nmap((HOST,), detect_versions=True).argv(web_scope) == (
        "-sV", "-p", "80,443", "--", HOST,
    )  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        Nmap((HOST,), ports="80,443,8000-8010", technique=("connect",), assume_up=True),
        Nmap((HOST, "app.lab.example"), ports="T:80,U:53", technique=("syn", "udp"), timing=4),
        Nmap(("203.0.113.8-11",), scripts=("banner", "ssl-cert"), detect_versions=True),
        Nmap(("2001:db8:10::5",), ipv6=True, fast=True, output="xml", verbosity=2),
        Nmap(
            ("203.0.113.8/29",),
            counts=(("top_ports", 100), ("max_retries", 2)),
            times=(("host_timeout", 30_000), ("max_rtt_timeout", 500)),
            exclude=("203.0.113.9",),
            exclude_ports="25,100-200",
            dns_servers=("9.9.9.9", "203.0.113.11"),
            output="grepable",
            flags=frozenset({"no_dns", "open_only"}),
        ),
        Nmap((HOST,), technique=("ping",)),
        Nmap(("203.0.113.8/29",), technique=("list",), flags=frozenset({"no_dns"})),
    ],
)
def test_fields_and_vectors_say_the_same(fields: Nmap, scope: Scope) -> None:
    assert parse_nmap(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        [HOST],
        ["-sV", "app.lab.example"],
        ["-sTV", "-T4", HOST],
        ["-sV", "-p-", HOST],
        ["-p", "1-", HOST],
        ["-p", "-1024", HOST],
        ["-p80,443", HOST],
        ["-pT:80", HOST],
        ["-T", "polite", HOST],
        ["-vvv", "--reason", "--open", HOST],
        ["-oX", "-", HOST],
        ["-v2", "-d", "-sn", "-PE", "-PS443,80", "-PA", HOST],
        ["--stats-every", "10s", "--min-hostgroup", "4", HOST],
        ["-oN", "/dev/null", HOST],
        ["--script", "ssl-cert,http-title", HOST],
        ["--script=banner", "--script-timeout", "10s", HOST],
        ["--host-timeout", "5m", "--scan-delay", "100ms", "--max-rtt-timeout", "2", HOST],
        ["--max-rate", "50", "--min-rate", "10", "--version-intensity", "0", HOST],
        ["--dns-servers", HOST, "app.lab.example"],
        ["-6", "-sT", "2001:db8:10::/120"],
        ["-Pn", "-n", "-r", "-R", HOST],
        ["-p", "80", "--", HOST, "app.lab.example"],
        ["203.0.113.8/30", "--exclude", "203.0.113.9"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_nmap(args).argv(scope)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["-V"],
        ["evil.example"],
        [HOST, "198.51.100.7"],
        ["-p", "80", HOST, "-sn", "198.51.100.7"],
        ["203.0.113.0/24"],
        ["-iL", "/etc/passwd"],
        ["-iL/etc/passwd", HOST],
        ["--iL=/etc/passwd"],
        ["-iR", "10"],
        ["-oN", "/var/x", HOST],
        ["-oN", "-x", HOST],
        ["-oN"],
        ["-oA", "-", HOST],
        ["-oN-", HOST],
        ["--oX", "-", HOST],
        ["-oX", "-", "-oX", "-", HOST],
        ["-o", "/var/x", HOST],
        ["-m", "/var/x", HOST],
        ["-sC", HOST],
        ["-A", HOST],
        ["-O", HOST],
        ["-sI", HOST, HOST],
        ["-s", HOST],
        ["-sVV", "-sx", HOST],
        ["-sn", "-sT", HOST],
        ["-snL", HOST],
        ["-sn", "-p", "80", HOST],
        ["-sL", "-F", HOST],
        ["-script", "banner", HOST],
        ["--script", "default", HOST],
        ["--script", "ssl-cert,/tmp/x.nse", HOST],
        ["--script", "+banner", HOST],
        ["--script", "http-*", HOST],
        ["--script", "not banner", HOST],
        ["--script", "", HOST],
        ["--script"],
        ["--script-args", "a=b", HOST],
        ["--script_args", "a=b", HOST],
        ["--datadir", "/var", HOST],
        ["-T5", HOST],
        ["-T", "insane", HOST],
        ["-T", "9", HOST],
        ["-T"],
        ["--min-rate", "5000", HOST],
        ["--max-retries", "100", HOST],
        ["--host-timeout", "0", HOST],
        ["--host-timeout", "99h", HOST],
        ["--host-timeout", "x", HOST],
        ["--open=1", HOST],
        ["--reas", HOST],
        ["-d9", HOST],
        ["-v9", HOST],
        ["--version-all", HOST],
        ["--version-intensity", "9", HOST],
        ["-PO", HOST],
        ["-P", HOST],
        ["-PS0", HOST],
        ["-PU53", HOST],
        ["-PEx", HOST],
        ["-f", HOST],
        ["-D", "RND:5", HOST],
        ["-S", "198.51.100.7", HOST],
        ["-e", "eth0", HOST],
        ["-g", "53", HOST],
        ["-b", HOST, HOST],
        ["--proxies", "http://evil.example", HOST],
        ["--data-string", "x", HOST],
        ["--dns-servers", "8.8.8.8", HOST],
        ["--exclude", "evil.example", HOST],
        ["--exclude-ports", "x", HOST],
        ["--traceroute", HOST],
        ["--iflist"],
        ["--resume", "/var/x"],
        ["-6", HOST],
        ["2001:db8:10::5"],
        ["-6", "2001:db8:10::/64"],
        ["-p", "80", "-p", "443", HOST],
        ["-p", "80", "-F", HOST],
        ["-p", "80", "--top-ports", "10", HOST],
        ["-p", "0", HOST],
        ["-p", "70000", HOST],
        ["-p", "90-80", HOST],
        ["-p", "http", HOST],
        ["-p", "80;id", HOST],
        ["-p", "", HOST],
        ["-p", "T:", HOST],
        ["-p", "80 443", HOST],
        ["-p", "S:80", HOST],
        ["-p", "8080", "-nF", HOST],
        ["-", HOST],
        ["-vx", HOST],
        ["--", "-oN"],
        ["@/tmp/targets"],
    ],
)
def test_files_scripts_floods_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_nmap(args).argv(scope)


def test_ports_out_of_scope_are_refused(web_scope: Scope) -> None:
    assert Nmap((HOST,), ports="443").argv(web_scope)
    for fields in (
        Nmap((HOST,), ports="22"),
        Nmap((HOST,), ports="-"),
        Nmap((HOST,), ports="80-443"),
        Nmap((HOST,), fast=True),
        Nmap((HOST,), discovery=("S22",)),
        Nmap((HOST,), counts=(("top_ports", 10),)),
        Nmap((HOST, "10.1.2.3")),
        Nmap((HOST, "10.1.2.3"), ports="22"),
    ):
        with pytest.raises(CommandRefused):
            fields.argv(web_scope)


def test_a_scan_without_ports_needs_none_in_common(web_scope: Scope) -> None:
    assert Nmap((HOST, "10.1.2.3"), technique=("ping",)).argv(web_scope)


@pytest.mark.parametrize(
    "fields",
    [
        Nmap(()),
        Nmap((HOST,), scripts=("http-shellshock",)),
        Nmap((HOST,), timing=5),
        Nmap((HOST,), counts=(("max_rate", 10_000),)),
        Nmap((HOST,), counts=(("mtu", 8),)),
        Nmap((HOST,), counts=(("top_ports", 0),)),
        Nmap((HOST,), times=(("host_timeout", 0),)),
        Nmap((HOST,), times=(("ttl", 1),)),
        Nmap((HOST,), verbosity=9),
        Nmap((HOST,), flags=frozenset({"privileged"})),
        Nmap((HOST,), technique=("ping", "list")),
        Nmap((HOST,), exclude_ports="0"),
        Nmap(("-iL",)),
        Nmap(("--script=x",)),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: Nmap, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


@given(st.text(alphabet="abhnpst-,+*/. ", min_size=1, max_size=20))
def test_no_script_but_the_harmless_ones_runs(script: str) -> None:
    try:
        argv = parse_nmap(["--script", script, HOST]).argv(lab())
    except CommandRefused:
        return
    assert set(argv[argv.index("--script") + 1].split(",")) <= HARMLESS_SCRIPTS


PORT = st.integers(1, 65_535)


@given(st.lists(st.tuples(PORT, PORT), min_size=1, max_size=4))
def test_ports_pass_only_when_the_scope_has_them_all(ranges: list[tuple[int, int]]) -> None:
    text = ",".join(f"{low}-{high}" for low, high in ranges)
    try:
        Nmap((HOST,), ports=text).argv(lab(ports='["1000-2000"]'))
    except CommandRefused:
        assert any(low > high or low < 1000 or high > 2000 for low, high in ranges)
        return
    assert all(1000 <= low <= high <= 2000 for low, high in ranges)
