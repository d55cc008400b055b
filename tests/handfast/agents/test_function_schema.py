from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from handfast.agents.context import RunContextWrapper
from handfast.agents.function_schema import function_schema, generate_func_documentation
from handfast.errors import ModelBehaviorError, UserError


def weather(city: str, days: int = 1, *more: str, unit: str = "C") -> str:
    """The weather in a city.

    Args:
        city: Its name.
        days: How many.
        more: Further cities.
        unit: Of the temperature.
    """
    return f"{city} {days} {more} {unit}"


def test_a_schema_has_the_names_and_words_of_its_function() -> None:
    schema = function_schema(weather)
    assert (schema.name, schema.description) == ("weather", "The weather in a city.")
    properties: Any = schema.params_json_schema["properties"]
    assert list(properties) == ["city", "days", "more", "unit"]
    assert properties["city"]["description"] == "Its name."


def test_validated_arguments_call_the_function_as_it_is_written() -> None:
    schema = function_schema(weather)
    data = schema.params_pydantic_model(city="杭州", days=2, more=["上海"], unit="F")
    positional, named = schema.to_call_args(data)
    assert weather(*positional, **named) == "杭州 2 ('上海',) F"  # type: ignore[arg-type]  # they are validated


def test_overrides_take_the_place_of_what_the_function_says() -> None:
    schema = function_schema(weather, name_override="w", description_override="Short.")
    assert (schema.name, schema.description) == ("w", "Short.")
    assert function_schema(weather, use_docstring_info=False).description is None


def test_a_context_in_front_is_seen_and_left_out() -> None:
    def with_context(context: RunContextWrapper[None], city: str) -> str:
        return f"{context} {city}"

    schema = function_schema(with_context)
    assert schema.takes_context
    assert schema.params_json_schema["required"] == ["city"]


def test_free_keywords_need_a_plain_schema() -> None:
    def free(city: str, **more: int) -> str:
        return f"{city} {more}"

    with pytest.raises(UserError):
        function_schema(free)
    schema = function_schema(free, strict_json_schema=False)
    assert not schema.strict_json_schema
    data = schema.params_pydantic_model(city="x", more={"city": 1})
    with pytest.raises(ModelBehaviorError):
        schema.to_call_args(data)


def test_a_partial_needs_a_wrapper_function() -> None:
    with pytest.raises(UserError, match="explicit wrapper function"):
        function_schema(partial(weather, "Rome"))


def test_documentation_is_read_in_the_style_that_it_is_written_in() -> None:
    docs = generate_func_documentation(weather)
    assert (docs.name, docs.description) == ("weather", "The weather in a city.")
    assert docs.param_descriptions is not None
    assert docs.param_descriptions["unit"] == "Of the temperature."


def test_a_function_without_a_docstring_has_no_documentation() -> None:
    docs = generate_func_documentation(lambda: None)
    assert (docs.description, docs.param_descriptions) == (None, None)
