"""The boundary decides; it opens no connection, starts no process and reads no environment."""

from __future__ import annotations

import ast

import pytest

from architecture.figures import Module, imported_names, sources

BOUNDARY = [module for module in sources() if module.name.startswith("handfast.boundary")]

OUTSIDE = (
    "asyncio.create_subprocess",
    "asyncio.open_",
    "asyncio.start_",
    "os.environ",
    "os.exec",
    "os.fork",
    "os.getenv",
    "os.popen",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
)
"""Ways out of the process that need no import which the contract forbids."""


@pytest.mark.parametrize("module", BOUNDARY, ids=lambda module: module.name)
def test_the_boundary_imports_the_standard_library_the_core_and_itself(module: Module) -> None:
    roots = {name for node in ast.walk(module.tree) for name in imported_names(node)}
    ours = {name for name in roots if name.startswith("handfast")}
    allowed = ("handfast.boundary.", "handfast.core.", "handfast.errors.")
    assert [name for name in sorted(ours) if not name.startswith(allowed)] == []


@pytest.mark.parametrize("module", BOUNDARY, ids=lambda module: module.name)
def test_the_boundary_has_no_way_out_of_the_process(module: Module) -> None:
    used = {ast.unparse(node) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
    assert [name for name in sorted(used) if name.startswith(OUTSIDE)] == []
