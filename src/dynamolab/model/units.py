"""How many read and write units an operation consumes, on its table and on each of its indexes.

The rules follow the AWS Developer Guide, page "DynamoDB read and write operations", with the pages "Using
Global Secondary Indexes in DynamoDB" and "Local secondary indexes" for indexes and "Amazon DynamoDB
Transactions: How it works" for transactions. All is arithmetic over images: the item before a write and
after it, None where there is no item. A projection, a filter, ``Select=COUNT`` and ``ReturnValues``
change nothing and therefore appear nowhere. Storage's 100 bytes of overhead per item are not throughput
and are not counted.

PartiQL statements cost what the operation costs that they stand for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from .sizes import Item, canonical, check_index_key_value, check_key_value, item_size

WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096

Consistency: TypeAlias = Literal["eventual", "strong", "transactional"]
Side: TypeAlias = Literal["read", "write"]
Detail: TypeAlias = Literal["TOTAL", "INDEXES"]
Images: TypeAlias = tuple[Item | None, Item | None]
"""What a write replaces and what it leaves: (before, after), None for no item."""

_READ_FACTOR: dict[Consistency, float] = {"eventual": 0.5, "strong": 1.0, "transactional": 2.0}
_TRANSACTION_FACTOR = 2


def write_units(size_bytes: int) -> int:
    """Write units of one write of ``size_bytes``: one for every started KB, at least 1.

    Source: "DynamoDB read and write operations".
    """
    return max(1, -(-size_bytes // WRITE_UNIT_BYTES))


def read_units(size_bytes: int, *, consistency: Consistency = "eventual") -> float:
    """Read units of one read of ``size_bytes``: one for every started 4 KB, at least 1.

    That is a strongly consistent read; an eventually consistent one costs half, a transactional one twice.
    Source: "DynamoDB read and write operations".
    """
    return max(1, -(-size_bytes // READ_UNIT_BYTES)) * _READ_FACTOR[consistency]


# --- keys and indexes ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The names of a table's partition key and, if it has one, its sort key."""

    partition_key: str
    sort_key: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The key attributes' names, partition key first."""
        return (self.partition_key,) if self.sort_key is None else (self.partition_key, self.sort_key)


@dataclass(frozen=True, slots=True)
class Index:
    """A secondary index: its keys (of a global one, up to four attributes in each) and its projection."""

    name: str
    kind: Literal["GSI", "LSI"]
    partition_key: tuple[str, ...]
    sort_key: tuple[str, ...] = ()
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = "ALL"
    included: tuple[str, ...] = ()
    key_types: tuple[str, ...] = ()
    """The types of :attr:`key_names`; none: whatever the item has."""

    def holds(self, item: Item) -> bool:
        """Whether the item is in the index: it has all its keys, of the index's types and not empty.

        An item that is there before its index may have others ("Detecting and correcting index key violations").
        """
        for place, name in enumerate(self.key_names):
            value = item.get(name)
            if value is None or (self.key_types and self.key_types[place] not in value):
                return False
            if self.key_types and not next(iter(value.values())):
                return False
        return True

    @property
    def key_names(self) -> tuple[str, ...]:
        """The index key attributes' names, partition key first."""
        return self.partition_key + self.sort_key


@lru_cache(maxsize=1024)
def projected_names(index: Index, table_keys: TableKeys) -> frozenset[str] | None:
    """The attributes that the index holds: table keys, index keys, included ones. None stands for all."""
    if index.projection == "ALL":
        return None
    included = index.included if index.projection == "INCLUDE" else ()
    return frozenset(table_keys.names + index.key_names + included)


def index_entry(item: Item | None, index: Index, table_keys: TableKeys) -> Item | None:
    """What the index holds of the item, or None: an item that lacks one of the index keys is not in it.

    Source: "Using Global Secondary Indexes in DynamoDB" and "Local secondary indexes".
    """
    if item is None or not index.holds(item):
        return None
    names = projected_names(index, table_keys)
    if names is None:
        return item
    return {name: value for name, value in item.items() if name in names}


