from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfast.boundary.commands import PROGRAMS, authorize_argv, build_command
from handfast.boundary.programs.curl import Curl
from handfast.boundary.programs.ping import Ping
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused
from lab_scopes import lab


def test_typed_fields_become_a_command_with_a_deadline(scope: Scope) -> None:
    command = build_command(Ping("app.lab.example", count=1), scope)
    assert command.argv == ("ping", "-n", "-c", "1", "-i", "1", "--", "app.lab.example")
    assert command.seconds == 150.0
    assert command.network


def test_the_budget_of_the_scope_bounds_the_deadline(scope: Scope) -> None:
    short = lab().budget.__class__(seconds=5, requests=1, bytes=1)
    narrowed = scope.narrow(budget=short)
    assert build_command(Ping("app.lab.example"), narrowed).seconds == 5


def test_a_foreign_vector_is_built_anew(scope: Scope) -> None:
    command = authorize_argv("ping", ["-c3", "-W2", "203.0.113.10"], scope)
    assert command.args == ("-c", "3", "-i", "1", "-W", "2", "--", "203.0.113.10")


@pytest.mark.parametrize(
    "program",
    ["", "sh", "bash", "nmap ", "/usr/bin/nmap", "NMAP", "сurl", "ncat", "busybox", "nmap\n"],
)
def test_programs_that_are_not_on_the_list_are_refused(program: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="is not a program that may be run"):
        authorize_argv(program, ["app.lab.example"], scope)


def test_fields_of_no_known_program_are_refused(scope: Scope) -> None:
    @dataclass(frozen=True)
    class Shell:
        def argv(self, scope: Scope) -> tuple[str, ...]:
            return ("-c", f"id {scope.probes}")

    @dataclass(frozen=True)
    class Worse(Ping):
        def argv(self, scope: Scope) -> tuple[str, ...]:
            return ("-f", f"evil.example {scope.probes}")

    for fields in (Shell(), Worse("app.lab.example")):
        with pytest.raises(CommandRefused, match="is not a program that may be run"):
            build_command(fields, scope)


@pytest.mark.parametrize("program", sorted(PROGRAMS))
@pytest.mark.parametrize("args", [[], [""], ["\n"], ["é"], ["-"], ["--"], ["x"] * 65, ["a" * 3000]])
def test_empty_odd_and_endless_vectors_are_refused(
    program: str, args: list[str], scope: Scope
) -> None:
    with pytest.raises(CommandRefused):
        authorize_argv(program, args, scope)


def test_an_argument_that_grows_too_long_while_it_is_built_is_refused(scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="too long"):
        build_command(Curl(("https://app.lab.example/" + "é" * 400,)), scope)


TOKENS = [
    "-c",
    "3",
    "-v",
    "-n",
    "-s",
    "-p",
    "80",
    "-t",
    "A",
    "--",
    "-o",
    "-",
    "-x",
    "-4",
    "-6",
    "app.lab.example",
    "203.0.113.10",
    "evil.example",
    "198.51.100.7",
    "s_client",
    "-connect",
    "app.lab.example:443",
    "evil.example:443",
    "https://app.lab.example/",
    "https://evil.example/",
    "@evil.example",
    "@203.0.113.10",
    "+short",
    "/etc/passwd",
    "-f",
    "-T4",
    "-sV",
    "-h",
]


@given(st.sampled_from(sorted(PROGRAMS)), st.lists(st.sampled_from(TOKENS), max_size=6))
def test_no_arrangement_of_arguments_reaches_a_stranger_or_a_file(
    program: str, args: list[str]
) -> None:
    try:
        command = authorize_argv(program, args, lab())
    except CommandRefused:
        return
    said = " ".join(command.args)
    for word in ("evil", "198.51.100", "/etc", "-f "):
        assert word not in said.replace("-f 1", "")


@given(st.sampled_from(sorted(PROGRAMS)), st.lists(st.sampled_from(TOKENS), max_size=6))
def test_what_was_built_is_built_the_same_again(program: str, args: list[str]) -> None:
    try:
        once = authorize_argv(program, args, lab())
    except CommandRefused:
        return
    assert authorize_argv(program, once.args, lab()) == once
