"""A function's signature and docstring as a schema.

The OpenAI Agents SDK keeps these names in a module of this name.
"""

from __future__ import annotations

from handfast.agents.function_schema import (
    FuncDocumentation,
    FuncSchema,
    function_schema,
    generate_func_documentation,
)

__all__ = [
    "FuncDocumentation",
    "FuncSchema",
    "function_schema",
    "generate_func_documentation",
]
