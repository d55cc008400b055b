"""The figures by which this code base is kept small, and the gate that holds them.

Run as a program (`scripts/shape`) it prints a table and fails when a figure is worse than its limit
in `limits.toml`. The measuring functions are used by the tests beside it.

Code lines are the lines that hold neither nothing, nor only a comment, nor a docstring.
"""

from __future__ import annotations

import ast
import io
import math
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Path(__file__).with_name("limits.toml")
PACKAGES = ("handfast", "handfast_inspect", "handfast_console")
STRICT = ("handfast.core", "handfast.boundary")
"""Where `Any` is not used at all."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Documented: TypeAlias = ast.Module | ast.ClassDef | Function

SILENT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    },
)


@dataclass(frozen=True)
class Module:
    """One source file, parsed."""

    name: str
    path: Path
    tree: ast.Module
    code: frozenset[int]
    """The numbers of its code lines."""

    @property
    def where(self) -> str:
        """Its path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Body:
    """One function or method, with its size in code lines."""

    name: str
    """Path and qualified name, as `src/handfast/core/loop.py::start`."""
    lines: int


@dataclass
class Figures:
    """What the table shows."""

    values: dict[str, float] = field(default_factory=dict[str, float])
    where: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, value: float, where: str = "") -> None:
        """Note one figure and the place it comes from."""
        self.values[name] = round(value, 2)
        self.where[name] = where


# ---- reading ------------------------------------------------------------------------------------


def docstring_lines(tree: ast.Module) -> set[int]:
    """The numbers of the lines that belong to docstrings, those of attributes among them."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def code_lines(text: str, tree: ast.Module) -> frozenset[int]:
    """The numbers of the lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return frozenset(lines - docstring_lines(tree))


def read_module(path: Path, name: str) -> Module:
    """Parse one file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, str(path))
    return Module(name, path, tree, code_lines(text, tree))


@cache
def sources() -> tuple[Module, ...]:
    """Every module of the three packages."""
    source = ROOT / "src"
    found: list[Module] = []
    for package in PACKAGES:
        for path in sorted((source / package).rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(read_module(path, name))
    return tuple(found)


# ---- sizes --------------------------------------------------------------------------------------


def functions(module: Module) -> Iterator[Body]:
    """Each function and method of a module; a nested one counts for itself and for its owner."""

    def walk(node: ast.AST, prefix: str) -> Iterator[Body]:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.ClassDef | Function):
                name = f"{prefix}.{child.name}" if prefix else child.name
            if isinstance(child, Function):
                span = range(child.lineno, (child.end_lineno or child.lineno) + 1)
                yield Body(f"{module.where}::{name}", len(module.code.intersection(span)))
            yield from walk(child, name)

    return walk(module.tree, "")


def is_door(module: Module) -> bool:
    """True for a module that only hands on names: imports and `__all__`, nothing of its own."""
    return any(isinstance(node, ast.ImportFrom) for node in module.tree.body) and all(
        isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
        for node in module.tree.body
    )


def percentile(values: list[int], share: float) -> int:
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered)) - 1] if ordered else 0


# ---- imports ------------------------------------------------------------------------------------


def imported_names(node: ast.AST) -> Iterator[str]:
    """The dotted names that an import statement asks for; empty for any other node."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        for alias in node.names:
            yield f"{module}.{alias.name}"


def import_graph(modules: tuple[Module, ...]) -> dict[str, set[str]]:
    """Which module imports which, however hidden the import is."""
    known = {module.name for module in modules}
    graph: dict[str, set[str]] = {}
    for module in modules:
        names = (name for node in ast.walk(module.tree) for name in imported_names(node))
        targets = {name if name in known else name.rpartition(".")[0] for name in names}
        graph[module.name] = (targets & known) - {module.name}
    return graph


def lazy_imports(module: Module) -> Iterator[str]:
    """Imports of our own modules that do not stand at the top of the file, or in a `try` there."""
    top = {id(node) for node in module.tree.body}
    top |= {
        id(node) for each in module.tree.body if isinstance(each, ast.Try) for node in each.body
    }
    for node in ast.walk(module.tree):
        if id(node) in top:
            continue
        for name in imported_names(node):
            if name.partition(".")[0] in PACKAGES:
                yield f"{module.where}:{getattr(node, 'lineno', 0)}"


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Everything that `start` leads to."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        for name in graph[todo.pop()] - seen:
            seen.add(name)
            todo.append(name)
    return seen


