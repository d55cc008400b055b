from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from handfast.agents.schema import compile_function


def test_the_style_of_the_docstring_can_be_named() -> None:
    def function(a: int) -> None:
        """Describe.

        Args:
            a: google

        :param a: sphinx
        """

    for style, said in (("google", "google"), ("sphinx", "sphinx")):
        compiled = compile_function(function, docstring_style=style)  # type: ignore[arg-type]
        assert f"'description': '{said}" in str(compiled.json_schema)


@dataclasses.dataclass(frozen=True)
class Described:
    """Multiplies."""

    factor: int

    def __call__(self, a: int) -> int:
        """Multiply by it.

        Args:
            a: the value
        """
        return a * self.factor


@dataclasses.dataclass(frozen=True)
class Undescribed(Described):
    def __call__(self, a: int) -> int:
        """Multiply by it."""
        return a


def test_an_object_is_described_by_its_class_and_its_call() -> None:
    described = compile_function(Described(2))
    assert described.description == "Multiplies."
    assert "'description': 'the value'" in str(described.json_schema)
    assert compile_function(Undescribed(2)).description == "Multiplies."


def test_a_class_is_described_by_its_own_words_alone() -> None:
    class Plain(BaseModel):
        a: int

    class Told(Plain):
        """Two of them."""

    class Child(Told):
        pass

    assert [compile_function(each).description for each in (Plain, Told, Child, Undescribed)] == [
        "",
        "Two of them.",
        "Two of them.",
        "Multiplies.",
    ]
