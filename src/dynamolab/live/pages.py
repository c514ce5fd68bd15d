"""Query and Scan: which items one page reads, in the service's order, and what the page costs.

moto reads every item of the table for each Query; this reads the one item collection. A page ends at ``Limit`` items
evaluated or with the item that takes it to 1 MB, before any filter (AWS Developer Guide, "Paginating table query
results").
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moto.dynamodb.exceptions import MockValidationException
from moto.dynamodb.models.dynamo_type import DynamoType, Item

from ..model.keyspace import SPACE, Place, place_of
from ..model.partitions import Partition, PartitionedTable
from ..model.sizes import PAGE_BYTES, item_size, page_size
from ..model.units import Consistency, Consumed, Index, combined, fetches_from_table, projected_names, query_page
from .images import every_item, holds, image, pick
from .metering import admit_pages, charge_pages
from .schema import Schema, schema_of
from .validation import key_fault, refuse

_SAMPLED = 16
"""Of how many items of a page a partition remembers where they were."""

_LAST = b"\xff" * 1025
"""Sorts behind every sort key."""

Filter = Callable[[Any], bool]
Page = tuple[list[Item], int, dict[str, Any] | None]


@dataclass
class Reading:
    """One page being read: what the request asks for, and what the page has cost, filled in by the functions here.

    ``limits`` returns what limits and meters a read of a table, or of one of its indexes; None if nothing does.
    ``consumed`` holds the units.
    """

    limits: Callable[[Any, Index | None], PartitionedTable | None] = lambda *what: None
    consistency: Consistency = "eventual"
    select: str | None = None
    attributes: list[str] | None = None
    consumed: Consumed = field(default_factory=lambda: Consumed("read"))

    @property
    def eventual(self) -> bool:
        """Whether the read is eventually consistent."""
        return self.consistency == "eventual"


@dataclass(frozen=True)
class _Source:
    """What is read: the table, or one of its indexes."""

    table: Any
    schema: Schema
    index: Index | None

    @property
    def partition_key(self) -> tuple[str, ...]:
        """The names by whose values the entries are placed. A local index lies where its table does."""
        if self.index is None or self.index.kind == "LSI":
            return (self.schema.keys.partition_key,)
        return self.index.partition_key

    @property
    def key_names(self) -> tuple[str, ...]:
        """All key attributes, the index's first: those that a page's last key consists of."""
        names = self.index.key_names if self.index is not None else ()
        return (*names, *(name for name in self.schema.keys.names if name not in names))

    def holds(self, item: Item) -> bool:
        return self.index is None or holds(self.index, item)

    def order(self, item: Item) -> tuple[Any, ...]:
        sort_key = self.index.sort_key if self.index is not None else ()
        return tuple(_comparable(item.attrs[name]) for name in (*sort_key, *self.schema.keys.names))

    def place(self, item: Item) -> Place:
        """The place of what is read. A local index' entries lie in their table's collection, sorted by themselves."""
        sort_key = self.schema.keys.names[1:] if self.index is None else self.index.sort_key
        if self.index is not None and self.index.kind == "LSI":
            sort_key = ()
        values = [[item.attrs[name] for name in names] for names in (self.partition_key, sort_key)]
        partition_key, sort_values = [[{value.type: value.value} for value in part] for part in values]
        return place_of(partition_key, sort_values)

    def position(self, item: Item) -> int:
        values = [item.attrs[name] for name in self.partition_key]
        return place_of([{value.type: value.value} for value in values])[0]

    def start(self, given: Mapping[str, Any], *, scan: bool = False) -> Item:
        """The ExclusiveStartKey as an item, refused unless it is a whole key of what is read; Scan has more words."""
        fault = "The provided starting key is invalid"
        if self.index is None:
            message = key_fault(self.schema, given)
            refuse(fault if message and not scan and set(given) != set(self.schema.keys.names) else None)
            refuse((f"{fault}: {message}" if scan else message) if message else None)
        elif set(given) != set(self.key_names) or any(
            self.schema.types.get(name, "") not in given[name] for name in self.key_names
        ):
            refuse(fault)
        return Item(DynamoType(given[self.schema.keys.partition_key]), None, dict(given))

    def last_key(self, item: Item) -> dict[str, Any]:
        return {name: item.attrs[name] for name in self.key_names}


def query(
    table: Any,
    reading: Reading,
    hash_key: DynamoType,
    range_comparison: str | None,
    range_objs: list[DynamoType],
    limit: int | None,
    exclusive_start_key: dict[str, Any] | None,
    scan_index_forward: bool,
    projection_expressions: list[list[str | int]] | None,
    index_name: str | None = None,
    consistent_read: bool = False,
    filter_expression: Any = None,
    hash_key_conditions: list[tuple[str, DynamoType]] | None = None,
    range_key_conditions: list[tuple[str, str, list[DynamoType]]] | None = None,
    **legacy_filters: Any,
) -> Page:
    """Stand in for moto's ``Table.query``: the same arguments and the same answer."""
    source = _source(table, index_name, consistent_read)
    wanted = dict(hash_key_conditions or [(source.partition_key[0], hash_key)])
    for name, value in wanted.items():
        _condition_type(source.schema, name, value)
    start = source.start(exclusive_start_key) if exclusive_start_key is not None else None
    if start is not None and any(start.attrs[name] != value for name, value in wanted.items()):
        refuse("The provided starting key is outside query boundaries based on provided conditions")
    index, forward = source.index, scan_index_forward is not False
    position = place_of([{value.type: value.value} for value in map(wanted.__getitem__, source.partition_key)])[0]
    limits = reading.limits(table, index)
    held = limits.partitions_of_collection(position) if limits is not None else []
    if limits is not None and len(held) == 1:
        admit_pages(limits, held, eventual=reading.eventual)
    if index is not None and index.kind == "GSI":
        candidates = [
            item
            for item in every_item(table)
            if source.holds(item) and all(item.attrs[name] == value for name, value in wanted.items())
        ]
    else:
        found = table.items.get(hash_key)
        candidates = [] if not found else list(found.values()) if table.range_key_attr else [found]
        if index is not None:
            candidates = [item for item in candidates if source.holds(item)]
    conditions = list(range_key_conditions or [])
    if not conditions and range_comparison:
        conditions = [(source.key_names[1], range_comparison, range_objs)]
    for name, comparison, operands in conditions:
        for operand in operands:
            _condition_type(source.schema, name, operand)
        candidates = [item for item in candidates if item.attrs[name].compare(comparison, operands)]
        if start is not None and not start.attrs[name].compare(comparison, operands):
            refuse("The provided starting key does not match the range key predicate")
    # moto sorts by comparing its own value objects; a key made once per item is many times faster.
    ranked = sorted(((source.order(item), item) for item in candidates), key=_rank, reverse=not forward)
    if start is not None:
        last = source.order(start)
        ranked = [entry for entry in ranked if (entry[0] > last if forward else entry[0] < last)]
    candidates = [item for _, item in ranked]
    page = _page(source, reading, candidates, limit, projection_expressions)
    reading.consumed = query_page(
        page.sizes, consistency=reading.consistency, index=index, fetched_sizes=page.fetched_sizes
    )
    if limits is not None:
        _charge_query(source, reading, limits, page, held)
    return page.answer([_legacy_query_filter(legacy_filters), filter_expression])


