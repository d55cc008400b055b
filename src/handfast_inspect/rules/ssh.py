"""The rule about SSH servers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.service import SshFact
from handfast_inspect.findings.finding import Confidence, Effort, ProbeClass, Severity
from handfast_inspect.rules.product_version import parse_version
from handfast_inspect.rules.reproduce import ssh_algorithms
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_OPENSSH_RELEASES = (
    ((7, 0), date(2015, 8, 11)),
    ((7, 4), date(2016, 12, 19)),
    ((7, 9), date(2018, 10, 19)),
    ((8, 0), date(2019, 4, 17)),
    ((8, 4), date(2020, 9, 27)),
    ((8, 9), date(2022, 2, 23)),
    ((9, 0), date(2022, 4, 8)),
    ((9, 6), date(2023, 12, 18)),
    ((9, 9), date(2024, 9, 19)),
    ((10, 0), date(2025, 4, 9)),
)
"""Release days of OpenSSH, which fixes only its newest release."""

_OLD_YEARS = 5
"""Longer than distributions with normal support keep a release."""

_SOFTWARE = re.compile(r"SSH-(?P<protocol>[0-9.]+)-(?P<software>\S+)")
_OPENSSH = re.compile(r"OpenSSH_(?:for_Windows_)?([0-9.]+)")
_SHA1_KEX = re.compile(r"-sha1$|^rsa1024-sha1$")
_OLD_CIPHER = re.compile(r"arcfour|-cbc(@|$)")


def check_ssh(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge the version and the algorithms of SSH servers (RFC 9142)."""
    for fact in facts.ssh:
        problems = [*_version_problems(fact, now.date()), *_algorithm_problems(fact)]
        yield from problems
        if not problems:
            yield (
                passed(fact, f"{fact.identification}: current algorithms")
                if fact.key_exchange
                else untested(fact, "the server did not show its algorithms")
            )


def _version_problems(fact: SshFact, today: date) -> Iterator[Verdict]:
    match = _SOFTWARE.match(fact.identification)
    if match is not None and match["protocol"].startswith("1.") and match["protocol"] != "1.99":
        yield failed(
            fact,
            Severity.MEDIUM,
            "ssh/protocol-1",
            "The server speaks SSH 1, broken since 2001.",
            observed=fact.identification,
        )
    openssh = _OPENSSH.search(fact.identification)
    if openssh is None:
        return
    released = _released(parse_version(openssh[1]))
    if released is None or (today - released).days > _OLD_YEARS * 365:
        when = f"of {released.year}" if released else "from before 2015"
        yield failed(
            fact,
            Severity.MEDIUM,
            "ssh/end-of-life",
            f"OpenSSH {openssh[1]} {when} gets no more fixes from its makers.",
            observed=fact.identification,
            doubt=Doubt(Confidence.LOW, "distribution backports are possible"),
        )


def _released(version: tuple[int, ...]) -> date | None:
    """The day of the newest listed release that is not newer than a version; None before 7.0."""
    known = [day for release, day in _OPENSSH_RELEASES if release <= version]
    return known[-1] if known else None


def _algorithm_problems(fact: SshFact) -> Iterator[Verdict]:
    for name, offered, words in (
        ("dss", [a for a in fact.host_keys if a.startswith("ssh-dss")], "DSA host keys"),
        (
            "sha1-kex",
            [a for a in fact.key_exchange if _SHA1_KEX.search(a)],
            "key exchange with SHA-1",
        ),
        (
            "old-ciphers",
            [a for a in fact.ciphers if _OLD_CIPHER.search(a)],
            "ciphers with RC4 or CBC",
        ),
    ):
        if offered:
            yield failed(
                fact,
                Severity.LOW,
                f"ssh/{name}",
                f"The server offers {words}.",
                observed=", ".join(offered),
            )


SVC_SSH = Rule(
    id="svc.ssh",
    title="The SSH server is old or offers old algorithms",
    probe_class=ProbeClass.CONSENT,
    check=check_ssh,
    needs="no SSH server was connected to",
    impact="Known holes stay open; weak algorithms help whoever sits on the path.",
    remediation="Update the server and keep its default algorithms.",
    config="KexAlgorithms -*-sha1\nCiphers -*-cbc",
    reproduce=ssh_algorithms,
    references=("https://www.rfc-editor.org/rfc/rfc9142",),
    cwe=327,
    effort=Effort.MEDIUM,
)
