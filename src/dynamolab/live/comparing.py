"""Conditions of expressions, judged by the service's rules where moto's differ.

moto compares Python's values: there ``true`` equals 1, a null equals what is missing, and text against a number is an
error. The service compares values of one type only ("Condition and filter expressions, operators, and functions"). The
comparisons of a key condition may stand in any order, and any path of a projection may go on into a list.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from moto.dynamodb import comparisons, responses
from moto.dynamodb.parsing.key_condition_expression import validate_schema

from ..model.sizes import canonical
from . import expressions
from .images import plain
from .patches import Patches

_patches = Patches()

Value = Mapping[str, Any]


def install() -> None:
    """Let moto judge conditions by these rules; a second call changes nothing."""
    if _patches:
        return
    for name, expr in _RULES.items():
        _patches.replace(getattr(comparisons, name), "expr", expr)
    _patches.replace(responses, "parse_expression", _read_key_condition)
    _patches.replace(responses.ProjectionExpressionParser, "parse", _read_projection)


def remove() -> None:
    """Give moto its own back."""
    _patches.undo()


def _read_key_condition(
    key_condition_expression: str,
    expression_attribute_values: dict[str, Any],
    expression_attribute_names: dict[str, str],
    schema: list[dict[str, str]],
) -> Any:
    found, used = expressions.key_comparisons(
        key_condition_expression, expression_attribute_names or {}, expression_attribute_values or {}
    )
    return (*validate_schema(found, schema), used)


def _read_projection(parser: Any) -> list[list[str | int]]:
    """Each path as its names and its positions in lists; moto knows no ``#name[1]``."""
    paths, used = expressions.projected(parser.projection_expression or "", parser.expression_attribute_names)
    parser.expr_attr_names_found.extend(used)
    return paths


def _value(operand: Any, item: Any) -> Value | None:
    """What an operand stands for in this item: a path, a value of the request, or a size; None for what is missing."""
    if isinstance(operand, comparisons.AttributePath):
        found = operand._get_attr(item)
        return None if found is None else plain(found)
    if isinstance(operand, comparisons.FuncSize):
        measured = _value(operand.attr, item)
        if measured is None:
            return None
        ((kind, content),) = measured.items()
        return None if kind in ("N", "BOOL", "NULL") else {"N": str(len(content))}
    return {operand.type: operand.value}


def _equal(one: Value | None, other: Value | None) -> bool:
    return one is not None and other is not None and canonical(one) == canonical(other)


def _ordered(one: Value | None, sign: Callable[[Any, Any], Any], other: Value | None) -> bool:
    """Whether two values of one type, text, number or binary, are in that order."""
    if one is None or other is None or one.keys() != other.keys():
        return False
    ((kind, left),), ((_, right),) = one.items(), other.items()
    if kind == "N":
        return bool(sign(Decimal(left), Decimal(right)))
    if kind == "S":
        return bool(sign(left.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass")))
    return kind == "B" and bool(sign(canonical(one)[1], canonical(other)[1]))


def _compares(sign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
    return lambda node, item: _ordered(_value(node.lhs, item), sign, _value(node.rhs, item))


def _is_equal(node: Any, item: Any) -> bool:
    return _equal(_value(node.lhs, item), _value(node.rhs, item))


def _is_between(node: Any, item: Any) -> bool:
    low, value, high = (_value(operand, item) for operand in (node.start, node.attr, node.end))
    return _ordered(low, operator.le, value) and _ordered(value, operator.le, high)


def _is_in(node: Any, item: Any) -> bool:
    value = _value(node.attr, item)
    return any(_equal(value, _value(operand, item)) for operand in node.possible_values)


def _begins(node: Any, item: Any) -> bool:
    value, beginning = _value(node.attr, item), _value(node.substr, item)
    if value is None or beginning is None or value.keys() != beginning.keys() or not value.keys() & {"S", "B"}:
        return False
    whole: Any = canonical(value)[1]
    return bool(whole.startswith(canonical(beginning)[1]))


def _contains(node: Any, item: Any) -> bool:
    value, member = _value(node.attr, item), _value(node.operand, item)
    if value is None or member is None:
        return False
    (kind, content), (wanted, part) = canonical(value), canonical(member)
    whole: Any = content
    if kind in ("S", "B"):
        return kind == wanted and part in whole
    if kind == "L":
        return (wanted, part) in whole
    return kind == f"{wanted}S" and part in whole


_RULES: dict[str, Callable[[Any, Any], bool]] = {
    "OpLessThan": _compares(operator.lt),
    "OpLessThanOrEqual": _compares(operator.le),
    "OpGreaterThan": _compares(operator.gt),
    "OpGreaterThanOrEqual": _compares(operator.ge),
    "OpEqual": _is_equal,
    "OpNotEqual": lambda node, item: not _is_equal(node, item),
    "FuncBetween": _is_between,
    "FuncIn": _is_in,
    "FuncBeginsWith": _begins,
    "FuncContains": _contains,
}