def scan(
    table: Any,
    reading: Reading,
    filters: dict[str, Any],
    limit: int | None,
    exclusive_start_key: dict[str, Any] | None,
    filter_expression: Any = None,
    index_name: str | None = None,
    consistent_read: bool = False,
    projection_expression: list[list[str | int]] | None = None,
    segments: tuple[int | None, int | None] = (None, None),
) -> Page:
    """Stand in for moto's ``Table.scan``: the same arguments; items come in the order of their hash positions."""
    source = _source(table, index_name, consistent_read)
    first, end = _segment(*segments)
    start = source.start(exclusive_start_key, scan=True) if exclusive_start_key is not None else None
    limits = reading.limits(table, source.index)
    ranked = [((source.position(item), *source.order(item)), item) for item in every_item(table) if source.holds(item)]
    begin = first, b""
    if start is not None:
        last = (source.position(start), *source.order(start))
        ranked = [entry for entry in ranked if entry[0] > last]
        first, begin = last[0], source.place(start)
    ranked = sorted((entry for entry in ranked if first <= entry[0][0] < end), key=_rank)
    page = _page(source, reading, [item for _, item in ranked], limit, projection_expression)
    if limits is None:
        reading.consumed = _cost(source, reading, page, range(len(page.sizes)))
    else:
        _charge_scan(source, reading, limits, page, limits.partitions_between(begin, (end - 1, _LAST)))
    return page.answer([_legacy_scan_filter(filters), filter_expression])


