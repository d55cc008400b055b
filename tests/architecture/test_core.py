"""The core imports a listed handful of the standard library and touches nothing outside itself."""

from __future__ import annotations

import ast

import pytest

from architecture.figures import Module, imported_names, sources

CORE = [module for module in sources() if module.name.startswith("handfast.core")]

ALLOWED = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "enum",
    "json",
    "types",
    "typing",
    "handfast.core",
    "handfast.errors",
}
"""What the core may import; every other module has a door to the world or is somebody else's."""

WORLDLY = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
"""The built-in functions that reach outside without an import."""


def allowed(name: str) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in ALLOWED)


@pytest.mark.parametrize("module", CORE, ids=lambda module: module.name)
def test_the_core_imports_only_what_is_listed(module: Module) -> None:
    names = {name for node in ast.walk(module.tree) for name in imported_names(node)}
    assert [name for name in sorted(names) if not allowed(name)] == []


@pytest.mark.parametrize("module", CORE, ids=lambda module: module.name)
def test_the_core_calls_no_built_in_that_reaches_outside(module: Module) -> None:
    called = {
        node.func.id
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & WORLDLY == set()


@pytest.mark.parametrize("module", CORE, ids=lambda module: module.name)
def test_the_core_never_waits(module: Module) -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    assert [node for node in ast.walk(module.tree) if isinstance(node, waiting)] == []
