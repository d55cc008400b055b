"""A screen, mouse and keyboard as the SDK describes them, so that code which has one can be read.

handfast does not let a model use a computer; see `handfast.agents.hosted_tool`.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

Environment: TypeAlias = Literal["mac", "windows", "ubuntu", "browser"]
Button: TypeAlias = Literal["left", "right", "wheel", "back", "forward"]


class Computer(ABC):
    """A computer that is used through blocking calls. Positions and sizes are in pixels."""

    @property
    def environment(self) -> Environment | None:
        """What kind of computer it is."""
        return None

    @property
    def dimensions(self) -> tuple[int, int] | None:
        """Width and height of its screen."""
        return None

    @abstractmethod
    def screenshot(self) -> str:
        """The screen as a PNG image, in base64."""

    @abstractmethod
    def click(self, x: int, y: int, button: Button) -> None:
        """Click once."""

    @abstractmethod
    def double_click(self, x: int, y: int) -> None:
        """Click twice."""

    @abstractmethod
    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int) -> None:
        """Scroll by a distance, at a position."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Type a text."""

    @abstractmethod
    def wait(self) -> None:
        """Do nothing for a moment."""

    @abstractmethod
    def move(self, x: int, y: int) -> None:
        """Move the pointer."""

    @abstractmethod
    def keypress(self, keys: list[str]) -> None:
        """Press keys together."""

    @abstractmethod
    def drag(self, path: list[tuple[int, int]]) -> None:
        """Drag along positions."""


class AsyncComputer(ABC):
    """A computer that is used through async calls. Positions and sizes are in pixels."""

    @property
    def environment(self) -> Environment | None:
        """What kind of computer it is."""
        return None

    @property
    def dimensions(self) -> tuple[int, int] | None:
        """Width and height of its screen."""
        return None

    @abstractmethod
    async def screenshot(self) -> str:
        """The screen as a PNG image, in base64."""

    @abstractmethod
    async def click(self, x: int, y: int, button: Button) -> None:
        """Click once."""

    @abstractmethod
    async def double_click(self, x: int, y: int) -> None:
        """Click twice."""

    @abstractmethod
    async def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int) -> None:
        """Scroll by a distance, at a position."""

    @abstractmethod
    async def type(self, text: str) -> None:
        """Type a text."""

    @abstractmethod
    async def wait(self) -> None:
        """Do nothing for a moment."""

    @abstractmethod
    async def move(self, x: int, y: int) -> None:
        """Move the pointer."""

    @abstractmethod
    async def keypress(self, keys: list[str]) -> None:
        """Press keys together."""

    @abstractmethod
    async def drag(self, path: list[tuple[int, int]]) -> None:
        """Drag along positions."""


C = TypeVar("C", bound=Computer | AsyncComputer)


@dataclass
class ComputerProvider(Generic[C]):
    """Makes a computer for a run, and takes it down after."""

    create: Callable[..., C | Awaitable[C]]
    """Makes it; called with `run_context=`."""
    dispose: Callable[..., object] | None = None
    """Takes it down; called with `run_context=` and `computer=`."""


_RESOLVED: WeakKeyDictionary[Any, dict[int, tuple[Any, Any]]] = WeakKeyDictionary()
"""By run context, the computers that were made for it, each with its tool."""


async def resolve_computer(*, tool: Any, run_context: Any) -> Any:  # noqa: ANN401 - any tool's computer
    """The computer of a `ComputerTool` for a run: its own, or one made once for each run.

    Args:
        tool: The tool.
        run_context: The run's context.
    """
    source: Any = tool.computer
    if isinstance(source, Computer | AsyncComputer):
        return source
    made = _RESOLVED.setdefault(run_context, {})
    if id(tool) not in made:
        create: Any = source.create if isinstance(source, ComputerProvider) else source
        computer: Any = create(run_context=run_context)
        made[id(tool)] = (tool, await computer if inspect.isawaitable(computer) else computer)
    return made[id(tool)][1]


async def dispose_resolved_computers(*, run_context: Any) -> None:  # noqa: ANN401 - any run's context
    """Take down the computers that were made for a run."""
    for tool, computer in _RESOLVED.pop(run_context, {}).values():
        source: Any = tool.computer
        if isinstance(source, ComputerProvider) and source.dispose is not None:
            done = source.dispose(run_context=run_context, computer=computer)
            if inspect.isawaitable(done):
                await done
