"""What is public is documented, and what a package is called says what it holds."""

from __future__ import annotations

import ast

from architecture.figures import is_door, sources, undocumented

EMPTY_WORDS = {"base", "common", "helper", "helpers", "impl", "manager", "misc", "util", "utils"}
LONGEST_PACKAGE_NOTE = 20

SILENT = (
    "handfast.agents",
    "handfast.boundary",
    "handfast.core",
    "handfast.models",
    "handfast.network",
    "handfast.runner",
    "handfast.sandboxes",
    "handfast.sessions",
    "handfast_console",
    "handfast_inspect",
)
"""Packages whose `__init__` only explains: re-exports inside would tie import knots."""

PACKAGES = [module for module in sources() if module.where.endswith("/__init__.py")]


def test_every_public_name_has_a_docstring() -> None:
    assert [name for module in sources() for name in undocumented(module)] == []


def test_every_module_is_named_after_what_it_holds() -> None:
    words = {
        module.name: module.name.rpartition(".")[2].split("_")
        for module in sources()
        if not is_door(module)
    }
    assert [name for name, parts in words.items() if EMPTY_WORDS.intersection(parts)] == []


def test_a_package_explains_its_words_in_a_few_lines() -> None:
    notes = {package.name: ast.get_docstring(package.tree) or "" for package in PACKAGES}
    long = [name for name, note in notes.items() if len(note.splitlines()) > LONGEST_PACKAGE_NOTE]
    assert long == []


def test_an_inner_package_re_exports_nothing() -> None:
    inner = [package for package in PACKAGES if package.name.startswith(SILENT)]
    assert [package.name for package in inner if package.code] == []


def test_a_public_package_holds_nothing_of_its_own() -> None:
    assert [each.name for each in PACKAGES if each.code and not is_door(each)] == []
