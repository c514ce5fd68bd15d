"""moto's stored items, seen as the model sees them: plain DynamoDB JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.dynamodb.models.dynamo_type import DynamoType, Item

Image = dict[str, dict[str, Any]]
"""An item in DynamoDB JSON: attribute name to ``{type: value}``."""


def image(item: Item | None) -> Image | None:
    """Return a stored item as DynamoDB JSON (None for a missing one). It shares no container with moto's own copy."""
    return None if item is None else {name: _plain(value) for name, value in item.attrs.items()}


def _plain(value: DynamoType) -> dict[str, Any]:
    content = value.value
    if value.type == "M":
        content = {name: _plain(child) for name, child in content.items()}
    elif value.type == "L":
        content = [_plain(child) for child in content]
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
