from __future__ import annotations

import logging
import subprocess
import sys
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handfast.agents.docstring import DocstringStyle, detect_style, read_docstring

GOOGLE = """Look up the weather.

    Now and for the next days.

    Args:
        city: Name of the city,
            as the locals write it.
        units (str, optional): C or F.
        *more (int): further days
        **rest: anything else

    Returns:
        The forecast.
    """

NUMPY = """Look up the weather.

    Now and for the next days.

    Parameters
    ----------
    city : str
        Name of the city,
        as the locals write it.
    units, scale : str, optional
        C or F.
    *more
        further days

    Returns
    -------
    str
        The forecast.
    """

SPHINX = """Look up the weather.

    Now and for the next days.

    :param str city: Name of the city,
        as the locals write it.
    :param units: C or F.
    :type units: str
    :return: The forecast.
    """


@pytest.mark.parametrize(
    ("text", "style"),
    [(GOOGLE, "google"), (NUMPY, "numpy"), (SPHINX, "sphinx"), ("Only words.", "google")],
)
def test_the_style_is_found_out(text: str, style: DocstringStyle) -> None:
    assert detect_style(dedent(f"    {text}")) == style


def test_a_section_about_something_else_ends_the_description() -> None:
    docs = read_docstring("Words.\n\nReturns:\n    it")
    assert docs.description == "Words."
    assert docs.parameters == {}


def test_a_parser_that_stumbles_costs_the_descriptions_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Stumbling:
        Docstring = str

        @staticmethod
        def parse_google(_docstring: str, *, warnings: bool) -> None:
            raise IndexError(warnings)

        parse_numpy = parse_sphinx = parse_google

    monkeypatch.setitem(sys.modules, "griffe", Stumbling)
    docs = read_docstring("Words.\n\nArgs:\n    a: it")
    assert (docs.description, docs.parameters) == ("Words.", {})


def test_a_draw_goes_to_sphinx_then_numpy_then_google() -> None:
    google, numpy, sphinx = (
        "Args:\n    a: b\n",
        "Parameters\n----------\na : int\n",
        ":param a: b\n",
    )
    assert detect_style(google + numpy + sphinx) == "sphinx"
    assert detect_style(google + numpy) == "numpy"
    assert detect_style(f"{google}Returns:\n    c\n{numpy}") == "google"


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX])
def test_description_and_parameters_are_read_in_each_style(text: str) -> None:
    docs = read_docstring(text)
    assert docs.description == "Look up the weather.\n\nNow and for the next days."
    assert docs.parameters["city"] == "Name of the city,\nas the locals write it."
    assert docs.parameters["units"] == "C or F."


def test_types_and_stars_are_no_part_of_a_name() -> None:
    assert set(read_docstring(GOOGLE).parameters) == {"city", "units", "more", "rest"}
    assert set(read_docstring(NUMPY).parameters) == {"city", "units", "scale", "more"}


def test_a_style_that_is_named_is_taken() -> None:
    both = f"{GOOGLE}\n    :param city: from sphinx\n"
    assert read_docstring(both, "sphinx").parameters == {"city": "from sphinx"}


@pytest.mark.parametrize(
    "text",
    [
        "Weather.\nArgs:\n    city: the city\n    units: C or F",
        "Weather.\n\nReturns:\n    it\nArgs:\n    city: the city\n    units: C or F",
        "Weather.\n    Args:\n        city: the city\n        units: C or F\n    ",
        "Weather.\nParameters\n----------\ncity : str\n    the city\nunits : str\n    C or F",
        "Weather.\n:param city: the city\n:param units: C or F",
    ],
)
def test_a_section_without_a_blank_line_above_is_one(text: str) -> None:
    docs = read_docstring(text)
    assert docs.description == "Weather."
    assert docs.parameters == {"city": "the city", "units": "C or F"}


def test_keyword_and_other_parameters_count() -> None:
    text = (
        "A.\n\nArgs:\n    a: one\n\nKeyword Args:\n    b: two\n\nOther Parameters:\n    c: three\n"
    )
    assert read_docstring(text).parameters == {"a": "one", "b": "two", "c": "three"}


