"""The measuring itself is right, and the figures are within their limits."""

from __future__ import annotations

import ast
from pathlib import Path

from architecture.figures import ROOT as REPOSITORY
from architecture.figures import (
    Module,
    any_uses,
    broad_excepts,
    functions,
    import_graph,
    knotted,
    lazy_imports,
    limits,
    measure,
    percentile,
    reachable,
    read_module,
    undocumented,
    worse,
)

SAMPLE = '''"""A module."""

from typing import Any

LIMIT = 3
"""An attribute's docstring is no code."""


# a comment
def shown(value: Any) -> str:
    """Documented."""
    from handfast import errors

    try:
        return str(value)
    except Exception:

        return ""


class Bare:
    def method(self) -> None: ...

    def _private(self) -> None: ...
'''


def sample(text: str = SAMPLE, name: str = "sample") -> Module:
    path = REPOSITORY / "src" / f"{name}.py"
    lines = ast.parse(text)
    return Module(name, path, lines, frozenset(range(1, text.count("\n") + 1)))


def test_blank_lines_comments_and_docstrings_are_no_code(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE, encoding="utf-8")
    code = read_module(path, "sample").code
    assert sorted(code) == [3, 5, 10, 12, 14, 15, 16, 18, 21, 22, 24]


def test_a_function_is_named_with_its_class() -> None:
    names = [body.name.partition("::")[2] for body in functions(sample())]
    assert names == ["shown", "Bare.method", "Bare._private"]


def test_a_public_name_without_a_docstring_is_found() -> None:
    assert undocumented(sample()) == ["src/sample.py::Bare", "src/sample.py::Bare.method"]


def test_an_import_inside_a_function_is_lazy() -> None:
    assert list(lazy_imports(sample())) == ["src/sample.py:12"]


def test_any_and_broad_handlers_are_counted() -> None:
    assert any_uses(sample()) == 1
    assert broad_excepts(sample()) == 1


def test_a_cycle_is_found_however_long() -> None:
    graph = import_graph(
        (
            sample("import b", "a"),
            sample("from b import c\nimport c", "b"),
            sample("def f():\n    import a", "c"),
            sample("import a", "d"),
        ),
    )
    assert knotted(graph) == ["a", "b", "c"]
    assert reachable(graph, "d") == {"a", "b", "c"}


def test_a_percentile_is_a_value_that_occurs() -> None:
    assert percentile([5, 1, 3, 2, 4], 0.5) == 3
    assert percentile(list(range(1, 101)), 0.95) == 95
    assert percentile([], 0.95) == 0


def test_no_figure_is_over_its_limit() -> None:
    assert worse(measure()) == []


def test_every_limit_belongs_to_a_figure() -> None:
    assert limits().keys() == measure().values.keys()
