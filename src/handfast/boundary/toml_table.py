"""A table of a TOML file, read with types: every complaint names the file, the key and the cure.

Keys that nobody asked for are refused by `finish`, so a misspelt limit is an error and never a
limit that silently does not hold.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NoReturn, cast

from handfast.errors import ScopeError


class TomlTable:
    """One table, and where it stands.

    Args:
        values: The table as `tomllib` gives it.
        text: The whole file, to find line numbers in.
        source: The file's name for messages.
        path: The keys that lead to this table, joined by dots; empty for the file itself.
    """

    def __init__(
        self, values: Mapping[str, object], *, text: str, source: str, path: str = ""
    ) -> None:
        self._values = values
        self._text = text
        self._source = source
        self._path = path
        self._asked: set[str] = set()

    @classmethod
    def parse(cls, text: str, *, source: str) -> TomlTable:
        """Reads a file's text.

        Raises:
            ScopeError: The text is not TOML.
        """
        try:
            values = cast("dict[str, object]", tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ScopeError(f"{source}: not valid TOML: {error}") from error
        return cls(values, text=text, source=source)

    def fail(self, key: str, complaint: str) -> NoReturn:
        """Raises a ScopeError about a key of this table."""
        raise ScopeError(f"{self._where(key)}: {complaint}")

    def text(self, key: str, *, example: str) -> str:
        """Gives a non-empty string that must be there."""
        value = self.get(key)
        if value is None:
            self.fail(key, f'is missing; write for example {key} = "{example}"')
        if not isinstance(value, str) or not value.strip():
            self.fail(key, f'must be a text that is not empty, for example "{example}"')
        return value.strip()

    def optional_text(self, key: str) -> str:
        """Gives a string, empty when there is none."""
        value = self.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.fail(key, f"must be a text, not {_kind(value)}")
        return value.strip()

    def day(self, key: str) -> date | None:
        """Gives a date written without quotes (2026-11-30), None when there is none."""
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, datetime) or not isinstance(value, date):
            self.fail(key, f"must be a date without quotes, as 2026-11-30, not {_kind(value)}")
        return value

    def number(self, key: str, default: float, *, low: float, high: float) -> float:
        """Gives a finite number between two limits, both included."""
        value = self.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(key, f"must be a number, not {_kind(value)}")
        if not low <= value <= high:
            self.fail(key, f"must be between {low:g} and {high:g}, not {value}")
        return float(value)

    def integer(self, key: str, default: int, *, low: int, high: int) -> int:
        """Gives a whole number between two limits, both included."""
        value = self.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(key, f"must be a whole number, not {_kind(value)}")
        if not low <= value <= high:
            self.fail(key, f"must be between {low} and {high}, not {value}")
        return value

    def array(self, key: str) -> Sequence[object] | None:
        """Gives an array of anything, None when there is none."""
        value = self.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            self.fail(key, f"must be an array in brackets, not {_kind(value)}")
        return cast("list[object]", value)

    def texts(self, key: str) -> Sequence[str]:
        """Gives an array of strings, empty when there is none."""
        found: list[str] = []
        for position, value in enumerate(self.array(key) or ()):
            if not isinstance(value, str):
                self.fail(f"{key}[{position}]", f"must be a text in quotes, not {_kind(value)}")
            found.append(value)
        return found

    def table(self, key: str) -> TomlTable:
        """Gives a table under this one, an empty one when there is none."""
        value = self.get(key)
        return self.of({} if value is None else value, key)

    def of(self, value: object, key: str) -> TomlTable:
        """Makes a value of this table a table of its own, for messages with a full path."""
        if not isinstance(value, dict):
            self.fail(key, f"must be a table, not {_kind(value)}")
        path = f"{self._path}.{key}" if self._path else key
        values = cast("dict[str, object]", value)
        return TomlTable(values, text=self._text, source=self._source, path=path)

    def get(self, key: str) -> object:
        """Gives the raw value of a key, None when it is absent, and marks the key as known."""
        self._asked.add(key)
        return self._values.get(key)

    def finish(self, known: Iterable[str] = ()) -> None:
        """Refuses the keys that were never asked for.

        Args:
            known: Keys to count as asked for.

        Raises:
            ScopeError: A key is unknown; the message offers the nearest known one.
        """
        self._asked.update(known)
        for key in self._values:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, n=1)
                allowed = ", ".join(sorted(self._asked))
                hint = f"did you mean {near[0]}?" if near else f"allowed here: {allowed}"
                self.fail(key, f"is not a key of a scope; {hint}")

    def _where(self, key: str) -> str:
        full = f"{self._path}.{key}" if self._path else key
        line = _line_of(self._text, re.split(r"[.\[]", full))
        return f"{self._source}{f', line {line}' if line else ''}: {full}"


def _line_of(text: str, keys: Sequence[str]) -> int | None:
    # tomllib keeps no positions: the last key of the path that begins a line is near enough.
    for key in reversed(keys):
        pattern = re.compile(rf'\s*[\["]*{re.escape(key)}[\]"]*\s*(=|$)')
        for number, line in enumerate(text.splitlines(), start=1):
            if key and pattern.match(line):
                return number
    return None


def _kind(value: object) -> str:
    names: dict[type, str] = {
        bool: "true or false",
        str: "a text",
        list: "an array",
        dict: "a table",
    }
    return names.get(type(value), f"{value}")
