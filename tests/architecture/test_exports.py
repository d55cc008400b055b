"""`handfast` is the public door: everything it names is there, and importing it is light."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

import handfast
from architecture.figures import is_door, sources

HEAVY = {
    "openai",
    "httpx",
    "mcp",
    "anyascii",
    "griffe",
    "dns",
    "cryptography",
    "jinja2",
    "sqlalchemy",
    "aiosqlite",
}
"""What a program pays for only when it uses it."""

LOADED = (
    "import sys, {package}; "
    "print(*sorted({{name.partition('.')[0] for name in sys.modules}}), sep='\\n')"
)


def loaded_by(package: str) -> set[str]:
    """The top-level modules in a fresh interpreter that has imported `package`."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and a constant program
        [sys.executable, "-c", LOADED.format(package=package)],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    return set(done.stdout.split())


def test_every_name_in_all_can_be_imported() -> None:
    assert [name for name in handfast.__all__ if not hasattr(handfast, name)] == []


def test_every_public_name_of_the_package_is_in_all() -> None:
    present = {
        name
        for name, value in vars(handfast).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert present == set(handfast.__all__) - {"__version__"}


@pytest.mark.parametrize("door", [module.name for module in sources() if is_door(module)])
def test_a_module_that_hands_on_names_names_exactly_those(door: str) -> None:
    try:
        module = importlib.import_module(door)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("handfast"):
            raise
        pytest.skip(f"{error.name} is not installed")
    present = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert present == set(module.__all__) - {"__version__"}


def test_all_names_nothing_twice() -> None:
    names = list(handfast.__all__)
    assert len(names) == len(set(names))


def test_importing_handfast_loads_no_client_and_no_application() -> None:
    loaded = loaded_by("handfast")
    assert loaded & HEAVY == set()
    assert loaded & {"handfast_inspect", "handfast_console"} == set()


@pytest.mark.parametrize("package", ["handfast_console.cli.main", "handfast_inspect"])
def test_importing_the_application_loads_no_model_client(package: str) -> None:
    assert "openai" not in loaded_by(package)
