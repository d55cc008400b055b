"""What a docstring says about a function and its parameters, for the model that will call it.

Google, NumPy and Sphinx styles, read by griffe. Griffe is imported when the first docstring with a
section about parameters turns up, so that a program without one never loads it.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias, cast

DocstringStyle: TypeAlias = Literal["google", "numpy", "sphinx"]


@dataclass(frozen=True, slots=True)
class FunctionDocs:
    """What a docstring says."""

    description: str | None = None
    """The text before the first section."""
    parameters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Descriptions by parameter name, without stars."""


_GOOGLE_PARAMETERS: Final = (
    "args|arguments|params|parameters|keyword args|keyword arguments|other args|other arguments|"
    "other params|other parameters"
)
_GOOGLE_OTHERS: Final = (
    "return|returns|raises|exceptions|yield|yields|receive|receives|warns|example|examples|"
    "attributes"
)
_NUMPY_PARAMETERS: Final = "parameters|other parameters"
_NUMPY_OTHERS: Final = (
    "returns|raises|yields|receives|warns|warnings|examples|attributes|see also|notes|references"
)
_SPHINX_PARAMETERS: Final = "param|parameter|arg|argument|key|keyword"
_SPHINX_OTHERS: Final = (
    "type|return|returns|rtype|raise|raises|except|exception|var|ivar|cvar|vartype|meta"
)


def _google(titles: str) -> re.Pattern[str]:
    return re.compile(
        rf"^(?:{titles}):[ \t]*\n(?:[ \t]*\n)*(?=[ \t]+\S)", re.IGNORECASE | re.MULTILINE
    )


def _numpy(titles: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{titles})[ \t]*\n-{{3,}}[ \t]*$", re.IGNORECASE | re.MULTILINE)


def _sphinx(fields: str) -> re.Pattern[str]:
    return re.compile(rf"^:(?:{fields})\b[^:\n]*:", re.MULTILINE)


_SECTIONS: Final[Mapping[DocstringStyle, re.Pattern[str]]] = {
    "sphinx": _sphinx(f"{_SPHINX_PARAMETERS}|{_SPHINX_OTHERS}"),
    "numpy": _numpy(f"{_NUMPY_PARAMETERS}|{_NUMPY_OTHERS}"),
    "google": _google(f"{_GOOGLE_PARAMETERS}|{_GOOGLE_OTHERS}"),
}
_PARAMETERS: Final[Mapping[DocstringStyle, re.Pattern[str]]] = {
    "sphinx": _sphinx(_SPHINX_PARAMETERS),
    "numpy": _numpy(_NUMPY_PARAMETERS),
    "google": _google(_GOOGLE_PARAMETERS),
}
_TITLE: Final = re.compile(rf"(?:{_GOOGLE_PARAMETERS}|{_GOOGLE_OTHERS}):[ \t]*", re.IGNORECASE)

_TYPED_NAME: Final = re.compile(r"([ \t]+\\?\*?\\?\*?\w+)[ \t]*\(")
_BRACKETS: Final[Mapping[str, int]] = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def detect_style(text: str) -> DocstringStyle:
    """The style that most section headers belong to; Sphinx, NumPy, Google when it is a draw."""
    best: DocstringStyle = "google"
    most = 0
    for style, pattern in _SECTIONS.items():
        count = len(pattern.findall(text))
        if count > most:
            best, most = style, count
    return best


def read_docstring(docstring: str | None, style: DocstringStyle | None = None) -> FunctionDocs:
    """Read a docstring.

    Args:
        docstring: The raw text, as in `__doc__`.
        style: Its style; found out from its section headers by default.

    Returns:
        What it says. A malformed docstring says less; it is never an error.
    """
    if not docstring or docstring.isspace():
        return FunctionDocs()
    text = _cleaned(docstring)
    style = style or detect_style(text)
    sections = list(_SECTIONS[style].finditer(text))
    if not sections:
        return FunctionDocs(text)
    start = sections[0].start()
    parameters: Mapping[str, str] = {}
    if _PARAMETERS[style].search(text):
        parts = _parts(text, [each.start() for each in sections])
        if style == "google":
            parts = map(_without_types, parts)
        parameters = _parameters("\n\n".join(parts), style)
    return FunctionDocs(text[:start].strip() or None, parameters)


def _cleaned(docstring: str) -> str:
    text = inspect.cleandoc(docstring.replace("\r\n", "\n"))
    first, _, rest = text.partition("\n")
    if (
        _TITLE.fullmatch(first)
        and rest
        and not any(line[:1].isspace() for line in rest.splitlines())
    ):
        # The docstring begins with a section: cleandoc took the indent of its lines for the margin.
        return f"{first}\n{textwrap.indent(rest, '    ')}"
    return text


def _parts(text: str, starts: Iterable[int]) -> Iterable[str]:
    """The sections, to be put after blank lines: without one griffe takes a header for prose."""
    bounds = [*starts, len(text)]
    return (text[here:there].strip("\n") for here, there in pairwise(bounds))


def _without_types(section: str) -> str:
    """A Google section whose parameters have no types in brackets.

    Types come from the signature, and a colon in one (`default: 1`) is no end of a name.
    """
    header, _, body = section.partition("\n")
    margin = len(body) - len(body.lstrip())
    lines = (
        _without_type(line) if len(line) - len(line.lstrip()) == margin else line
        for line in body.splitlines()
    )
    return "\n".join((header, *lines))


def _without_type(line: str) -> str:
    named = _TYPED_NAME.match(line)
    if named is None:
        return line
    depth = 0
    for position in range(named.end() - 1, len(line)):
        depth += _BRACKETS.get(line[position], 0)
        if depth == 0:
            rest = line[position + 1 :].lstrip()
            return f"{named[1]}{rest}" if rest.startswith(":") else line
    return line


class _Section(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def value(self) -> object: ...


class _Parameter(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...


class _Griffe(Protocol):
    """The part of griffe that is used."""

    Docstring: Callable[[str], object]
    parse_google: Callable[..., list[_Section]]
    parse_numpy: Callable[..., list[_Section]]
    parse_sphinx: Callable[..., list[_Section]]


def _parameters(text: str, style: DocstringStyle) -> dict[str, str]:
    # Imported here because it costs more than all of this library, and many programs that use
    # agents never describe a parameter in a docstring.
    griffe = cast("_Griffe", importlib.import_module("griffe"))
    parse = {
        "google": griffe.parse_google,
        "numpy": griffe.parse_numpy,
        "sphinx": griffe.parse_sphinx,
    }[style]
    try:
        # Griffe cleans the text once more; the blank line keeps the first header in the margin.
        sections = parse(griffe.Docstring(f"\n{text}"), warnings=False)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        # A parser of free text meets text that it was not written for.
        return {}
    found: dict[str, str] = {}
    for section in sections:
        if section.kind in {"parameters", "other parameters"}:
            for each in cast("list[_Parameter]", section.value):
                # Stars of `*args`, and the marks of those who write a list in Markdown.
                name = each.name.replace("\\", "").strip("*`- ")
                found.setdefault(name, each.description.strip())
    return {name: description for name, description in found.items() if name and description}
