from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import gc
import inspect
import json
import logging
import pathlib
import uuid
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import annotated_types
import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, Field, JsonValue, TypeAdapter
from pydantic.json_schema import PydanticJsonSchemaWarning
from typing_extensions import Doc, TypedDict, Unpack

from handfast.agents.context import ToolContext
from handfast.agents.json_types import is_array
from handfast.agents.schema import CompiledFunction, StrictMode, compile_function
from handfast.errors import ModelBehaviorError, UserError


def properties_of(function: Callable[..., object]) -> dict[str, dict[str, object]]:
    schema = compile_function(function, strict_mode=False).json_schema
    found: dict[str, dict[str, object]] = TypeAdapter(
        dict[str, dict[str, object]],
    ).validate_python(schema["properties"])
    return found


def read(function: Callable[..., object], text: str) -> tuple[list[object], dict[str, object]]:
    return compile_function(function, strict_mode=False).arguments.read(text, "tool")


NOTHING: dict[str, object] = {}


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Options(TypedDict):
    loud: bool


class Tree(BaseModel):
    v: int
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


def weather(
    ctx: ToolContext,
    city: Annotated[str, "overruled"],
    days: Annotated[int, Field(ge=1, le=7)] = 3,
    units: Literal["C", "F"] = "C",
    color: Annotated[Color | None, "of the chart"] = None,
) -> str:
    """Look up the weather.

    Args:
        city: Name of the city.
    """
    return f"{ctx} {city} {days} {units} {color}"


def test_a_signature_and_a_docstring_make_a_strict_schema() -> None:
    compiled = compile_function(weather)
    assert compiled.name == "weather"
    assert compiled.description == "Look up the weather."
    assert compiled.strict
    assert compiled.takes_context
    assert not compiled.is_async
    assert compiled.json_schema == {
        "title": "weather_args",
        "type": "object",
        "properties": {
            "city": {"description": "Name of the city.", "title": "City", "type": "string"},
            "days": {
                "default": 3,
                "maximum": 7,
                "minimum": 1,
                "title": "Days",
                "type": "integer",
            },
            "units": {"default": "C", "enum": ["C", "F"], "title": "Units", "type": "string"},
            "color": {
                "anyOf": [{"$ref": "#/$defs/Color"}, {"type": "null"}],
                "description": "of the chart",
            },
        },
        "required": ["city", "days", "units", "color"],
        "additionalProperties": False,
        "$defs": {"Color": {"enum": ["red", "blue"], "title": "Color", "type": "string"}},
    }


def test_the_schema_of_another_name_differs_in_its_title_only() -> None:
    compiled = compile_function(weather)
    assert compiled.schema_for("weather") is compiled.json_schema
    assert compiled.schema_for("forecast") == {**compiled.json_schema, "title": "forecast_args"}


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (int, "1", 1),
        (float, "1", 1.0),
        (str, '"中"', "中"),
        (bool, "true", True),
        (list[int], "[1]", [1]),
        (set[int], "[1, 1]", {1}),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (Sequence[int], "[1]", [1]),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (Mapping[str, int], '{"a": 1}', {"a": 1}),
        (int | None, "null", None),
        (int | str, '"a"', "a"),
        (Literal["a", 1], "1", 1),
        (Color, '"red"', Color.RED),
        (Point, '{"x": 1}', Point(1)),
        (Options, '{"loud": true}', {"loud": True}),
        (Tree, '{"v": 1, "children": [{"v": 2}]}', Tree(v=1, children=[Tree(v=2)])),
        (Pet, '{"kind": "cat", "lives": 9}', Cat(kind="cat", lives=9)),
        (list[Pet], '[{"kind": "dog"}]', [Dog(kind="dog")]),
        (dt.date, '"2026-02-03"', dt.date(2026, 2, 3)),
        (dt.timedelta, '"PT1M"', dt.timedelta(minutes=1)),
        (uuid.UUID, f'"{uuid.UUID(int=1)}"', uuid.UUID(int=1)),
        (decimal.Decimal, '"1.50"', decimal.Decimal("1.50")),
        (pathlib.Path, '"/a/b"', pathlib.Path("/a/b")),
        (bytes, '"ab"', b"ab"),
        (Any, '{"a": [1]}', {"a": [1]}),
        (object, "[null]", [None]),
        (JsonValue, '{"a": [1]}', {"a": [1]}),
        (Annotated[int, annotated_types.Gt(0)], "1", 1),
    ],
)
def test_types_of_all_kinds_are_read_from_json(annotation: Any, text: str, value: object) -> None:
    def function(a: object) -> None: ...

    function.__annotations__["a"] = annotation
    assert read(function, f'{{"a": {text}}}') == ([value], {})
    schema = compile_function(function, strict_mode=False).json_schema
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_parameter_without_annotation_takes_anything() -> None:
    def function(a, b=1):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202 - what is tested
        del a, b

    assert properties_of(function) == {"a": {"title": "A"}, "b": {"title": "B", "default": 1}}  # pyright: ignore[reportUnknownArgumentType]
    assert read(function, '{"a": [1, "x"]}') == ([[1, "x"], 1], {})  # pyright: ignore[reportUnknownArgumentType]


