"""A docstring describes; names and types come from the signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cases.case_model import agent, outputs, play, scripted, shown, steps_of
from handfast import function_tool


def google(city: str, units: str) -> str:
    """Get the weather.
    Args:
        city: Where.
        units: In what.
    """
    return f"20 {units} in {city}"


def google_spaced(city: str, units: str) -> str:
    """Get the weather.

    Args:
        city: Where.
        units: In what.

    Returns:
        The weather.
    """
    return f"20 {units} in {city}"


def google_both(city: str, units: str) -> str:
    """Get the weather.
    Args:
        city (str): Where.
        units (str, optional): In what.
    Returns:
        str: The weather.
    Raises:
        ValueError: Never.
    """
    return f"20 {units} in {city}"


def sphinx(city: str, units: str) -> str:
    """Get the weather.
    :param city: Where.
    :param str units: In what.
    :returns: The weather.
    """
    return f"20 {units} in {city}"


def numpy(city: str, units: str) -> str:
    """Get the weather.

    Parameters
    ----------
    city : str
        Where.
    units : str, optional
        In what.
    """
    return f"20 {units} in {city}"


def numpy_tight(city: str, units: str) -> str:
    """Get the weather.
    Parameters
    ----------
    city : str
        Where.
    units : str
        In what.
    """
    return f"20 {units} in {city}"


@pytest.mark.parametrize(
    "function",
    [google, google_spaced, google_both, sphinx, numpy, numpy_tight],
)
async def test_a_block_of_parameters_is_found_with_or_without_a_blank_line_before_it(
    *,
    function: Callable[..., str],
    streamed: bool,
) -> None:
    tool = function_tool(name_override="weather")(function)
    described: Any = tool.params_json_schema["properties"]
    assert tool.description == "Get the weather."
    assert {name: each.get("description") for name, each in described.items()} == {
        "city": "Where.",
        "units": "In what.",
    }
    model = scripted(steps_of("docstring-1"))
    await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert outputs(shown(model)) == {"c1": "20 C in Rome"}


def typed(x: float, y: float = 1.0, *args: float) -> float:
    """Multiply.

    Args:
        x (float): first number
        y (float, optional): second number
        *args: the others
    """
    return x * y * (args[0] if args else 1)


def lying(x: float, y: float = 1.0, *args: float) -> float:
    """Multiply.

    Args:
        x (str): first number
        y (list[dict[str, int]], optional): second number
        *args (int): the others
        z (int): is not there
    """
    return x * y * (args[0] if args else 1)


def nested_types(x: float, y: float = 1.0, *args: float) -> float:
    """Multiply.

    Args:
        x (Union[float, Tuple[int, ...]]): first number
        y (float, default: 1.0): second number
        args (float): the others
    """
    return x * y * (args[0] if args else 1)


@pytest.mark.parametrize("function", [typed, lying, nested_types])
async def test_types_in_a_docstring_change_nothing_but_the_description(
    *,
    function: Callable[..., float],
    streamed: bool,
) -> None:
    tool = function_tool(name_override="mul")(function)
    properties: Any = tool.params_json_schema["properties"]
    assert set(properties) == {"x", "y", "args"}
    assert {name: each["description"] for name, each in properties.items()} == {
        "x": "first number",
        "y": "second number",
        "args": "the others",
    }
    assert properties["x"]["type"] == properties["y"]["type"] == "number"
    assert properties["args"]["items"] == {"type": "number"}
    model = scripted(steps_of("docstring-3"))
    result = await play(agent("A", model, tools=[tool]), streamed=streamed)
    assert outputs(shown(model)) == {"c1": "6.0"}
    assert result.final_output == "6"