def _charge_query(
    source: _Source, reading: Reading, limits: PartitionedTable, page: _PageRead, held: Sequence[Partition]
) -> None:
    """Charge each partition with its share of the bytes that were read; one page is rounded once.

    An item collection that was split lies in several partitions, and only those that were read admit the page.
    """
    places = [source.place(item) for item in page.entries]
    read: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        read.setdefault(limits.partition_at(place).number, []).append(number)
    read = read or {held[0].number: []}
    if len(held) > 1:
        admit_pages(limits, [limits.partitions[number] for number in read], eventual=reading.eventual)
    total = sum(page.sizes)
    for number, items in read.items():
        share = sum(page.sizes[n] for n in items) / total if total else 1.0
        _charge(reading, limits, limits.partitions[number], reading.consumed.total * share, [places[n] for n in items])


def _charge_scan(
    source: _Source, reading: Reading, limits: PartitionedTable, page: _PageRead, searched: Iterable[Partition]
) -> None:
    """Admit and charge each partition that the page searched.

    A page that reaches the end has searched all of them, also the empty ones; one that ends early is charged where it
    read something.
    """
    places = [source.place(item) for item in page.entries]
    read: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        read.setdefault(limits.partition_at(place).number, []).append(number)
    parts = {
        partition.number: _cost(source, reading, page, read.get(partition.number, ()))
        for partition in searched
        if partition.number in read or page.last_key is None
    }
    admit_pages(limits, [limits.partitions[number] for number in parts], eventual=reading.eventual)
    for number, part in parts.items():
        _charge(reading, limits, limits.partitions[number], part.total, [places[n] for n in read.get(number, ())])
    reading.consumed = combined(parts.values(), "read")


def _cost(source: _Source, reading: Reading, page: _PageRead, items: Iterable[int]) -> Consumed:
    items = list(items)
    return query_page(
        [page.sizes[n] for n in items],
        consistency=reading.consistency,
        index=source.index,
        fetched_sizes=[page.fetched_sizes[n] for n in items] if page.fetched_sizes else (),
    )