def test_every_kind_of_parameter_is_passed_as_the_function_wants_it() -> None:
    def function(
        a: int,
        /,
        b: int,
        *more: int,
        c: int,
        d: int = 4,
        **free: int,
    ) -> tuple[object, ...]:
        return (a, b, more, c, d, free)

    args, kwargs = read(function, '{"a": 1, "b": 2, "more": [3, 3], "c": 5, "free": {"e": 6}}')
    assert function(*args, **kwargs) == (1, 2, (3, 3), 5, 4, {"e": 6})  # type: ignore[arg-type]
    args, kwargs = read(function, '{"a": 1, "b": 2, "c": 5}')
    assert function(*args, **kwargs) == (1, 2, (), 5, 4, {})  # type: ignore[arg-type]
    with pytest.raises(ModelBehaviorError, match="'b' given twice"):
        read(function, '{"a": 1, "b": 2, "c": 5, "free": {"b": 6}}')
    # A positional-only parameter leaves its name to the free ones.
    args, kwargs = read(function, '{"a": 1, "b": 2, "c": 5, "free": {"a": 6}}')
    assert function(*args, **kwargs) == (1, 2, (), 5, 4, {"a": 6})  # type: ignore[arg-type]


def test_the_types_of_star_parameters_are_those_of_their_values() -> None:
    def function(*more: *tuple[int, ...], **free: Unpack[Options]) -> None: ...

    found = properties_of(function)
    assert found["more"] == {"items": {"type": "integer"}, "title": "More", "type": "array"}
    assert found["free"] == {"$ref": "#/$defs/Options"}
    assert compile_function(function).strict

    def fixed(*more: *tuple[int, str]) -> None: ...

    with pytest.raises(UserError, match=r"\*more has a fixed length"):
        compile_function(fixed)


def test_names_that_pydantic_keeps_for_itself_are_parameters_like_any_other() -> None:
    def function(self: int, model_config: int, schema: int, copy: int, json: int) -> list[int]:
        return [self, model_config, schema, copy, json]

    def hidden(_a: int, __b__: int, model_fields: int, 名字: int) -> list[int]:  # noqa: N803, PLC2401 - tested
        return [_a, __b__, model_fields, 名字]

    for each in (function, hidden):
        names = list(properties_of(each))
        assert names == list(inspect.signature(each).parameters)
        text = json.dumps({name: n for n, name in enumerate(names)})
        assert read(each, text) == (list(range(len(names))), {})


