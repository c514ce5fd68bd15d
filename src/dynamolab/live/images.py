"""moto's stored items, seen as the model sees them: plain DynamoDB JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from moto.dynamodb.models.dynamo_type import DynamoType, Item

from ..model.units import Index

Image = dict[str, dict[str, Any]]
"""An item in DynamoDB JSON: attribute name to ``{type: value}``."""


def image(item: Item | None) -> Image | None:
    """Return a stored item as DynamoDB JSON (None for a missing one). It shares no container with moto's own copy."""
    return None if item is None else {name: plain(value) for name, value in item.attrs.items()}


def plain(value: DynamoType) -> dict[str, Any]:
    """Return one of moto's values as DynamoDB JSON."""
    content = value.value
    if value.type == "M":
        content = {name: plain(child) for name, child in content.items()}
    elif value.type == "L":
        content = [plain(child) for child in content]
    elif isinstance(content, list):
        content = list(content)
    return {value.type: content}


def stored(table: Any, keys: Mapping[str, Any]) -> Item | None:
    """Return moto's item under the table's keys (taken from ``keys``, an item or a key), or None.

    Looks without moto's own ``get_item``, which leaves an empty collection behind for each miss.
    """
    found = table.items.get(DynamoType(keys[table.hash_key_attr]))
    if found is None or table.range_key_attr is None:
        return found  # type: ignore[no-any-return]
    return found.get(DynamoType(keys[table.range_key_attr]))  # type: ignore[no-any-return]


def restore(table: Any, keys: Mapping[str, Any], before: Image | None) -> None:
    """Put an item back as it was: moto changes it attribute by attribute before it finds a fault."""
    hash_value = DynamoType(keys[table.hash_key_attr])
    range_value = DynamoType(keys[table.range_key_attr]) if table.range_key_attr else None
    if before is not None:
        item = Item(hash_value, range_value, before)
        if range_value is None:
            table.items[hash_value] = item
        else:
            table.items[hash_value][range_value] = item
    elif range_value is None:
        table.items.pop(hash_value, None)
    else:
        table.items.get(hash_value, {}).pop(range_value, None)


def plain_numbers(content: Mapping[str, Any]) -> None:
    """Write the numbers in DynamoDB JSON as the service does, in place: ``00012.3400`` is 12.34 and ``1E2`` is 100."""
    for value in content.values():
        _plain_number(value)


def _plain_number(value: dict[str, Any]) -> None:
    for kind, inner in value.items():
        if kind == "N":
            value[kind] = _written(inner)
        elif kind == "NS":
            value[kind] = [_written(number) for number in inner]
        elif kind == "M":
            plain_numbers(inner)
        elif kind == "L":
            for element in inner:
                _plain_number(element)


def _written(number: str) -> str:
    if number.isdigit() and number[0] != "0":
        return number
    plain = f"{Decimal(number):f}"
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    sign, digits = ("-", plain[1:]) if plain[0] == "-" else ("", plain)
    digits = digits.lstrip("0")
    if digits in ("", "."):
        return "0"
    return sign + ("0" if digits[0] == "." else "") + digits


def tidy(value: Any) -> None:
    """Write what moto computed in an update as the service does: numbers plain, and sets in an order of their own.

    ``value`` is moto's stored value or one in DynamoDB JSON; it is changed in place. moto adds to sets as Python's,
    whose order is another in each process.
    """
    if isinstance(value, DynamoType):
        kind, inner = value.type, value.value
        value.value = inner = _tidied(kind, inner)
    else:
        ((kind, inner),) = value.items()
        value[kind] = inner = _tidied(kind, inner)
    for child in inner.values() if kind == "M" else inner if kind == "L" else ():
        tidy(child)


def _tidied(kind: str, inner: Any) -> Any:
    if kind == "N":
        return _written(inner)
    if kind == "NS":
        return sorted(map(_written, inner), key=Decimal)
    if kind == "BS":
        return sorted(inner, key=lambda member: base64.b64decode(member) if isinstance(member, str) else member)
    return sorted(inner) if kind == "SS" else inner


def pick(item: Item, names: Iterable[str]) -> Item:
    """A copy of the item that holds only these top-level attributes, in the item's order."""
    names = frozenset(names)
    copy = Item(item.hash_key, item.range_key, {})
    for name, value in item.attrs.items():
        if name in names:
            dict.__setitem__(copy.attrs, name, value)
    return copy


def holds(index: Index, item: Item) -> bool:
    """Whether one of moto's items is in the index."""
    there = {name: item.attrs[name] for name in index.key_names if name in item.attrs}
    return index.holds({name: {value.type: value.value} for name, value in there.items()})


def every_item(table: Any) -> Iterator[Item]:
    """Return all of moto's items of the table, in no order that means anything."""
    for found in table.items.values():
        if table.range_key_attr:
            yield from found.values()
        else:
            yield found