def fetches_from_table(index: Index, table_keys: TableKeys, requested: Collection[str] | None) -> bool:
    """Whether reading the requested top-level attributes (None: all) needs more than the index holds.

    Through a local index the service then reads every whole item from the table as well; through a global
    one it refuses. Source: "Local secondary indexes".
    """
    held = projected_names(index, table_keys)
    return held is not None and (requested is None or not held.issuperset(requested))


def check_keys(item: Item, table_keys: TableKeys, indexes: Iterable[Index] = ()) -> str | None:
    """The service's message for the first key attribute of the item that is empty or too long, or None.

    Only attributes that are present are looked at, so a bare key may be passed too. Limits as in
    :func:`dynamolab.model.sizes.check_key_value`.
    """
    for name in table_keys.names:
        if name in item:
            message = check_key_value(name, item[name], sort_key=name == table_keys.sort_key)
            if message is not None:
                return message
    for index in indexes:
        for name in index.key_names:
            if name in item:
                message = check_index_key_value(index.name, name, item[name], sort_key=name in index.sort_key)
                if message is not None:
                    return message
    return None


# --- what was consumed --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Consumed:
    """Units that one or more operations consumed on one side of one table, split by where they were spent.

    An index that was not charged is absent. Values of one side add up with ``+``.
    """

    side: Side
    table: float = 0.0
    global_indexes: Mapping[str, float] = field(default_factory=dict)
    local_indexes: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Units of the table and of all its indexes: ``CapacityUnits``."""
        return self.charged_to_table + sum(self.global_indexes.values())

    @property
    def charged_to_table(self) -> float:
        """Units that the table's capacity pays: its own and its local indexes', not its global indexes'."""
        return self.table + sum(self.local_indexes.values())

    def __add__(self, other: Consumed) -> Consumed:
        if self.side != other.side:
            raise ValueError(f"{self.side} units and {other.side} units do not add up")
        return Consumed(
            self.side,
            self.table + other.table,
            _added(self.global_indexes, other.global_indexes),
            _added(self.local_indexes, other.local_indexes),
        )

    def as_response(self, table_name: str, detail: Detail = "TOTAL", *, transactional: bool = False) -> dict[str, Any]:
        """The ``ConsumedCapacity`` member of a response, for one table.

        ``table_name`` is the name or ARN that the caller gave. ``INDEXES`` adds the table's part and the
        indexes that were charged; a transaction says beside each number of units which side it is of.
        Source: API Reference, "ConsumedCapacity".
        """

        def capacity(units: float) -> dict[str, Any]:
            shown = {"CapacityUnits": float(units)}
            if transactional:
                shown[f"{self.side.capitalize()}CapacityUnits"] = float(units)
            return shown

        response = {"TableName": table_name, **capacity(self.total)}
        if detail == "INDEXES":
            response["Table"] = capacity(self.table)
            for member, indexes in (
                ("LocalSecondaryIndexes", self.local_indexes),
                ("GlobalSecondaryIndexes", self.global_indexes),
            ):
                if indexes:
                    response[member] = {name: capacity(units) for name, units in indexes.items()}
        return response


def combined(parts: Iterable[Consumed], side: Side) -> Consumed:
    """The sum of the parts, zero if there are none. Raises ``ValueError`` for a part of the other side."""
    return sum(parts, start=Consumed(side))


def as_responses(
    consumed: Mapping[str, Consumed], detail: Detail = "TOTAL", *, transactional: bool = False
) -> list[dict[str, Any]]:
    """``ConsumedCapacity`` of a batch or transaction: one entry per table, in the order of the mapping."""
    return [
        units.as_response(table_name, detail, transactional=transactional) for table_name, units in consumed.items()
    ]


def _added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}


# --- reads --------------------------------------------------------------------------------------------------


def get_item(item: Item | None, *, consistency: Consistency = "eventual") -> Consumed:
    """Units of GetItem; a missing item costs the minimum.

    With ``transactional``, units of one Get of TransactGetItems. Source: "DynamoDB read and write
    operations".
    """
    return Consumed("read", read_units(_size(item), consistency=consistency))


