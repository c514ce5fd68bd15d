"""A table's keys and indexes, from moto's Table to the model's words."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from moto.dynamodb.models.table import Table

from ..model.units import Index, TableKeys


@dataclass(frozen=True)
class Schema:
    """The keys of a table, the type of every key attribute, and the indexes in the order of their names."""

    keys: TableKeys
    types: Mapping[str, str]
    indexes: tuple[Index, ...]

    @cached_property
    def local_indexes(self) -> tuple[Index, ...]:
        """The local secondary indexes: their entries share the item's 400 KB and its partition."""
        return tuple(index for index in self.indexes if index.kind == "LSI")

    def index(self, name: str) -> Index | None:
        """Return the index of that name, None if the table has none."""
        return next((index for index in self.indexes if index.name == name), None)


_known: weakref.WeakKeyDictionary[Table, tuple[Any, Any, Schema]] = weakref.WeakKeyDictionary()


def schema_of(table: Table) -> Schema:
    """Return the table's keys and indexes as they are now.

    moto replaces its list of global indexes and its attribute definitions with each change of them, so the schema is
    made once for each pair of lists.
    """
    known = _known.get(table)
    if known is not None and known[0] is table.global_indexes and known[1] is table.attr:
        return known[2]
    types = {entry["AttributeName"]: entry["AttributeType"] for entry in table.attr}
    schema = Schema(
        TableKeys(table.hash_key_attr, table.range_key_attr),
        types,
        tuple(
            sorted(
                [_index(index, "GSI", types) for index in table.global_indexes]
                + [_index(index, "LSI", types) for index in table.indexes],
                key=lambda index: index.name,
            )
        ),
    )
    _known[table] = (table.global_indexes, table.attr, schema)
    return schema


def _index(index: Any, kind: Literal["GSI", "LSI"], types: Mapping[str, str]) -> Index:
    keys = {"HASH": [], "RANGE": []}  # type: dict[str, list[str]]
    for part in index.schema:
        keys[part["KeyType"]].append(part["AttributeName"])
    projection = index.projection or {}
    return Index(
        index.name,
        kind,
        tuple(keys["HASH"]),
        tuple(keys["RANGE"]),
        projection.get("ProjectionType", "ALL"),
        tuple(projection.get("NonKeyAttributes", ())),
        tuple(types[name] for name in (*keys["HASH"], *keys["RANGE"])),
    )
