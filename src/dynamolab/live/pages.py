"""Query and Scan: which items one page reads, in the service's order, so that the page can be charged.

moto reads every item of the table for each Query; this reads the one item collection. A page ends at ``Limit`` items
evaluated or before the item that would take it over 1 MB, before any filter (AWS Developer Guide, "Paginating table
query results").
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

from moto.dynamodb.exceptions import MockValidationException
from moto.dynamodb.models.dynamo_type import DynamoType, Item

from ..model.keyspace import SPACE, position
from ..model.sizes import item_size
from .images import image

PAGE_BYTES = 1_048_576
"""The most that one page of a Query or Scan reads ("Quotas in Amazon DynamoDB")."""

Pick = Callable[[Any], bool]
Page = tuple[list[Item], int, dict[str, Any] | None]


class Reading:
    """What the page being read has cost so far: filled by the functions here, read by the gate."""

    def __init__(self, before: Callable[[Any, str | None, dict[str, Any] | None], None]) -> None:
        self.before = before
        self.bytes_by_position: dict[int, int] = {}

    @property
    def bytes(self) -> int:
        """All bytes evaluated, filtered items included."""
        return sum(self.bytes_by_position.values())


def query(
    table: Any,
    reading: Reading,
    hash_key: DynamoType,
    range_comparison: str | None,
    range_objs: list[DynamoType],
    limit: int | None,
    exclusive_start_key: dict[str, Any] | None,
    scan_index_forward: bool,
    projection_expressions: list[list[str]] | None,
    index_name: str | None = None,
    consistent_read: bool = False,
    filter_expression: Any = None,
    hash_key_conditions: list[tuple[str, DynamoType]] | None = None,
    range_key_conditions: list[tuple[str, str, list[DynamoType]]] | None = None,
    **legacy_filters: Any,
) -> Page:
    """Stand in for moto's ``Table.query``: the same arguments and the same answer."""
    index = _index(table, index_name, consistent_read)
    if index is None:
        reading.before(table, None, {hash_key.type: hash_key.value})
        found = table.items.get(hash_key)
        candidates = [] if found is None else list(found.values()) if table.range_key_attr else [found]
    else:
        reading.before(table, index_name, None)
        wanted = dict(hash_key_conditions or [])
        candidates = [
            item
            for item in _all(table)
            if all(name in item.attrs for name in _names(index))
            and all(item.attrs[name] == value for name, value in wanted.items())
        ]
    conditions = list(range_key_conditions or [])
    if not conditions and range_comparison:
        conditions = [(_names(index)[-1] if index else table.range_key_attr, range_comparison, range_objs)]
    for name, comparison, operands in conditions:
        candidates = [item for item in candidates if item.attrs[name].compare(comparison, operands)]
    # moto sorts by comparing its own value objects; a key made once per item is many times faster.
    candidates.sort(key=lambda item: _order(table, index, item), reverse=scan_index_forward is False)
    if exclusive_start_key is not None:
        candidates = list(_after(table, index, candidates, exclusive_start_key, scan_index_forward is not False))
    legacy = _legacy_pick(legacy_filters)
    return _page(table, index, reading, candidates, limit, [legacy, filter_expression], projection_expressions)


