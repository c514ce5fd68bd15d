"""Comparisons of expressions where the service's differ from moto's.

An item whose attribute has another type than the value that it is compared with does not match; moto fails on it. And
a key condition may speak of each key once, with the few operators that a sorted collection can answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from moto.dynamodb import comparisons

from . import validation
from .patches import Patches

_patches = Patches()
_TOKEN = re.compile(r"<>|<=|>=|[=<>(),]|[#:]?[\w.\-]+")
_COMPARISONS = ("=", "<", "<=", ">", ">=", "BETWEEN")
_NO_KEY_OPERATORS = ("OR", "NOT", "IN", "<>")
_NO_KEY_FUNCTIONS = ("attribute_exists", "attribute_not_exists", "attribute_type", "contains")


def install() -> None:
    """Let moto's comparisons of values of different types be false; a second call changes nothing."""
    if _patches:
        return
    for name in ("OpLessThan", "OpLessThanOrEqual", "OpGreaterThan", "OpGreaterThanOrEqual", "FuncBetween"):
        kind: Any = getattr(comparisons, name)
        _patches.replace(kind, "expr", _of_one_type(kind.expr))


def remove() -> None:
    """Give moto its comparisons back."""
    _patches.undo()


def _of_one_type(original: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def expr(operator: Any, item: Any) -> bool:
        try:
            return original(operator, item)
        except TypeError:  # Python orders no text against a number; the service finds no match.
            return False

    return expr


def key_condition(expression: str, names: Mapping[str, str]) -> None:
    """Refuse a KeyConditionExpression with an operator that keys do not have, or with two conditions on one key.

    ``names`` are the request's ExpressionAttributeNames. Anything else that is wrong with it is found later. Source:
    "Key condition expressions for the Query operation"; messages as dynalite's suite has them of the service.
    """
    tokens = _TOKEN.findall(expression)
    conditions: Counter[str] = Counter()
    for number, token in enumerate(tokens):
        following = tokens[number + 1] if number + 1 < len(tokens) else ""
        word = token.upper()
        if word in _NO_KEY_OPERATORS:
            validation.refuse(f"Invalid operator used in KeyConditionExpression: {word}")
        if following == "(" and token in _NO_KEY_FUNCTIONS:
            validation.refuse(f"Invalid operator used in KeyConditionExpression: {token}")
        if following == "(" and token == "size":
            validation.refuse("KeyConditionExpressions cannot contain nested operations")
        if word in _COMPARISONS and number:
            before = tokens[number - 1]
            conditions[names.get(before, before) if before[0] != ":" else names.get(following, following)] += 1
        elif token == "begins_with" and following == "(" and number + 2 < len(tokens):
            conditions[names.get(tokens[number + 2], tokens[number + 2])] += 1
    if any(count > 1 for count in conditions.values()):
        validation.refuse("KeyConditionExpressions must only contain one condition per key")
