from __future__ import annotations

import pytest

from handfast.agents.computer import AsyncComputer, Button, Computer, ComputerProvider


class Paper(Computer):
    def screenshot(self) -> str:
        return ""

    def click(self, x: int, y: int, button: Button) -> None: ...

    def double_click(self, x: int, y: int) -> None: ...

    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int) -> None: ...

    def type(self, text: str) -> None: ...

    def wait(self) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def keypress(self, keys: list[str]) -> None: ...

    def drag(self, path: list[tuple[int, int]]) -> None: ...


def test_a_computer_that_says_nothing_of_itself_is_unknown() -> None:
    assert (Paper().environment, Paper().dimensions) == (None, None)


@pytest.mark.parametrize("kind", [Computer, AsyncComputer])
def test_an_unfinished_computer_cannot_be_made(kind: type) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind()


def test_the_blocking_and_the_async_computer_have_the_same_actions() -> None:
    assert Computer.__abstractmethods__ == AsyncComputer.__abstractmethods__


def test_a_provider_makes_a_computer_and_may_take_it_down() -> None:
    def make(run_context: object) -> Paper:
        assert run_context is None
        return Paper()

    provider = ComputerProvider(make)
    assert isinstance(provider.create(run_context=None), Paper)
    assert provider.dispose is None
