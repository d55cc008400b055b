"""Argument vectors taken apart, strictly: exact spellings, nothing guessed, nothing repeated.

Programs accept more than their manuals say: unambiguous prefixes, one dash for two, underscores for
hyphens. None of that is accepted here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from handfast.errors import CommandRefused

MAX_ARGUMENTS = 64
"""Arguments in one vector."""

MAX_ARGUMENT = 2_000
"""Characters in one argument."""

END_OF_OPTIONS = "--"
"""The argument after which everything is an operand."""

_PRINTABLE = re.compile(r"[\x20-\x7e]+", re.ASCII)
_INTEGER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a program, as it is modelled."""

    name: str
    """The field that it fills."""
    value: bool = False
    """Whether a value belongs to it."""
    repeats: bool = False
    """Whether it may stand more than once."""


@dataclass(slots=True)
class Arguments:
    """What an argument vector says."""

    program: str
    operands: list[str] = field(default_factory=list[str])
    """What is no option, in order."""
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The values of each option by its field; flags have empty ones."""

    def add(self, option: Option, value: str = "") -> None:
        """Notes an option.

        Raises:
            CommandRefused: It stands twice and may not: which one counts differs by program.
        """
        if option.name in self.values and not option.repeats:
            raise CommandRefused(f"{self.program}: {option.name} is given twice")
        self.values.setdefault(option.name, []).append(value)

    def has(self, name: str) -> bool:
        """Whether an option stands in the vector."""
        return name in self.values

    def get(self, name: str) -> str | None:
        """The value of an option, None when it is absent."""
        found = self.values.get(name)
        return found[0] if found else None

    def flags(self, names: Iterable[str]) -> frozenset[str]:
        """Which of these options stand in the vector."""
        return frozenset(name for name in names if name in self.values)

    def integer(self, name: str, low: int, high: int) -> int | None:
        """The value of an option as a whole number within limits, None when it is absent."""
        text = self.get(name)
        return None if text is None else integer(self.program, name, text, low, high)

    def decimal(self, name: str, low: float, high: float) -> float | None:
        """The value of an option as a number of seconds within limits, None when it is absent."""
        text = self.get(name)
        return None if text is None else decimal(self.program, name, text, low, high)

    def single_operand(self) -> str:
        """The only operand.

        Raises:
            CommandRefused: There is none, or more than one.
        """
        if len(self.operands) != 1:
            raise CommandRefused(
                f"{self.program}: exactly one target is needed, there are {len(self.operands)}"
            )
        return self.operands[0]


def words(text: str) -> frozenset[str]:
    """Makes a set of the words of a text: a table that is read rather than counted."""
    return frozenset(text.split())


def check_arguments(program: str, args: Sequence[str]) -> None:
    """Refuses vectors that are too long or have anything but printable ASCII.

    Raises:
        CommandRefused: An argument is empty, too long, or has control or foreign characters.
    """
    if len(args) > MAX_ARGUMENTS:
        raise CommandRefused(f"{program}: more than {MAX_ARGUMENTS} arguments")
    for argument in args:
        if len(argument) > MAX_ARGUMENT:
            raise CommandRefused(f"{program}: an argument is longer than {MAX_ARGUMENT} characters")
        if not _PRINTABLE.fullmatch(argument):
            raise CommandRefused(
                f"{program}: {argument!r} is empty or not printable ASCII; write names in A-labels"
            )


def parse_options(
    program: str, args: Sequence[str], options: Mapping[str, Option], *, permute: bool = True
) -> Arguments:
    """Reads a vector by the rules of GNU getopt_long, without abbreviations.

    Args:
        program: The program's name, for messages.
        args: The vector without the program.
        options: Every known spelling (`-m`, `--max-time`) with its option.
        permute: Whether options may follow operands; if not, the first operand ends them.

    Raises:
        CommandRefused: An option is unknown, lacks its value, has one too many, or stands twice.
    """
    check_arguments(program, args)
    found = Arguments(program)
    rest = list(args)
    while rest:
        argument = rest.pop(0)
        if argument == END_OF_OPTIONS:
            break
        if argument.startswith("--"):
            _long(found, argument, rest, options)
        elif argument.startswith("-") and len(argument) > 1:
            _shorts(found, argument, rest, options)
        else:
            found.operands.append(argument)
            if not permute:
                break
    found.operands += rest
    return found


def _known(program: str, spelling: str, options: Mapping[str, Option]) -> Option:
    option = options.get(spelling)
    if option is None:
        known = " ".join(sorted(options))
        raise CommandRefused(f"{program}: the option {spelling} is not understood; known: {known}")
    return option


def _long(found: Arguments, token: str, rest: list[str], options: Mapping[str, Option]) -> None:
    spelling, equals, value = token.partition("=")
    option = _known(found.program, spelling, options)
    if option.value:
        found.add(option, value if equals else _next(found.program, spelling, rest))
    elif equals:
        raise CommandRefused(f"{found.program}: {spelling} takes no value")
    else:
        found.add(option)


def _shorts(found: Arguments, token: str, rest: list[str], options: Mapping[str, Option]) -> None:
    letters = token[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        option = _known(found.program, f"-{letter}", options)
        if option.value:
            found.add(option, letters or _next(found.program, f"-{letter}", rest))
            return
        found.add(option)


def _next(program: str, spelling: str, rest: list[str]) -> str:
    if not rest:
        raise CommandRefused(f"{program}: {spelling} needs a value")
    return rest.pop(0)


def integer(program: str, name: str, text: str, low: int, high: int) -> int:
    """Reads a whole number within limits, in plain digits.

    Raises:
        CommandRefused: The text is no such number.
    """
    if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
        raise CommandRefused(f"{program}: {name} must be a number from {low} to {high}, not {text}")
    return int(text)


def decimal(program: str, name: str, text: str, low: float, high: float) -> float:
    """Reads a number within limits, in plain digits with an optional fraction.

    Raises:
        CommandRefused: The text is no such number.
    """
    if not _DECIMAL.fullmatch(text) or not low <= float(text) <= high:
        raise CommandRefused(
            f"{program}: {name} must be a number from {low:g} to {high:g}, not {text}"
        )
    return float(text)


def within(program: str, name: str, value: float | None, low: float, high: float) -> None:
    """Checks a number that may be absent.

    Raises:
        CommandRefused: It is there and outside the limits, which includes NaN.
    """
    if value is not None and not low <= value <= high:
        raise CommandRefused(f"{program}: {name} must be from {low:g} to {high:g}, not {value}")