def batch_get_item(items: Iterable[Item | None], *, consistency: Consistency = "eventual") -> Consumed:
    """Units of BatchGetItem: each item is rounded by itself, each missing one costs the minimum.

    With ``transactional``, units of TransactGetItems. Source: "DynamoDB read and write operations".
    """
    return combined((get_item(item, consistency=consistency) for item in items), "read")


def query_page(
    sizes: Iterable[int],
    *,
    consistency: Consistency = "eventual",
    index: Index | None = None,
    fetched_sizes: Iterable[int] = (),
) -> Consumed:
    """Units of one page of Query: the sizes of all that was read are summed, then rounded once.

    ``sizes`` are bytes of the items evaluated, before any filter; on an index, of its entries.
    ``fetched_sizes`` are bytes of the whole items that a local index had to fetch from the table
    (:func:`fetches_from_table`): each is rounded by itself and charged to the table. Nothing read costs
    the minimum. Raises ``ValueError`` for what the service does not have: a strongly consistent read of a
    global index, a fetch without a local one. Source: "DynamoDB read and write operations", "Local
    secondary indexes".
    """
    fetched = [read_units(size, consistency=consistency) for size in fetched_sizes]
    if index is not None and index.kind == "GSI" and consistency != "eventual":
        raise ValueError(f"{index.name} is a global secondary index: reads of it are eventually consistent")
    if fetched and (index is None or index.kind != "LSI"):
        raise ValueError("only a local secondary index fetches items from its table")
    units = read_units(sum(sizes), consistency=consistency)
    if index is None:
        return Consumed("read", units)
    if index.kind == "GSI":
        return Consumed("read", global_indexes={index.name: units})
    return Consumed("read", float(sum(fetched)), local_indexes={index.name: units})


def scan_page(
    partitions: Iterable[Iterable[int]],
    *,
    consistency: Consistency = "eventual",
    index: Index | None = None,
) -> Consumed:
    """Units of one page of Scan: every partition that it searches is charged like a page of Query.

    ``partitions`` are the bytes of the items evaluated in each partition searched, an empty one included:
    it costs the minimum. So an empty table of four partitions costs 2 units, and a table of one partition
    costs what Query would. Source: "DynamoDB read and write operations"; the page states the charge for
    each partition searched, the rounding within each is what published measurements show.
    """
    return combined((query_page(sizes, consistency=consistency, index=index) for sizes in partitions), "read")


# --- writes -------------------------------------------------------------------------------------------------


def write_item(
    before: Item | None,
    after: Item | None,
    table_keys: TableKeys | None = None,
    indexes: Iterable[Index] = (),
) -> Consumed:
    """Units of PutItem, UpdateItem or DeleteItem: the larger image, rounded up, and those of each index.

    A put replaces ``before`` by ``after``; an update changes it into ``after`` and pays for the whole
    item; a delete has no ``after``, and costs the minimum if it has no ``before`` either. A write that
    changes nothing is charged on the table all the same. ``table_keys`` is needed only with indexes
    (``ValueError`` without). Source: "DynamoDB read and write operations".
    """
    global_indexes: dict[str, float] = {}
    local_indexes: dict[str, float] = {}
    for index in indexes:
        if table_keys is None:
            raise ValueError("the cost of an index depends on the table's keys: pass table_keys")
        units = index_write_units(before, after, index, table_keys)
        if units:
            (global_indexes if index.kind == "GSI" else local_indexes)[index.name] = float(units)
    return Consumed("write", _larger_units(before, after), global_indexes, local_indexes)


def index_write_units(before: Item | None, after: Item | None, index: Index, table_keys: TableKeys) -> int:
    """Write units that a write of the table costs on one index.

    An entry that appears or disappears is written once; one whose index key changes is deleted and put,
    two writes; one that changes otherwise is written once, at the larger of both sizes; one that stays
    the same, or is on neither side, costs nothing. Source: "Using Global Secondary Indexes in DynamoDB",
    "Local secondary indexes".
    """
    old, new = index_entry(before, index, table_keys), index_entry(after, index, table_keys)
    if old is None or new is None:
        return 0 if old is new else _larger_units(old, new)
    if not _equal(old, new, index.key_names):
        return write_units(item_size(old)) + write_units(item_size(new))
    if old.keys() == new.keys() and _equal(old, new, old):
        return 0
    return _larger_units(old, new)


