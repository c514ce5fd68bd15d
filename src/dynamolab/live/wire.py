"""What the service's front end checks before an operation begins: that the JSON fits the operation's declared form.

boto3 checks the same on the learner's side, so this is met only by other clients. The forms come from botocore's
description of the service; the words are the service's own.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Container, Iterator
from typing import Any

from botocore.model import Shape

_PACKAGE = "com.amazonaws.dynamodb.v20120810"
_SCALARS = {
    "string": "String",
    "timestamp": "Date",
    "boolean": "Boolean",
    "integer": "Integer",
    "long": "Long",
    "double": "Double",
    "float": "Float",
}
_MOST_ERRORS = 10


def misfit(value: Any, shape: Shape | None) -> str | None:
    """Say why ``value`` cannot be read as ``shape``, as a SerializationException does; None if it can be.

    Members that are null or unknown are passed over, as the service does.
    """
    return next(_misfits(value, shape, "member"), None)


def _misfits(value: Any, shape: Shape | None, inside: str) -> Iterator[str]:
    if shape is None or value is None:
        return
    kind = shape.type_name
    if kind not in ("structure", "map", "list"):
        yield from _scalar_misfits(value, shape)
    elif kind == "list" and isinstance(value, dict):
        yield "Start of structure or map found where not expected"
    elif kind != "list" and isinstance(value, list):
        yield f"Unrecognized collection type {_java(shape)}"
    elif not isinstance(value, list | dict):
        within = kind == "structure" and inside != "member"
        yield "Unexpected value type in payload" if within else "Unexpected field type"
    elif isinstance(value, dict) and kind == "structure":
        for name, member in shape.members.items():
            yield from _misfits(value.get(name), member, "member")
    else:
        member = shape.value if kind == "map" else shape.member
        for child in value.values() if isinstance(value, dict) else value:
            yield from _misfits(child, member, kind)


def _scalar_misfits(value: Any, shape: Shape) -> Iterator[str]:
    kind = shape.type_name
    if isinstance(value, dict):
        yield "Start of structure or map found where not expected"
    elif isinstance(value, list):
        yield f"Unrecognized collection type {_java(shape)}"
    elif kind == "blob":
        yield from _blob_misfits(value)
    elif isinstance(value, bool):
        if kind != "boolean":
            yield f"{'TRUE' if value else 'FALSE'}_VALUE cannot be converted to {_SCALARS[kind]}"
    elif isinstance(value, str):
        if kind == "boolean":
            if value.upper() not in ("TRUE", "FALSE", "1", "0", "YES", "NO"):
                yield "Unexpected token received from parser"
        elif kind not in ("string", "timestamp"):
            yield f"STRING_VALUE cannot be converted to {_SCALARS[kind]}"
    elif kind in ("boolean", "string"):
        given = "NUMBER_VALUE" if value == int(value) else "DECIMAL_VALUE"
        yield f"{given} cannot be converted to {_SCALARS[kind]}"


def _blob_misfits(value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield "only base-64-encoded strings are convertible to bytes"
    elif len(value) % 4:
        yield f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}"
    else:
        try:
            exact = base64.b64encode(base64.b64decode(value, validate=True)).decode() == value
        except binascii.Error:
            exact = False
        if not exact:
            yield "Invalid last non-pad Base64 character dectected"


def _java(shape: Shape) -> str:
    """Name the form as the service does, which is written in Java."""
    kind = shape.type_name
    if kind == "map":
        return f"java.util.Map<java.lang.String, {_java(shape.value).removeprefix('class ')}>"
    if kind == "list":
        return f"java.util.List<{_java(shape.member).removeprefix('class ')}>"
    if kind == "structure":
        return f"class {_PACKAGE}.{shape.name}"
    return "class java.nio.ByteBuffer" if kind == "blob" else f"class java.lang.{_SCALARS[kind]}"


def broken_constraints(
    value: Any, shape: Shape, *, whole_table: bool = False, passing_over: Container[str] = ()
) -> str | None:
    """Say which declared constraints ``value`` breaks, as a ValidationException does; None if it breaks none.

    ``value`` must fit ``shape``. Told are members that are missing and those out of their range, length or set.
    ``whole_table`` marks an operation on a table itself: those look for their table's name before all else.
    Of shapes named in ``passing_over`` the length is not looked at.
    """
    if whole_table and "TableName" in shape.required_members and value.get("TableName") is None:
        return "The parameter 'TableName' is required but was not present in the request"
    if whole_table and value.get("TableName") == "":
        return "TableName must be at least 3 characters long and at most 255 characters long"
    found = []
    for message in _broken(value, shape, "", passing_over):
        found.append(message)
        if len(found) == _MOST_ERRORS:
            break
    if not found:
        return None
    return f"{len(found)} validation error{'s' * (len(found) > 1)} detected: {'; '.join(found)}"


def _broken(value: Any, shape: Shape, path: str, passing_over: Container[str]) -> Iterator[str]:
    if shape.name == "AttributeValue":
        return  # nothing in it is constrained, and an item may have thousands
    for rule in () if shape.name in passing_over else _broken_here(value, shape):
        yield f"Value {_shown(value)} at '{path}' failed to satisfy constraint: Member must {rule}"
    kind = shape.type_name
    if kind == "structure":
        required = shape.required_members
        for name, member in shape.members.items():
            given = value.get(name)
            if given is None and name not in required:
                continue
            inner = f"{path}.{name[0].lower()}{name[1:]}".lstrip(".")
            if given is not None:
                yield from _broken(given, member, inner, passing_over)
            else:
                yield f"Value null at '{inner}' failed to satisfy constraint: Member must not be null"
    elif kind == "map" and shape.value.name == "AttributeValue":
        return
    elif (
        kind == "map"
        and shape.value.name not in passing_over
        and any(child is not None and any(_broken_here(child, shape.value)) for child in value.values())
    ):
        # Of a map the service tells all that its values must be, and shows the whole.
        limits = shape.value.metadata
        words = [("max", "less than or equal to"), ("min", "greater than or equal to")]
        rules = ", ".join(f"Member must have length {word} {limits[name]}" for name, word in words if name in limits)
        constraint = f"Map value must satisfy constraint: [{rules}]"
        yield f"Value {_shown(value)} at '{path}' failed to satisfy constraint: {constraint}"
    elif kind in ("map", "list"):
        member = shape.value if kind == "map" else shape.member
        for name, child in value.items() if kind == "map" else enumerate(value, 1):
            if child is not None:
                yield from _broken(child, member, f"{path}.{name}.member", passing_over)


def _broken_here(value: Any, shape: Shape) -> Iterator[str]:
    limits, kind = shape.metadata, shape.type_name
    if kind == "string" and limits.get("enum") and value not in limits["enum"]:
        yield f"satisfy enum value set: [{', '.join(limits['enum'])}]"
    if kind in ("integer", "long"):
        measure, word = value, "value"
    elif kind in ("map", "list", "string", "blob"):
        measure, word = len(value), "length"
    else:
        return
    if "min" in limits and measure < limits["min"]:
        yield f"have {word} greater than or equal to {limits['min']}"
    if "max" in limits and measure > limits["max"]:
        yield f"have {word} less than or equal to {limits['max']}"


def _shown(value: Any) -> str:
    return f"'{_plain(value)}'"


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    return json.dumps(value, separators=(",", ":")) if isinstance(value, dict | bool) else str(value)