def _charge(
    reading: Reading, limits: PartitionedTable, partition: Partition, units: float, places: Sequence[Place]
) -> None:
    # Where the units fell: some of the items are enough, evenly among all that were read.
    some = places[:: max(1, len(places) // _SAMPLED)]
    charge_pages(limits, partition, units, some, eventual=reading.eventual)


@dataclass
class _PageRead:
    """The items of one page, before its filter: their sizes in what is read, and in the table where fetched."""

    entries: list[Item]
    sizes: list[int]
    fetched_sizes: list[int]
    last_key: dict[str, Any] | None
    projection: list[list[str | int]] | None

    def answer(self, filters: Iterable[Any]) -> Page:
        kept = self.entries
        for chosen in filters:
            if chosen is not None:
                kept = [item for item in kept if chosen.expr(item)]
        if self.projection:
            kept = [project(item, self.projection) for item in kept]
        return kept, len(self.entries), self.last_key


def _page(
    source: _Source,
    reading: Reading,
    candidates: list[Item],
    limit: int | None,
    projection: list[list[str | int]] | None,
) -> _PageRead:
    if not projection and reading.attributes:
        projection = [[name] for name in reading.attributes]
    index, keys = source.index, source.schema.keys
    names = None if index is None else projected_names(index, keys)
    fetches = False
    if index is not None and index.kind == "LSI":
        requested = {str(path[0]) for path in projection} if projection else None
        if requested is not None or reading.select == "ALL_ATTRIBUTES":
            fetches = fetches_from_table(index, keys, requested)
    page = _PageRead([], [], [], None, projection)
    total = 0
    for item in candidates:
        entry = item if names is None else pick(item, names)
        content = image(entry) or {}
        page.sizes.append(item_size(content))
        if fetches:
            content, entry = image(item) or {}, item
            page.fetched_sizes.append(item_size(content))
        page.entries.append(entry)
        total += page_size(content, keys.sort_key)
        if total >= PAGE_BYTES or (limit is not None and len(page.entries) >= limit):
            # The service stops here without looking whether anything follows.
            page.last_key = source.last_key(item)
            break
    return page


def project(item: Item, paths: list[list[str | int]]) -> Item:
    """Return the item with only what the projection's paths name: names, and positions in lists.

    moto's own way makes Python's values of an item's, and back: it fails on long numbers and mixes the order of sets.
    """
    if all(len(path) == 1 for path in paths):
        return pick(item, {str(path[0]) for path in paths})
    wanted: dict[str | int, Any] = {}
    for path in paths:
        place: dict[str | int, Any] = wanted
        for step in path:
            place = place.setdefault(step, {})
    return Item(item.hash_key, item.range_key, (_chosen({"M": image(item)}, wanted) or {"M": {}})["M"])


def _chosen(value: dict[str, Any], wanted: Mapping[str | int, Any]) -> dict[str, Any] | None:
    """What is wanted of a value, nothing wanted inside it standing for all; None where there is nothing of that."""
    if not wanted:
        return value
    ((kind, content),) = value.items()
    if kind == "M":
        inside = {name: _chosen(child, wanted[name]) for name, child in content.items() if name in wanted}
        there = {name: child for name, child in inside.items() if child is not None}
        return {"M": there} if there else None
    if kind == "L":
        several = [_chosen(child, wanted[n]) for n, child in enumerate(content) if n in wanted]
        elements = [child for child in several if child is not None]
        return {"L": elements} if elements else None
    return None


def _source(table: Any, name: str | None, consistent_read: bool) -> _Source:
    schema = schema_of(table)
    if not name:
        return _Source(table, schema, None)
    index = schema.index(name)
    if index is None:
        raise MockValidationException(f"The table does not have the specified index: {name}")
    if consistent_read and index.kind == "GSI":
        raise MockValidationException("Consistent reads are not supported on global secondary indexes")
    return _Source(table, schema, index)


def _condition_type(schema: Schema, name: str, value: DynamoType) -> None:
    if schema.types.get(name, value.type) != value.type:
        raise MockValidationException(
            "One or more parameter values were invalid: Condition parameter type does not match schema type"
        )


def _segment(number: int | None, total: int | None) -> tuple[int, int]:
    if number is None or total is None:
        return 0, SPACE
    return SPACE * number // total, SPACE * (number + 1) // total


def _rank(entry: tuple[Any, Item]) -> Any:
    return entry[0]


def _comparable(value: DynamoType) -> Any:
    if value.type == "B" and isinstance(value.value, str):
        return base64.b64decode(value.value)
    return value.cast_value


class _Chosen:
    """The pre-expression filters (QueryFilter, ScanFilter) in the shape of moto's compiled expressions."""

    def __init__(self, chosen: Filter) -> None:
        self.expr = chosen


def _legacy_query_filter(filters: dict[str, Any]) -> _Chosen | None:
    if not filters:
        return None
    return _legacy_scan_filter(
        {
            name: (rule["ComparisonOperator"], [DynamoType(value) for value in rule.get("AttributeValueList", [])])
            for name, rule in filters.items()
        }
    )


def _legacy_scan_filter(filters: dict[str, Any]) -> _Chosen | None:
    if not filters:
        return None

    def passes(item: Item) -> bool:
        for name, (comparison, operands) in filters.items():
            attribute = item.attrs.get(name)
            if attribute is None:
                if comparison != "NULL":
                    return False
            elif comparison == "NULL" or not attribute.compare(comparison, operands):
                return False
        return True

    return _Chosen(passes)