def failed_condition(existing: Item | None, attempted: Item | None = None) -> Consumed:
    """Units of a write whose condition failed: charged on the table as if it had been done, on no index.

    ``attempted`` is the item that would have been written, where it is known: the larger of both counts.
    Without an existing item the minimum is charged. The error carries no ``ConsumedCapacity``. Source:
    "DynamoDB read and write operations".
    """
    return Consumed("write", _larger_units(existing, attempted))


def batch_write_item(
    writes: Iterable[Images], table_keys: TableKeys | None = None, indexes: Collection[Index] = ()
) -> Consumed:
    """Units of BatchWriteItem on one table: each put and each delete costs what it costs alone.

    Source: "DynamoDB read and write operations".
    """
    return combined((write_item(*images, table_keys, indexes) for images in writes), "write")


# --- transactions -------------------------------------------------------------------------------------------


def transactional(consumed: Consumed) -> Consumed:
    """A write's units inside a transaction: twice its part on the table; indexes are written once, as ever.

    Source: "Amazon DynamoDB Transactions: How it works"; for the indexes, published measurements.
    """
    return Consumed(
        consumed.side,
        consumed.table * _TRANSACTION_FACTOR,
        consumed.global_indexes,
        consumed.local_indexes,
    )


def condition_check(item: Item | None) -> Consumed:
    """Units of a ConditionCheck of TransactWriteItems: those of a transactional write of the checked item.

    They are write units, although nothing is written. Source: published measurements; "Amazon DynamoDB
    Transactions: How it works" gives no number.
    """
    return transactional(write_item(item, item))


def transact_write_items(
    writes: Iterable[Images],
    checks: Iterable[Item | None] = (),
    table_keys: TableKeys | None = None,
    indexes: Collection[Index] = (),
) -> Consumed:
    """Units of TransactWriteItems on one table: its puts, updates and deletes, and its checked items.

    Source: "Amazon DynamoDB Transactions: How it works".
    """
    written = [transactional(write_item(*images, table_keys, indexes)) for images in writes]
    return combined([*written, *map(condition_check, checks)], "write")


def cancelled_action(existing: Item | None) -> Consumed:
    """Units of one action of a cancelled TransactWriteItems: twice those of the existing item, on no index.

    The attempted item does not count. Source: published measurements; "Amazon DynamoDB Transactions: How
    it works" says only that a cancelled transaction consumes units.
    """
    return transactional(failed_condition(existing))


def replayed_transaction(actions: Iterable[Images]) -> Consumed:
    """Units of TransactWriteItems repeated with its token within ten minutes: transactional reads.

    ``actions`` are the images of the original call, whatever became of the items since (a
    ConditionCheck has its item on both sides); the larger image counts. Source: "Amazon DynamoDB
    Transactions: How it works".
    """
    return combined(
        (
            Consumed("read", read_units(max(_size(before), _size(after)), consistency="transactional"))
            for before, after in actions
        ),
        "read",
    )


def replicated_write_units(consumed: Consumed, regions: int) -> tuple[float, float]:
    """Units of a write to a global table in ``regions`` regions, as (replicated, ordinary) write units.

    The table pays replicated units in every region, the writing one included; its global indexes pay
    ordinary ones in every region. Source: "Understanding Amazon DynamoDB billing for global tables".
    """
    return consumed.charged_to_table * regions, sum(consumed.global_indexes.values()) * regions


def _size(item: Item | None) -> int:
    return 0 if item is None else item_size(item)


def _larger_units(one: Item | None, other: Item | None) -> int:
    return write_units(max(_size(one), _size(other)))


def _equal(one: Item, other: Item, names: Iterable[str]) -> bool:
    """Whether both items hold equal values under all the names, however those are spelled."""
    return all(one[name] == other[name] or canonical(one[name]) == canonical(other[name]) for name in names)
