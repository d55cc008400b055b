"""`function_schema`: what a function looks like to a model, for code that calls it by itself.

`function_tool` uses the same compiler; here its product is shown in the SDK's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import Signature
from inspect import signature as signature_of

from pydantic import BaseModel

from handfast.agents.arguments import CallShape, call_arguments
from handfast.agents.callable_object import call_of
from handfast.agents.docstring import DocstringStyle
from handfast.agents.schema import compile_function, docs_of
from handfast.agents.signature import function_name_of


@dataclass
class FuncSchema:
    """A function's schema, and the way from validated arguments to a call."""

    name: str
    """What the model calls it."""
    description: str | None
    """From the docstring."""
    params_pydantic_model: type[BaseModel]
    """Validates the arguments; its fields go by the parameters' names."""
    params_json_schema: dict[str, object]
    """The schema of the arguments."""
    signature: Signature
    """The function's own signature."""
    takes_context: bool = False
    """True when the first argument is the context."""
    strict_json_schema: bool = True
    """True when the schema is strict."""
    shape: CallShape = field(default_factory=CallShape, repr=False)
    """How fields become arguments."""

    def to_call_args(self, data: BaseModel) -> tuple[list[object], dict[str, object]]:
        """The positional and keyword arguments in validated data, without the context.

        Raises:
            ModelBehaviorError: A free keyword has the name of a parameter.
        """
        return call_arguments(self.shape, data.__dict__, self.name)


@dataclass
class FuncDocumentation:
    """What a docstring says about a function."""

    name: str
    description: str | None
    """The text before the first section."""
    param_descriptions: Mapping[str, str] | None
    """By parameter name; None without any."""


def generate_func_documentation(
    func: Callable[..., object],
    style: DocstringStyle | None = None,
) -> FuncDocumentation:
    """What a function's docstring says, in the style given or the one that it is written in."""
    docs = docs_of(func, style)
    return FuncDocumentation(
        function_name_of(func),
        docs.description,
        dict(docs.parameters) or None,
    )


def function_schema(  # noqa: PLR0917 - the SDK's signature
    func: Callable[..., object],
    docstring_style: DocstringStyle | None = None,
    name_override: str | None = None,
    description_override: str | None = None,
    use_docstring_info: bool = True,  # noqa: FBT001, FBT002 - the SDK's signature
    strict_json_schema: bool = True,  # noqa: FBT001, FBT002 - the SDK's signature
) -> FuncSchema:
    """The schema of a function.

    Args:
        func: A function, method or callable object.
        docstring_style: The docstring's style; found out by default.
        name_override: What the model calls it; the function's name by default.
        description_override: The description; the docstring's by default.
        use_docstring_info: False leaves the docstring alone.
        strict_json_schema: False makes a plain schema, which `**kwargs` and free keys need.

    Raises:
        UserError: The signature has no such schema; the message names the parameter. Or a
            partial, wrapper or generic object needs a wrapper function.
    """
    call_of(func)
    compiled = compile_function(
        func,
        docstring_style=docstring_style,
        use_docstring_info=use_docstring_info,
        strict_mode=strict_json_schema,
    )
    name = name_override or compiled.name
    description = compiled.description if description_override is None else description_override
    return FuncSchema(
        name,
        description or None,
        compiled.model,
        compiled.schema_for(name),
        signature_of(func),
        compiled.takes_context,
        compiled.strict,
        compiled.arguments.shape,
    )