def scan(
    table: Any,
    reading: Reading,
    filters: dict[str, Any],
    limit: int | None,
    exclusive_start_key: dict[str, Any] | None,
    filter_expression: Any = None,
    index_name: str | None = None,
    consistent_read: bool = False,
    projection_expression: list[list[str]] | None = None,
    segments: tuple[int | None, int | None] = (None, None),
) -> Page:
    """Stand in for moto's ``Table.scan``: the same arguments; items come in the order of their hash positions."""
    index = _index(table, index_name, consistent_read)
    reading.before(table, index_name, None)
    candidates = [item for item in _all(table) if all(name in item.attrs for name in _names(index))]
    places = {id(item): _place(item, _hash_name(table, index)) for item in candidates}
    segment, total = segments
    if segment is not None and total is not None:
        candidates = [item for item in candidates if places[id(item)] * total // SPACE == segment]

    def rank(item: Item) -> tuple[Any, ...]:
        return (places[id(item)], *_order(table, index, item))

    candidates.sort(key=rank)
    if exclusive_start_key is not None:
        start = Item(DynamoType(exclusive_start_key[table.hash_key_attr]), None, exclusive_start_key)
        last = (_place(start, _hash_name(table, index)), *_order(table, index, start))
        candidates = [item for item in candidates if rank(item) > last]
    legacy = _scan_pick(filters)
    return _page(table, index, reading, candidates, limit, [legacy, filter_expression], projection_expression)


def _page(
    table: Any,
    index: Any,
    reading: Reading,
    candidates: list[Item],
    limit: int | None,
    filters: list[Any],
    projection: list[list[str]] | None,
) -> Page:
    read: list[Item] = []
    total = 0
    last_evaluated_key = None
    hash_name = _hash_name(table, index)
    for item in candidates:
        entry = item if index is None else index.project(item)
        size = item_size(image(entry) or {})
        if read and total + size > PAGE_BYTES:
            last_evaluated_key = table._get_last_evaluated_key(read[-1], index.name if index else None)
            break
        read.append(item)
        total += size
        place = _place(item, hash_name)
        reading.bytes_by_position[place] = reading.bytes_by_position.get(place, 0) + size
        if limit is not None and len(read) >= limit:
            # The service stops here without looking whether anything follows.
            last_evaluated_key = table._get_last_evaluated_key(item, index.name if index else None)
            break
    kept = read if index is None else [index.project(item) for item in read]
    for chosen in filters:
        if chosen is not None:
            kept = [item for item in kept if chosen.expr(item)]
    if projection:
        kept = [item.project(projection) for item in kept]
    return kept, len(read), last_evaluated_key


def _index(table: Any, name: str | None, consistent_read: bool) -> Any:
    if not name:
        return None
    for index in table.all_indexes():
        if index.name == name:
            if consistent_read and index in table.global_indexes:
                raise MockValidationException("Consistent reads are not supported on global secondary indexes")
            return index
    raise MockValidationException(f"The table does not have the specified index: {name}")


def _names(index: Any) -> list[str]:
    return [] if index is None else [part["AttributeName"] for part in index.schema]


def _hash_name(table: Any, index: Any) -> str:
    return table.hash_key_attr if index is None else _names(index)[0]


def _all(table: Any) -> Iterator[Item]:
    for found in table.items.values():
        if table.range_key_attr:
            yield from found.values()
        else:
            yield found


def _place(item: Item, hash_name: str) -> int:
    value = item.attrs[hash_name]
    return position({value.type: value.value})


def _order(table: Any, index: Any, item: Item) -> tuple[Any, ...]:
    names = [*_names(index)[1:], table.hash_key_attr, table.range_key_attr]
    return tuple(_comparable(item.attrs[name]) for name in names if name)


def _comparable(value: DynamoType) -> Any:
    if value.type == "B" and isinstance(value.value, str):
        return base64.b64decode(value.value)
    return value.cast_value


def _after(table: Any, index: Any, ordered: list[Item], start: dict[str, Any], forward: bool) -> Iterator[Item]:
    last = _order(table, index, Item(DynamoType(start[table.hash_key_attr]), None, start))
    for item in ordered:
        here = _order(table, index, item)
        if here > last if forward else here < last:
            yield item


class _Chosen:
    """The pre-expression filters (QueryFilter, ScanFilter) in the shape of moto's compiled expressions."""

    def __init__(self, pick: Pick) -> None:
        self.expr = pick


def _legacy_pick(filters: dict[str, Any]) -> _Chosen | None:
    if not filters:
        return None
    wanted = {
        name: (rule["ComparisonOperator"], [DynamoType(value) for value in rule.get("AttributeValueList", [])])
        for name, rule in filters.items()
    }
    return _Chosen(
        lambda item: all(
            name in item.attrs and item.attrs[name].compare(comparison, operands)
            for name, (comparison, operands) in wanted.items()
        )
    )


def _scan_pick(filters: dict[str, Any]) -> _Chosen | None:
    if not filters:
        return None

    def passes(item: Item) -> bool:
        for name, (comparison, operands) in filters.items():
            attribute = item.attrs.get(name)
            if attribute is None:
                if comparison != "NULL":
                    return False
            elif not attribute.compare(comparison, operands):
                return False
        return True

    return _Chosen(passes)
