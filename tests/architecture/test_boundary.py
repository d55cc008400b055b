"""The boundary decides; it opens no connection, starts no process and reads no environment."""

from __future__ import annotations

import ast

import pytest

from architecture.figures import Module, imported_names, sources

BOUNDARY = [module for module in sources() if module.name.startswith("handfast.boundary")]

OUTSIDE = {
    "connect",
    "create_connection",
    "create_datagram_endpoint",
    "create_server",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "environ",
    "getaddrinfo",
    "getenv",
    "open_connection",
    "popen",
    "start_server",
    "system",
}
"""Ways out of the process, under the names that the standard library gives them."""


@pytest.mark.parametrize("module", BOUNDARY, ids=lambda module: module.name)
def test_the_boundary_imports_the_standard_library_the_core_and_itself(module: Module) -> None:
    roots = {name for node in ast.walk(module.tree) for name in imported_names(node)}
    ours = {name for name in roots if name.startswith("handfast")}
    allowed = ("handfast.boundary.", "handfast.core.", "handfast.errors.")
    assert [name for name in sorted(ours) if not name.startswith(allowed)] == []


@pytest.mark.parametrize("module", BOUNDARY, ids=lambda module: module.name)
def test_the_boundary_has_no_way_out_of_the_process(module: Module) -> None:
    used = {node.attr for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
    assert used & OUTSIDE == set()