def test_a_docstring_may_begin_with_its_parameters() -> None:
    docs = read_docstring("Args:\n        a: one\n        b: two\n    ")
    assert docs.description is None
    assert docs.parameters == {"a": "one", "b": "two"}


@pytest.mark.parametrize("text", [None, "", "  \n\t "])
def test_no_docstring_says_nothing(text: str | None) -> None:
    docs = read_docstring(text)
    assert docs.description is None
    assert docs.parameters == {}


def test_words_that_look_like_a_header_are_words() -> None:
    text = "Sends args:\nnot a section.\n\nReturns: at once."
    assert read_docstring(text).description == text


def test_a_description_that_is_empty_is_left_out() -> None:
    assert read_docstring("A.\n\nArgs:\n    a:\n    b: two\n").parameters == {"b": "two"}


def test_a_section_after_the_parameters_is_no_part_of_them() -> None:
    docs = read_docstring("A.\n\nArgs:\n    a: one\n\nRaises:\n    ValueError: never\n")
    assert docs.parameters == {"a": "one"}


def test_reading_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read_docstring("A.\n\nArgs:\n    nonsense without a colon\n    b: two\n")
        read_docstring(NUMPY)
        read_docstring("A.\n\n:param:\n:param x y z: w\n:type q: r\n")
    assert not caplog.records


def test_griffe_is_loaded_for_a_docstring_with_parameters_only() -> None:
    program = (
        "import sys\n"
        "from handfast.agents.docstring import read_docstring\n"
        "read_docstring('Only words.')\n"
        "read_docstring('Words.\\n\\nReturns:\\n    it')\n"
        "assert 'griffe' not in sys.modules\n"
        "read_docstring('Words.\\n\\nArgs:\\n    a: it')\n"
        "assert 'griffe' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - our own program


pieces = st.sampled_from(
    [
        "Args:",
        "Returns:",
        "Parameters",
        "----------",
        ":param a: b",
        ":param",
        ":type a:",
        "    a (int): b",
        "    a : int",
        "a : int",
        "        deeper",
        "    *",
        "",
        "words",
        ">>> 1",
        "    ",
        ":",
        "Yields:",
        "Attributes:",
        "Examples:",
    ],
)
styles: st.SearchStrategy[DocstringStyle | None] = st.sampled_from(
    [None, "google", "numpy", "sphinx"],
)


@settings(max_examples=200)
@given(st.lists(pieces | st.text(max_size=10), max_size=12), styles)
def test_no_docstring_is_an_error(lines: list[str], style: DocstringStyle | None) -> None:
    docs = read_docstring("\n".join(lines), style)
    assert all(name and text for name, text in docs.parameters.items())


@pytest.mark.parametrize(
    "typed",
    [
        "x (int): first",
        "x (int, optional): first",
        "x (int, default: 3): first",
        "x (Callable[[int], str]): first",
        "x (dict[str, tuple(int, ...)] | None):first",
        "x: first",
    ],
)
def test_a_type_in_brackets_is_no_part_of_a_name(typed: str) -> None:
    docs = read_docstring(f"Do.\n\nArgs:\n    {typed}\n    y (int): second (a: b)\n")
    assert docs.parameters == {"x": "first", "y": "second (a: b)"}


def test_a_bracket_that_never_closes_is_left_alone() -> None:
    docs = read_docstring("Do.\n\nArgs:\n    x: first\n    y (int: second\n")
    assert docs.parameters["x"] == "first"


def test_lines_may_end_as_on_windows() -> None:
    docs = read_docstring("Do.\r\n\r\n    Args:\r\n        x: the x\r\n        y: the y\r\n")
    assert (docs.description, dict(docs.parameters)) == ("Do.", {"x": "the x", "y": "the y"})


def test_parameters_may_be_a_list_in_markdown() -> None:
    docs = read_docstring("""Do.

    Args:
        - x: the x
        - `y`: the y
        * z: the z
    """)
    assert dict(docs.parameters) == {"x": "the x", "y": "the y", "z": "the z"}