def knotted(graph: Mapping[str, set[str]]) -> list[str]:
    """The modules that import themselves by some way round."""
    return sorted(name for name in graph if name in reachable(graph, name))


# ---- names --------------------------------------------------------------------------------------


def public(module: Module) -> Iterator[tuple[str, Documented]]:
    """The module and the classes, functions and methods in it whose names are public."""
    yield module.where, module.tree

    def walk(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Documented]]:
        for child in node.body:
            if isinstance(child, ast.ClassDef | Function) and not child.name.startswith("_"):
                if is_overload(child):
                    continue
                name = f"{prefix}{child.name}"
                yield f"{module.where}::{name}", child
                if isinstance(child, ast.ClassDef):
                    yield from walk(child, f"{name}.")

    yield from walk(module.tree, "")


def is_overload(node: Documented) -> bool:
    """True for a signature without a body of its own, and for a setter, whose getter speaks."""
    if isinstance(node, ast.Module):
        return False
    return any(
        ast.unparse(decorator).endswith(("overload", ".setter", ".deleter", "override"))
        for decorator in node.decorator_list
    )


def undocumented(module: Module) -> list[str]:
    """The public names without a docstring."""
    return [where for where, node in public(module) if not ast.get_docstring(node)]


# ---- types and errors ---------------------------------------------------------------------------


def any_uses(module: Module) -> int:
    """How often the module says `Any`, its import not counted."""
    return sum(
        (isinstance(node, ast.Name) and node.id == "Any")
        or (isinstance(node, ast.Attribute) and node.attr == "Any")
        for node in ast.walk(module.tree)
    )


def broad_excepts(module: Module) -> int:
    """How many handlers catch everything."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        for node in ast.walk(module.tree)
    )


# ---- the table ----------------------------------------------------------------------------------


def measure() -> Figures:
    """Measure the whole code base."""
    modules = sources()
    bodies = [body for module in modules for body in functions(module)]
    lines = {module.where: len(module.code) for module in modules}
    total = sum(lines.values())
    largest = max((m.where for m in modules if not is_door(m)), key=lambda name: lines[name])
    longest = max(bodies, key=lambda body: body.lines)
    lazy = [where for module in modules for where in lazy_imports(module)]
    knot = knotted(import_graph(modules))
    strict = [module for module in modules if module.name.startswith(STRICT)]
    names = sum(1 for module in modules for _ in public(module))
    bare = [name for module in modules for name in undocumented(module)]

    figures = Figures()
    figures.add("largest_file", lines[largest], largest)
    figures.add("function_p95", percentile([body.lines for body in bodies], 0.95))
    figures.add("function_longest", longest.lines, longest.name)
    figures.add("modules_in_knots", len(knot), " ".join(knot[:3]))
    figures.add("lazy_own_imports", len(lazy), " ".join(lazy[:3]))
    figures.add("undocumented_percent", 100 * len(bare) / max(names, 1), " ".join(bare[:3]))
    figures.add("any_in_core_and_boundary", sum(any_uses(module) for module in strict))
    figures.add("any_per_1000_lines", 1000 * sum(map(any_uses, modules)) / max(total, 1))
    figures.add("broad_excepts_per_1000_lines", 1000 * sum(map(broad_excepts, modules)) / total)
    for package in PACKAGES:
        own = [module for module in modules if module.name.partition(".")[0] == package]
        figures.add(f"lines_{package}", sum(lines[module.where] for module in own))
    return figures


def limits() -> dict[str, float]:
    """What each figure may not exceed."""
    table: dict[str, float] = tomllib.loads(LIMITS.read_text(encoding="utf-8"))
    return table


def worse(figures: Figures) -> list[str]:
    """The names of the figures that exceed their limits or have none."""
    allowed = limits()
    return [name for name, value in figures.values.items() if value > allowed.get(name, -1)]


def main() -> int:
    """Print the table; 1 when a figure got worse."""
    figures = measure()
    allowed = limits()
    over = worse(figures)
    out = sys.stdout
    out.write(f"{'figure':30} {'now':>8} {'limit':>8}\n")
    for name, value in figures.values.items():
        mark = "  <- too much" if name in over else ""
        limit = allowed.get(name, float("nan"))
        out.write(f"{name:30} {value:8g} {limit:8g}{mark}  {figures.where[name]}\n")
    if over:
        out.write(
            f"\nA figure is over its limit in {LIMITS.relative_to(ROOT)}. Make the code smaller,\n"
            "or raise the limit in a change of its own and say why in docs/decisions.\n",
        )
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
