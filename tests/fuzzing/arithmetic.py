"""Sizes, units and equality as the documentation states them, written a second time: nothing of the product is used.

Pages: "DynamoDB item sizes and formats", "DynamoDB read and write operations", "Using Global Secondary Indexes in
DynamoDB", "Local secondary indexes", "Amazon DynamoDB Transactions: How it works".
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass, field
from typing import Any

Value = dict[str, Any]
Item = dict[str, Value]

MAX_ITEM = 400 * 1024
MAX_HASH, MAX_RANGE = 2048, 1024

_EXACT = decimal.Context(prec=400, Emax=999_999, Emin=-999_999)


def number(text: str) -> decimal.Decimal:
    """The number without needless zeros, exactly."""
    return _EXACT.normalize(_EXACT.create_decimal(text))


def value_bytes(value: Value) -> int:
    ((kind, content),) = value.items()
    if kind == "S":
        return len(content.encode())
    if kind == "B":
        return len(content)
    if kind == "N":
        return _number_bytes(content)
    if kind in ("BOOL", "NULL"):
        return 1
    if kind in ("SS", "NS", "BS"):
        return sum(value_bytes({kind[0]: member}) for member in content)
    if kind == "L":
        return 3 + sum(1 + value_bytes(member) for member in content)
    return 3 + sum(1 + len(name.encode()) + value_bytes(member) for name, member in content.items())


def _number_bytes(text: str) -> int:
    sign, digits, exponent = number(text).as_tuple()
    if digits == (0,):
        return 1
    lowest = int(exponent)
    highest = lowest + len(digits) - 1
    return 1 + highest // 2 - lowest // 2 + 1 + sign


def item_bytes(item: Item | None) -> int:
    return 0 if item is None else sum(len(name.encode()) + value_bytes(value) for name, value in item.items())


def same(value: Value) -> Any:
    """What two equal values share, however they are written."""
    ((kind, content),) = value.items()
    if kind == "N":
        return kind, number(content)
    if kind == "NS":
        return kind, frozenset(map(number, content))
    if kind in ("SS", "BS"):
        return kind, frozenset(content)
    if kind == "L":
        return kind, tuple(map(same, content))
    if kind == "M":
        return kind, frozenset((name, same(member)) for name, member in content.items())
    return kind, content


def same_item(item: Item | None) -> Any:
    return None if item is None else frozenset((name, same(value)) for name, value in item.items())


def order(value: Value) -> Any:
    """Sorts values of one type as the service does."""
    ((kind, content),) = value.items()
    return number(content) if kind == "N" else content.encode() if kind == "S" else content


def write_units(size: int) -> int:
    return max(1, (size + 1023) // 1024)


def read_units(size: int, factor: float) -> float:
    return max(1, (size + 4095) // 4096) * factor


@dataclass(frozen=True)
class Index:
    """A secondary index as its creation asked for it."""

    name: str
    hashes: tuple[str, ...]
    ranges: tuple[str, ...]
    projection: str
    included: tuple[str, ...] = ()
    is_local: bool = False
    types: tuple[str, ...] = ()
    """Of the keys: an item whose value is of another type is not in the index ("index key violations")."""

    @property
    def keys(self) -> tuple[str, ...]:
        return self.hashes + self.ranges

    def entry(self, item: Item | None, table_keys: tuple[str, ...]) -> Item | None:
        """What the index holds of the item."""
        for name, kind in zip(self.keys, self.types, strict=True):
            if item is None or kind not in item.get(name, ()) or item[name] in ({"S": ""}, {"B": b""}):
                return None
        if item is None or self.projection == "ALL":
            return item
        held = {*table_keys, *self.keys, *(self.included if self.projection == "INCLUDE" else ())}
        return {name: value for name, value in item.items() if name in held}

    def writes(self, before: Item | None, after: Item | None, table_keys: tuple[str, ...]) -> list[tuple[Item, int]]:
        """The writes that a write of the table makes on the index: the entry that each is about, and its units."""
        old, new = self.entry(before, table_keys), self.entry(after, table_keys)
        if old is None or new is None:
            return [(entry, write_units(item_bytes(entry))) for entry in (old, new) if entry is not None]
        if any(same(old[name]) != same(new[name]) for name in self.keys):
            return [(entry, write_units(item_bytes(entry))) for entry in (old, new)]
        if same_item(old) == same_item(new):
            return []
        return [(new, write_units(max(item_bytes(old), item_bytes(new))))]


@dataclass
class Bill:
    """Units of one side: the table's own, and each index's."""

    table: float = 0.0
    locals: dict[str, float] = field(default_factory=dict)
    globals: dict[str, float] = field(default_factory=dict)

    @property
    def on_table(self) -> float:
        return self.table + sum(self.locals.values())

    @property
    def total(self) -> float:
        return self.on_table + sum(self.globals.values())

    def add(self, other: Bill) -> None:
        self.table += other.table
        for mine, more in ((self.locals, other.locals), (self.globals, other.globals)):
            for name, units in more.items():
                mine[name] = mine.get(name, 0.0) + units


def write_bill(
    before: Item | None,
    after: Item | None,
    table_keys: tuple[str, ...],
    indexes: list[Index],
    *,
    factor: int = 1,
) -> Bill:
    """A put, an update or a delete; ``factor`` is 2 in a transaction, on the table alone."""
    bill = Bill(float(factor * write_units(max(item_bytes(before), item_bytes(after)))))
    for index in indexes:
        units = sum(units for _, units in index.writes(before, after, table_keys))
        if units:
            (bill.locals if index.is_local else bill.globals)[index.name] = float(units)
    return bill
