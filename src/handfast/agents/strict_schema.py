"""Makes a JSON schema strict, as providers ask for when a model must follow it to the letter.

Strict means: every object is closed (`additionalProperties: false`) and requires all its
properties, alternatives are `anyOf`, and a `$ref` stands alone. Rules after OpenAI's
"Supported schemas" for structured outputs.

A schema that cannot be made strict without changing what it accepts is refused. An open map closed
by force would be a schema that only `{}` matches, and a model would send `{}` for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import unquote

from handfast.agents.json_types import is_array, is_object
from handfast.errors import SchemaReferenceError, UserError

JsonSchema = dict[str, object]

MAX_NODES: Final = 100_000
"""The most values that a schema may hold."""
MAX_DEPTH: Final = 100
"""The deepest nesting."""

_MAPS_OF_SCHEMAS: Final = ("$defs", "definitions", "properties")
_LISTS_OF_SCHEMAS: Final = ("anyOf", "allOf", "prefixItems")
_SCHEMAS: Final = ("items", "not", "contains")
_ANNOTATIONS: Final = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"},
)
_BESIDE_A_REFERENCE: Final = _ANNOTATIONS | {
    "$anchor",
    "$comment",
    "$defs",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "definitions",
}
"""What may stand next to a `$ref`: nothing that has a say in which values are right."""
_KEYWORDS_THAT_TELL_A_TYPE: Final = frozenset(
    {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"},
)
_FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
)
"""The formats that providers hold a model to; they refuse a schema that names another."""
_OPEN_KEYWORDS: Final = ("patternProperties", "propertyNames", "unevaluatedProperties")
_OBJECT_KEYWORDS: Final = frozenset({"properties", "additionalProperties", *_OPEN_KEYWORDS})


def ensure_strict_json_schema(schema: Mapping[str, object]) -> JsonSchema:
    """A strict copy of a schema.

    Args:
        schema: A JSON schema whose root is an object; it is left as it is.

    Returns:
        A new schema. Making it strict again changes nothing.

    Raises:
        TypeError: It is no mapping.
        UserError: The schema cannot be strict: an object with free keys, alternatives or null at
            the root, a `$ref` with rules next to it, or one too large or too deep.
        SchemaReferenceError: A `$ref` leads nowhere, or in a circle.
    """
    given: object = schema
    if not is_object(given):
        raise TypeError(f"A JSON schema is a mapping, not {type(schema).__name__}.")
    strictness = _Strictness(schema)
    root = strictness.without_root_reference()
    if root.get("type") == "object" and not {"additionalProperties", "allOf"} & root.keys():
        root.setdefault("properties", {})
    strict = strictness.node(root, "the root", 0, inlined=False)
    _check_root(strict)
    return strict or {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
        "required": [],
    }


def has_untyped_part(schema: Mapping[str, object]) -> bool:
    """True when some part takes anything, or is a list that has a type for each place.

    Providers refuse both in a strict schema.
    """
    waiting = _parts_of(schema)
    while waiting:
        part = waiting.pop()
        if not is_object(part) or _KEYWORDS_THAT_TELL_A_TYPE.isdisjoint(part):
            return True
        if "prefixItems" in part:
            return True
        waiting.extend(_parts_of(part))
    return False


def _parts_of(schema: Mapping[str, object]) -> list[object]:
    parts: list[object] = []
    for key in _MAPS_OF_SCHEMAS:
        named = schema.get(key)
        parts.extend(named.values() if is_object(named) else ())
    for key in (*_LISTS_OF_SCHEMAS, "oneOf"):
        listed = schema.get(key)
        parts.extend(listed if is_array(listed) else ())
    if "items" in schema:
        parts.append(schema["items"])
    return parts


def _check_root(root: Mapping[str, object]) -> None:
    kind = root.get("type")
    if "anyOf" in root:
        raise UserError(
            "The root of a strict JSON schema cannot have alternatives (anyOf, oneOf). "
            "Put the union into a field of an object.",
        )
    if is_array(kind) and "null" in kind:
        raise UserError(
            "The root of a strict JSON schema cannot allow null. Put the optional value into a "
            "field.",
        )


class _Strictness:
    """One pass over one schema; holds what the parts share."""

    def __init__(self, schema: Mapping[str, object]) -> None:
        self._schema = schema
        self._nodes = 0
        self._inside = 0
        self._recursive: dict[str, bool] = {}

    def without_root_reference(self) -> JsonSchema:
        """The root as an object of its own, where it was a `$ref` to one of its definitions."""
        root: JsonSchema = dict(self._schema)
        if "$ref" in root:
            _check_siblings(root.keys() - {"$id"}, "the root")
            _, target = self._target(root.pop("$ref"), "the root")
            root = _merged(target, root, "the root")
        return root

    def node(self, schema: object, where: str, depth: int, *, inlined: bool) -> JsonSchema:
        """The strict form of one schema.

        Args:
            schema: The schema.
            where: Its place, for messages.
            depth: How deep it is nested.
            inlined: True inside a copy that replaced a `$ref`; no further copies are made there,
                so that the result cannot grow out of bounds.
        """
        if not is_object(schema):
            raise UserError(f"Not a JSON schema at {where}: expected an object, got {schema!r:.80}")
        self._count(where, depth)
        if depth > 0 and isinstance(schema.get("$id"), str):
            self._inside += 1
            try:
                return self._strict(dict(schema), where, depth, inlined=inlined)
            finally:
                self._inside -= 1
        return self._strict(dict(schema), where, depth, inlined=inlined)

    def _strict(self, raw: JsonSchema, where: str, depth: int, *, inlined: bool) -> JsonSchema:
        if "$ref" in raw and len(raw) > 1:
            return self._reference_with_siblings(raw, where, depth, inlined=inlined)
        if "$ref" in raw:
            self._target(raw["$ref"], where)
            return raw
        raw = self._without_single_all_of(raw, where)
        if "$ref" in raw:
            return self.node(raw, where, depth, inlined=inlined)
        _join_alternatives(raw, where)
        if raw.get("default", ...) is None:
            del raw["default"]
        _leave_out_unsupported(raw)
        self._close(raw, where)
        return self._with_strict_parts(raw, where, depth, inlined=inlined)

    def _count(self, where: str, depth: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise UserError(f"The schema is too large to be strict: over {MAX_NODES} parts.")
        if depth > MAX_DEPTH:
            raise _too_deep(where)

    def _with_strict_parts(
        self,
        raw: JsonSchema,
        where: str,
        depth: int,
        *,
        inlined: bool,
    ) -> JsonSchema:
        def strict(part: object, place: str) -> JsonSchema:
            return self.node(part, f"{where} > {place}", depth + 1, inlined=inlined)

        for key in _MAPS_OF_SCHEMAS:
            if key in raw:
                raw[key] = {
                    name: strict(part, f"{key}.{name}")
                    for name, part in _mapping(raw[key], where, key).items()
                }
        for key in _LISTS_OF_SCHEMAS:
            if key in raw:
                raw[key] = [strict(part, key) for part in _list(raw[key], where, key)]
        for key in _SCHEMAS:
            if is_object(raw.get(key)):
                raw[key] = strict(raw[key], key)
        return {key: _copied(value, self._leaf(where, depth)) for key, value in raw.items()}

    def _leaf(self, where: str, depth: int) -> Callable[[int], None]:
        return lambda below: self._count(where, depth + below)

    def _close(self, raw: JsonSchema, where: str) -> None:
        if "type" not in raw and not _OBJECT_KEYWORDS.isdisjoint(raw):
            raw["type"] = "object"
        kind = raw.get("type")
        if kind != "object" and not (is_array(kind) and "object" in kind):
            return
        for keyword in _OPEN_KEYWORDS:
            if keyword in raw:
                raise _open_object(where, keyword)
        if raw.get("additionalProperties", False) is not False:
            raise _open_object(where, "additionalProperties")
        if "properties" not in raw:
            if "additionalProperties" not in raw:
                raise _open_object(where, "no properties")
            raw["properties"] = {}
        raw["additionalProperties"] = False
        raw["required"] = list(_mapping(raw["properties"], where, "properties"))

    def _without_single_all_of(self, raw: JsonSchema, where: str) -> JsonSchema:
        while True:
            parts = raw.get("allOf")
            if not is_array(parts) or len(parts) != 1:
                return raw
            self._count(where, 0)
            only = dict(_mapping(parts[0], where, "allOf"))
            if "$ref" in only and len(raw) > 1:
                only = self._dereferenced(only, where)
            rest = {key: value for key, value in raw.items() if key != "allOf"}
            raw = _merged(only, _without_empty_rules(rest, only, where), where)

    def _dereferenced(self, raw: JsonSchema, where: str) -> JsonSchema:
        """A `$ref` with annotations, as what it refers to with those annotations."""
        seen: set[str] = set()
        while "$ref" in raw:
            _check_siblings(raw, where)
            name, target = self._target(raw.pop("$ref"), where)
            if name in seen:
                raise SchemaReferenceError(f"The $ref {name!r} at {where} is circular.")
            if self._is_recursive(name, target) and "$ref" not in target:
                return {**raw, "$ref": name}
            seen.add(name)
            raw = _merged(target, raw, where)
        return raw

    def _reference_with_siblings(
        self,
        raw: JsonSchema,
        where: str,
        depth: int,
        *,
        inlined: bool,
    ) -> JsonSchema:
        reference = raw.pop("$ref")
        name, target = self._target(reference, where)
        _check_siblings(raw, where)
        while "$ref" in target and not inlined:
            _check_siblings(target, where)
            raw = _merged({k: v for k, v in target.items() if k != "$ref"}, raw, where)
            self._count(where, depth)
            name, target = self._target(target["$ref"], where)
        if not inlined and not self._is_recursive(name, target):
            return self.node(_merged(target, raw, where), where, depth, inlined=True)
        if raw.get("default", ...) is None:
            del raw["default"]
        return {"anyOf": [{"$ref": reference}], **raw} if raw else {"$ref": reference}

    def _target(self, reference: object, where: str) -> tuple[str, Mapping[str, object]]:
        """What a `$ref` stands for, through chains of nothing but `$ref`."""
        if self._inside:
            raise _nested_resource(where)
        seen: set[str] = set()
        while True:
            if len(seen) > MAX_DEPTH:
                raise _too_deep(where)
            if not isinstance(reference, str) or not reference.startswith("#/"):
                raise SchemaReferenceError(
                    f"Unexpected $ref {reference!r:.80} at {where}: it must begin '#/'."
                )
            if reference in seen:
                raise SchemaReferenceError(f"The $ref {reference!r} at {where} is circular.")
            seen.add(reference)
            target = self._resolved(reference, where)
            if set(target) != {"$ref"}:
                return reference, target
            reference = target["$ref"]

    def _resolved(self, reference: str, where: str) -> Mapping[str, object]:
        found: object = self._schema
        # RFC 6901, section 6: the fragment is decoded before it is taken apart.
        for step in unquote(reference[2:], errors="strict").split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            if is_object(found) and key in found:
                found = found[key]
            elif is_array(found) and key.isdecimal() and int(key) < len(found):
                found = found[int(key)]
            else:
                raise SchemaReferenceError(f"The $ref {reference!r} at {where} leads nowhere.")
            if is_object(found) and isinstance(found.get("$id"), str):
                raise _nested_resource(where)
        return _mapping(found, where, reference)

    def _is_recursive(self, name: str, target: Mapping[str, object]) -> bool:
        """True when a definition can be reached from itself, or from one that it needs."""
        if name not in self._recursive:
            reached: set[str] = set()
            waiting: list[object] = [target]
            while waiting:
                for reference in _references(waiting.pop()) - reached:
                    reached.add(reference)
                    waiting.append(self._resolved(reference, name))
            self._recursive[name] = name in reached
        return self._recursive[name]


def _references(schema: object) -> set[str]:
    """Every `$ref` within a schema, itself included."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if is_object(part):
            reference = part.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/"):
                found.add(reference)
            waiting.extend(part.values())
        elif is_array(part):
            waiting.extend(part)
    return found


