"""A function's signature as a JSON schema, and as a reader of arguments that match it.

Building both takes about as long as ten turns of a run, so it is done once per function and kept
for as long as the function lives.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from typing import Annotated, Final, Literal, cast, get_args, get_origin
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from handfast.agents.arguments import ArgumentReader, CallShape
from handfast.agents.callable_object import is_callable_object
from handfast.agents.docstring import DocstringStyle, FunctionDocs, read_docstring
from handfast.agents.signature import (
    NO_VALUE,
    Signature,
    function_name_of,
    read_signature,
    written_function,
)
from handfast.agents.strict_schema import (
    JsonSchema,
    ensure_strict_json_schema,
    has_untyped_part,
)
from handfast.agents.type_forms import allows_none, annotated, dict_of, list_of, optional
from handfast.agents.type_schema import first_line
from handfast.errors import UserError

logger = logging.getLogger("handfast")

StrictMode = bool | Literal["auto"]
"""True or False, or `auto`: strict for every function whose types allow it."""


@dataclass(frozen=True, slots=True)
class CompiledFunction:
    """All that is known about a function that a model can call."""

    name: str
    """The function's own name."""
    description: str
    """From the docstring, empty without one."""
    json_schema: JsonSchema
    """The schema of the arguments. Shared: never changed in place."""
    strict: bool
    """True when the schema is strict."""
    model: type[BaseModel]
    """Validates the arguments."""
    takes_context: bool
    """True when the function's first argument is the `ToolContext`."""
    is_async: bool
    """True when calling the function gives a coroutine."""
    arguments: ArgumentReader
    """Reads the arguments of a call."""

    def schema_for(self, name: str) -> JsonSchema:
        """The schema under the name of a tool."""
        if name == self.name:
            return self.json_schema
        return {**self.json_schema, "title": f"{name}_args"}


_Options = tuple[DocstringStyle | None, bool, StrictMode, bool]

_COMPILED: Final[WeakKeyDictionary[object, dict[_Options, CompiledFunction]]] = WeakKeyDictionary()


def compile_function(
    function: Callable[..., object],
    *,
    docstring_style: DocstringStyle | None = None,
    use_docstring_info: bool = True,
    strict_mode: StrictMode = "auto",
) -> CompiledFunction:
    """The schema and the argument reader of a function, built on the first call.

    Args:
        function: A function, method, `functools.partial` or callable object.
        docstring_style: The docstring's style; found out by default.
        use_docstring_info: False leaves the docstring alone.
        strict_mode: `auto` takes the plain schema, with a notice in the log, where the types have
            no strict one: a dict with free keys, `**kwargs`, no annotation.

    Raises:
        UserError: The signature cannot be expressed as a schema, or with `strict_mode` True not as
            a strict one. The message names the parameter.
    """
    key: object = getattr(function, "__func__", function)
    bound = key is not function
    options = (docstring_style, use_docstring_info, strict_mode, bound)
    try:
        known = _COMPILED.get(key)
        if known is None:
            known = _COMPILED[key] = {}
    except TypeError:  # an object that cannot be hashed or weakly referenced
        known = {}
    found = known.get(options)
    if found is None:
        style = docstring_style if use_docstring_info else None
        docs = docs_of(function, style) if use_docstring_info else FunctionDocs()
        found = known[options] = _compile(function, docs, strict_mode)
    return found


def docs_of(function: Callable[..., object], style: DocstringStyle | None) -> FunctionDocs:
    """What the docstring of a function, or of the method that it overrides, says.

    An object is described by its class, its parameters by its `__call__`.
    """
    written = written_function(function)
    if isinstance(written, type):
        return read_docstring(_written_docs(written), style)
    docstring: str | None = written.__doc__
    if not is_callable_object(function) or isinstance(function, partial):
        # Without one, that of the method it overrides.
        return read_docstring(inspect.getdoc(written) if docstring is None else docstring, style)
    of_class = _written_docs(type(function))
    docs = read_docstring(of_class if docstring is None else docstring, style)
    if docstring is None or of_class is None:
        return docs
    summary = read_docstring(of_class, style).description
    return replace(docs, description=summary or docs.description)


def _written_docs(kind: type) -> str | None:
    """A class's docstring or that of its base, unless `dataclass` or pydantic made it."""
    for owner in kind.__mro__:
        docs = owner.__doc__ if "__doc__" in vars(owner) else None
        made = is_dataclass(owner) and docs is not None and docs.startswith(f"{owner.__name__}(")
        if docs is not None and not made:
            return None if owner in {object, BaseModel} else inspect.cleandoc(docs)
    return None


def _compile(
    function: Callable[..., object],
    docs: FunctionDocs,
    strict_mode: StrictMode,
) -> CompiledFunction:
    name = function_name_of(function)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise UserError(f"{name} is a generator; a tool returns its whole output. Return a list.")
    signature = read_signature(function)
    model, shape = _model_of(name, signature, docs)
    plain = _schema_of(model, name, signature)
    schema, strict = _as_strict(plain, name, strict_mode)
    reader = ArgumentReader(model, shape, list(_public_names(model)))
    return CompiledFunction(
        name,
        docs.description or "",
        schema,
        strict,
        model,
        signature.takes_context,
        _is_async(function),
        reader,
    )


def _is_async(function: Callable[..., object]) -> bool:
    called = type(function).__call__  # a callable object's own method
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


# ---- the model of the arguments -----------------------------------------------------------------