def test_defaults_are_kept_and_applied() -> None:
    def function(  # noqa: PLR0917 - each is a case
        a: int = 1,
        b: list[int] = [2],  # noqa: B006 - what is tested
        c: str = "z",
        d: Color = Color.RED,
        e: int = None,  # type: ignore[assignment] # noqa: RUF013 - what is tested
        f: Annotated[int, Field(gt=0)] = None,  # type: ignore[assignment] # noqa: RUF013 - tested
    ) -> None: ...

    args, _ = read(function, "{}")
    assert args == [1, [2], "z", Color.RED, None, None]
    found = properties_of(function)
    assert found["a"]["default"] == 1
    assert found["c"]["default"] == "z"
    assert found["d"]["default"] == "red"
    assert found["e"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
    assert found["f"]["anyOf"] == [{"exclusiveMinimum": 0, "type": "integer"}, {"type": "null"}]
    assert is_array(args[1])
    args[1].append(3)
    assert read(function, "{}")[0][1] == [2]


def test_a_default_that_no_model_can_be_told_is_warned_of_and_applied() -> None:
    class Absent:
        def __eq__(self, other: object) -> bool:
            raise ValueError(other)

        def __hash__(self) -> int:
            return 1

    absent = Absent()

    def function(a: int, value: object = absent) -> None: ...

    with pytest.warns(PydanticJsonSchemaWarning, match="not JSON serializable"):
        compiled = compile_function(function, strict_mode=False)
    assert compiled.json_schema["required"] == ["a"]
    assert compiled.arguments.read('{"a": 1}', "tool")[0][1] is absent


def test_a_field_as_default_sets_constraints_default_name_and_description() -> None:
    def function(  # noqa: PLR0917 - each is a case
        a: int = Field(ge=1),
        b: int = Field(2, le=9, description="the b"),
        c: list[int] = Field(default_factory=list, max_length=1),  # noqa: B008 - as users write it
        from_: str = Field("me", alias="from"),
        e: Annotated[int, Field(5)] = 6,
        f: Annotated[int, Field(7)] = Field(description="the f"),
        g: Annotated[int, Field(8)] = ...,
    ) -> None: ...

    found = properties_of(function)
    assert found["a"] == {"minimum": 1, "title": "A", "type": "integer"}
    assert found["b"] == {
        "default": 2,
        "description": "the b",
        "maximum": 9,
        "title": "B",
        "type": "integer",
    }
    assert found["from"]["default"] == "me"
    assert "from_" not in found
    assert read(function, '{"a": 1, "from": "you", "g": 8}') == ([1, 2, [], "you", 6, 7, 8], {})
    with pytest.raises(ModelBehaviorError, match="a: required"):
        read(function, '{"g": 1}')


def test_descriptions_come_from_the_docstring_before_the_annotation() -> None:
    def function(  # noqa: PLR0917 - each is a case
        a: Annotated[int, "from the annotation"],
        b: Annotated[int, "from the annotation"],
        c: Annotated[int, Doc("from the doc")],
        d: Annotated[int, Field(description="from the field")],
        e: Annotated[int, Field(description="from the field")],
        f: int = Field(description="from the field"),
    ) -> None:
        """Describe.

        Args:
            a: from the docstring
            e: from the docstring
            f: from the docstring
        """

    found = {name: part.get("description") for name, part in properties_of(function).items()}
    assert found == {
        "a": "from the docstring",
        "b": "from the annotation",
        "c": "from the doc",
        "d": "from the field",
        "e": "from the docstring",
        "f": "from the docstring",
    }


def test_the_docstring_can_be_left_out() -> None:
    compiled = compile_function(weather, use_docstring_info=False)
    assert compiled.description == ""
    assert "overruled" in str(compiled.json_schema)
    assert "Name of the city" not in str(compiled.json_schema)


class Service:
    """Answers."""

    def __call__(self, a: int) -> int:
        return a

    def method(self, a: int) -> int:
        """Do it."""
        return a

    @classmethod
    def of_class(cls, a: int) -> int:
        return a

    @staticmethod
    def static(a: int) -> int:
        return a

    async def later(self, a: int) -> int:
        return a


class AsyncService:
    async def __call__(self, a: int) -> int:
        """Answer later."""
        return a


def test_anything_that_can_be_called_is_compiled() -> None:
    service = Service()
    for function in (service, service.method, Service.of_class, Service.static, service.later):
        assert list(properties_of(function)) == ["a"]
    assert compile_function(service).description == "Answers."
    assert compile_function(service.method).description == "Do it."
    assert compile_function(functools.partial(service.method)).description == "Do it."
    assert compile_function(AsyncService()).description == "Answer later."
    assert compile_function(service.later).is_async
    assert compile_function(functools.partial(service.later)).is_async
    assert compile_function(AsyncService()).is_async
    assert not compile_function(service).is_async
    assert list(properties_of(functools.partial(weather, units="F"))) == [
        "city",
        "days",
        "units",
        "color",
    ]
    assert properties_of(functools.partial(weather, units="F"))["units"]["default"] == "F"


def test_types_of_a_running_function_may_refer_to_each_other() -> None:
    @dataclasses.dataclass
    class Inner:
        a: int

    @dataclasses.dataclass
    class Outer:
        inner: Inner

    def function(outer: Outer) -> None: ...

    assert read(function, '{"outer": {"inner": {"a": 1}}}') == ([Outer(Inner(1))], {})


def test_a_function_is_compiled_once() -> None:
    def function(a: int) -> None: ...

    assert compile_function(function) is compile_function(function)
    assert compile_function(function) is not compile_function(function, strict_mode=True)
    first, second = Service(), Service()
    assert compile_function(first.method) is compile_function(second.method)
    assert compile_function(first) is not compile_function(second)
    partial = functools.partial(function)
    assert compile_function(partial) is compile_function(partial)


def test_an_unbound_method_is_not_taken_for_the_bound_one() -> None:
    assert list(properties_of(Service().method)) == ["a"]
    assert list(properties_of(Service.method)) == ["self", "a"]
    assert list(properties_of(Service().method)) == ["a"]


def test_an_object_that_cannot_be_a_key_is_compiled_each_time() -> None:
    @dataclasses.dataclass
    class Unhashable:
        factor: int

        def __call__(self, a: int) -> int:
            return a * self.factor

    tool = Unhashable(2)
    assert compile_function(tool) is not compile_function(tool)


def test_a_compiled_function_does_not_keep_the_function_alive() -> None:
    def make() -> tuple[CompiledFunction, weakref.ref[Callable[..., object]]]:
        def function(a: int) -> None: ...

        return compile_function(function), weakref.ref(function)

    compiled, gone = make()
    gc.collect()
    assert gone() is None
    assert compiled.arguments.read('{"a": 1}', "tool") == ([1], {})


def takes_map(by_name: dict[str, int]) -> int:
    return sum(by_name.values())


def takes_dict(fields: dict) -> None:  # type: ignore[type-arg]
    del fields


def takes_free(**free: int) -> None:
    del free


OPEN_FUNCTIONS: list[Callable[..., object]] = [takes_map, takes_dict, takes_free]
OPEN_CALLS: list[tuple[Callable[..., object], str, object]] = [
    (takes_map, '{"by_name": {"a": 1, "b": 2}}', ([{"a": 1, "b": 2}], NOTHING)),
    (takes_dict, '{"fields": {"a": 1}}', ([{"a": 1}], NOTHING)),
    (takes_free, '{"free": {"a": 1}}', ([], {"a": 1})),
]


@pytest.mark.parametrize(("function", "text", "expected"), OPEN_CALLS)
def test_a_map_with_free_keys_switches_strict_off_with_a_notice(
    function: Callable[..., object],
    text: str,
    expected: object,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "handfast"):
        compiled = compile_function(functools.partial(function))
    assert not compiled.strict
    assert compiled.arguments.read(text, "tool") == expected
    assert "without a strict schema" in caplog.text
    jsonschema.validate(json.loads(text), compiled.json_schema)


@pytest.mark.parametrize("function", OPEN_FUNCTIONS)
def test_a_map_with_free_keys_is_refused_where_strict_is_asked_for(
    function: Callable[..., object],
) -> None:
    with pytest.raises(UserError, match=r"cannot be a strict tool.*strict_mode=False"):
        compile_function(function, strict_mode=True)


def test_saying_that_a_tool_is_not_strict_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert not compile_function(takes_map, strict_mode=False).strict
    assert not caplog.records


@pytest.mark.parametrize(("mode", "strict"), [("auto", False), (True, True), (False, False)])
def test_a_parameter_without_type_is_strict_on_demand_only(
    mode: StrictMode,
    *,
    strict: bool,
) -> None:
    def function(a: Any) -> None: ...

    assert compile_function(function, strict_mode=mode).strict is strict


class NoSchema:
    pass


def test_a_tuple_is_strict_on_demand_only(caplog: pytest.LogCaptureFixture) -> None:
    def function(pair: tuple[int, str]) -> None: ...

    assert not compile_function(function).strict
    assert "or is a tuple" in caplog.text
    assert read(function, '{"pair": [1, "a"]}') == ([(1, "a")], {})
    assert compile_function(function, strict_mode=True).strict


def test_sets_and_paths_make_a_schema_that_providers_take() -> None:
    def function(names: set[str], file: Path, url: AnyUrl) -> None: ...

    compiled = compile_function(function)
    assert compiled.strict
    assert "uniqueItems" not in str(compiled.json_schema)
    assert "format" not in str(compiled.json_schema)
    args, _ = compiled.arguments.read('{"names": ["a", "a"], "file": "/x", "url": "u:y"}', "tool")
    assert args == [{"a"}, Path("/x"), AnyUrl("u:y")]


def test_a_type_without_schema_is_named_with_its_parameter() -> None:
    def unknown(a: int, b: NoSchema) -> None: ...
    def callback(a: int, b: Callable[[], None]) -> None: ...
    def wrong_default(a: int, b: Annotated[str, Field(discriminator="kind")]) -> None: ...

    for function in (unknown, callback, wrong_default):
        with pytest.raises(UserError, match=rf"Parameter 'b' of {function.__name__}"):
            compile_function(function)


def test_a_default_that_does_not_fit_its_type_is_refused_with_the_function() -> None:
    def wrong(a: str = Field(discriminator="kind"), *rest: Any) -> None: ...

    wrong.__annotations__["rest"] = inspect.Parameter.empty
    with pytest.raises(UserError, match="The parameters of wrong make no JSON schema"):
        compile_function(wrong)


def test_a_generator_is_refused() -> None:
    def lines(a: int) -> Any:
        yield a

    async def later(a: int) -> Any:
        yield a

    for function in (lines, later):
        with pytest.raises(UserError, match="is a generator"):
            compile_function(function)


def test_an_optional_without_default_is_required_and_may_be_null() -> None:
    def note(text: str | None) -> None: ...

    compiled = compile_function(note)
    assert compiled.json_schema["required"] == ["text"]
    assert compiled.arguments.read('{"text": null}', "note") == ([None], {})
    with pytest.raises(ModelBehaviorError, match="text: required, but not given"):
        compiled.arguments.read("{}", "note")


class Everything(BaseModel):
    a: int
    b: list[str]
    c: Color | None
    d: dict[str, bool]


everything = st.builds(
    Everything,
    a=st.integers(),
    b=st.lists(st.text()),
    c=st.none() | st.sampled_from(Color),
    d=st.dictionaries(st.text(), st.booleans()),
)


@given(everything, st.lists(st.integers()), st.text())
def test_what_was_written_as_json_is_read_as_it_was(
    one: Everything,
    more: list[int],
    name: str,
) -> None:
    def function(one: Everything, /, *more: int, name: str) -> None: ...

    class Call(BaseModel):
        one: Everything
        more: list[int]
        name: str

    text = Call(one=one, more=more, name=name).model_dump_json()
    assert read(function, text) == ([one, *more], {"name": name})