def _check_siblings(keywords: Iterable[str], where: str) -> None:
    """Refuse rules next to a `$ref`: in one schema they would mean something else than in two."""
    rules = set(keywords) - {"$ref"} - _BESIDE_A_REFERENCE
    if rules:
        raise UserError(
            f"The $ref at {where} has an incompatible sibling: {', '.join(sorted(rules))}. A "
            "strict schema has no way to ask for both; write the rule where the $ref leads.",
        )


def _merged(target: Mapping[str, object], siblings: JsonSchema, where: str) -> JsonSchema:
    """Both together: the siblings' annotations win, rules that contradict are refused."""
    for key in (siblings.keys() & target.keys()) - _ANNOTATIONS:
        if not _same(siblings[key], target[key]):
            raise UserError(
                f"Two different rules for {key!r} meet at {where}, an incompatible singleton "
                "`allOf`; a strict schema has no way to ask for both. Write the narrower one down.",
            )
    notes = {key: value for key, value in siblings.items() if key in _ANNOTATIONS}
    return {**siblings, **target, **notes}


def _without_empty_rules(rest: JsonSchema, only: Mapping[str, object], where: str) -> JsonSchema:
    """What stands next to a single `allOf`, without an empty list of properties.

    An open object that lists none asks for nothing; a closed one forbids those of the other.
    """
    own, others = rest.get("properties", {}), only.get("properties", {})
    names = set(others) if is_object(others) else set[str]()
    listed = set(own) if is_object(own) else set[str]()
    if rest.get("additionalProperties", ...) is False and names - listed:
        raise UserError(
            f"The object at {where} is closed, and its singleton `allOf` has properties that it "
            "does not list; a strict schema has no way to ask for both. Write one object down.",
        )
    return {key: value for key, value in rest.items() if key != "properties" or value or not names}