def _model_of(
    name: str,
    signature: Signature,
    docs: FunctionDocs,
) -> tuple[type[BaseModel], CallShape]:
    """A pydantic model with a field for each parameter, and the way back to a call.

    A field whose name pydantic refuses (a leading underscore, `model_config`) or warns about
    (`schema`, `copy`, `json`) gets a number for a name; its alias is the parameter's name.
    """
    fields: dict[str, tuple[object, object]] = {}
    positional: list[str] = []
    keywords: list[tuple[str, str]] = []
    variadic = free = None
    for number, parameter in enumerate(signature.parameters):
        field = _field_name(parameter.name, number)
        fields[field] = _field(parameter, docs.parameters.get(parameter.name))
        if parameter.kind is parameter.VAR_POSITIONAL:
            variadic = field
        elif parameter.kind is parameter.VAR_KEYWORD:
            free = field
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords.append((parameter.name, field))
        else:
            positional.append(field)
    unnamed = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL}
    named = [each.name for each in signature.parameters if each.kind not in unnamed]
    taken = frozenset([*named, signature.context_name or ""])
    shape = CallShape(tuple(positional), variadic, tuple(keywords), free, taken)
    config = ConfigDict(extra="forbid" if free else "ignore")
    make = cast("Callable[..., type[BaseModel]]", create_model)
    try:
        model = make(f"{name}_args", __config__=config, **fields)
        if not model.__pydantic_complete__:
            model.model_rebuild(_types_namespace=signature.local_names())
    except (PydanticUserError, NameError, TypeError) as error:
        raise _no_schema(name, signature, error) from error
    return model, shape


def _field_name(parameter: str, number: int) -> str:
    taken = parameter.startswith(("_", "model_", "field_")) or hasattr(BaseModel, parameter)
    return f"field_{number}" if taken else parameter


def _field(parameter: inspect.Parameter, documented: str | None) -> tuple[object, object]:
    """The type and the default of a parameter's field."""
    annotation, default = _type_and_default(parameter)
    metadata = list(get_args(annotation)[1:]) if get_origin(annotation) is Annotated else []
    if isinstance(default, FieldInfo):
        # Moved next to the type, where it is weaker than what is added below.
        metadata.append(default)
        annotation = annotated(annotation, default)
        default = ...
    elif default is NO_VALUE:
        default = ...
    own = [each for each in metadata if isinstance(each, FieldInfo)]
    alias = next((each.alias for each in reversed(own) if each.alias), parameter.name)
    description = documented or _described_in(metadata)
    extra: object = (
        Field(alias=alias, description=description) if description else Field(alias=alias)
    )
    if default is ... and any(_has_default(each) for each in own):
        default = PydanticUndefined
    return annotated(annotation, extra), default


def _has_default(info: FieldInfo) -> bool:
    return not info.is_required()


def _type_and_default(parameter: inspect.Parameter) -> tuple[object, object]:
    annotation: object = parameter.annotation
    if annotation is NO_VALUE:
        annotation = object
    if parameter.kind is parameter.VAR_POSITIONAL:
        return list_of(annotation, parameter.name), Field(default_factory=list[object])
    if parameter.kind is parameter.VAR_KEYWORD:
        return dict_of(annotation), Field(default_factory=dict[str, object])
    default: object = parameter.default
    if default is None and not allows_none(annotation):
        # `limit: int = None` says that None is fine, whatever the annotation forgot.
        annotation = optional(annotation)
    return annotation, default


def _described_in(metadata: list[object]) -> str | None:
    """The description in an `Annotated`: its first string, or a PEP 727 `Doc`."""
    for each in metadata:
        text: object = each if isinstance(each, str) else getattr(each, "documentation", None)
        if isinstance(text, str):
            return text
    return None


# ---- the schema ---------------------------------------------------------------------------------


def _schema_of(model: type[BaseModel], name: str, signature: Signature) -> JsonSchema:
    try:
        # With pydantic's warning of a default that JSON cannot express: no model is told of it.
        return cast("JsonSchema", model.model_json_schema())
    except PydanticUserError as error:
        raise _no_schema(name, signature, error) from error


def _no_schema(name: str, signature: Signature, error: Exception) -> UserError:
    for each in signature.parameters:
        annotation: object = each.annotation
        try:
            if annotation is not NO_VALUE:
                TypeAdapter(cast("type[object]", annotation)).json_schema()
        except (PydanticUserError, NameError, TypeError) as reason:
            return UserError(
                f"Parameter {each.name!r} of {name} has the type {annotation!r}, which cannot be "
                f"expressed as a JSON schema: {first_line(reason)}",
            )
    return UserError(f"The parameters of {name} make no JSON schema: {first_line(error)}")


def _public_names(model: type[BaseModel]) -> list[str]:
    return [info.alias or name for name, info in model.model_fields.items()]


def _as_strict(plain: JsonSchema, name: str, strict_mode: StrictMode) -> tuple[JsonSchema, bool]:
    if strict_mode is False:
        return plain, False
    try:
        strict = ensure_strict_json_schema(plain)
    except UserError as error:
        if strict_mode is True:
            raise UserError(f"{name} cannot be a strict tool. {error}") from error
        logger.warning(
            "Tool %s goes out without a strict schema: %s",
            name,
            error,
        )
        return plain, False
    if strict_mode == "auto" and has_untyped_part(plain):
        logger.warning(
            "Tool %s goes out without a strict schema: part of a parameter has no type, or is a "
            "tuple. Annotate it, use a list or a model, or pass strict_mode=False.",
            name,
        )
        return plain, False
    return strict, True
