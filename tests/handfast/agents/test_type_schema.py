from __future__ import annotations

from pydantic import BaseModel

from handfast.agents.type_schema import QuietJsonSchema, first_line


class Marker:
    pass


class WithOddDefault(BaseModel):
    a: object = Marker()


def test_a_default_that_json_cannot_express_is_left_out_without_a_warning() -> None:
    schema = WithOddDefault.model_json_schema(schema_generator=QuietJsonSchema)
    assert schema["properties"] == {"a": {"title": "A"}}


def test_the_gist_of_an_error_is_its_first_line() -> None:
    assert first_line(ValueError("one\ntwo")) == "one"
    assert first_line(ValueError()) == "ValueError"