def _same(one: object, other: object) -> bool:
    """True for equal JSON values; unlike in Python, `true` is no number."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def _join_alternatives(raw: JsonSchema, where: str) -> None:
    """Turn `oneOf` into `anyOf`, the only form that strict mode knows.

    Looser where both match; what comes back is validated against the original type.
    """
    if "oneOf" in raw:
        one_of = _list(raw.pop("oneOf"), where, "oneOf")
        raw["anyOf"] = [*_list(raw.get("anyOf", []), where, "anyOf"), *one_of]


def _leave_out_unsupported(raw: JsonSchema) -> None:
    """Leave out what a provider refuses the whole request for: that items differ, other formats.

    Looser by that; what comes back is validated against the original type.
    """
    raw.pop("uniqueItems", None)
    wanted = raw.get("format")
    if not isinstance(wanted, str) or wanted not in _FORMATS:
        raw.pop("format", None)


def _mapping(value: object, where: str, key: str) -> Mapping[str, object]:
    if not is_object(value):
        raise UserError(f"Not a JSON schema at {where}: {key} must be an object, got {value!r:.80}")
    return value


def _list(value: object, where: str, key: str) -> list[object]:
    if not is_array(value):
        raise UserError(f"Not a JSON schema at {where}: {key} must be a list, got {value!r:.80}")
    return value


def _too_deep(where: str) -> UserError:
    return UserError(f"The schema is too deeply nested: over {MAX_DEPTH} levels at {where[:200]}")


def _nested_resource(where: str) -> UserError:
    return UserError(
        f"The $ref at {where} stands in, or leads to, a nested `$id` resource, where references "
        "mean something else. Leave the `$id` out.",
    )


def _open_object(where: str, why: str) -> UserError:
    return UserError(
        f"A strict schema cannot hold an object with free keys, as at {where} ({why}). Declare the "
        "fields (a pydantic model, dataclass or TypedDict), or switch strict off "
        "(strict_mode=False or strict_json_schema=False).",
    )


def _copied(value: object, count: Callable[[int], None], below: int = 1) -> object:
    """A copy that shares no list or dict with the original."""
    if is_object(value):
        count(below)
        return {key: _copied(part, count, below + 1) for key, part in value.items()}
    if is_array(value):
        count(below)
        return [_copied(part, count, below + 1) for part in value]
    return value
