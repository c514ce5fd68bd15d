"""Admission and charging: every request passes here, before moto runs it and after."""

from __future__ import annotations

import base64
import dataclasses
import difflib
import json
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.exceptions import DynamodbException
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.dynamodb.models.utilities import dynamo_to_dict

from ..arguments import is_number, is_whole, shown
from ..errors import LabError
from ..model.indexes import IndexedTable, PartitionedIndex, entry_writes
from ..model.keyspace import Place, place_of
from ..model.parameters import DEFAULTS, Parameters
from ..model.partitions import Partition, PartitionedTable
from ..model.sizes import Item, item_size
from ..model.throttling import BillingMode, Refusal, Side
from ..model.units import Consistency, Consumed, Index, TableKeys, as_responses, index_entry
from . import counting
from .clock import clock
from .images import image
from .schema import Schema, schema_of
from .surroundings import REGION

Answer = tuple[int, dict[str, Any], str]
_JSON = "application/x-amz-json-1.0"
_tables: weakref.WeakKeyDictionary[Table, IndexedTable] = weakref.WeakKeyDictionary()
_parameters = DEFAULTS


class Spot(NamedTuple):
    """Where one item lives: the limits of its table and of the table's indexes, and its place among all places.

    ``keys`` are its key attributes (a key or a whole item).
    """

    table: Table
    keys: Mapping[str, Any]
    physics: IndexedTable
    schema: Schema
    place: Place

    @property
    def partition(self) -> Partition:
        """The partition that holds the item now."""
        return self.physics.table.partition_at(self.place)


class CollectionFull(DynamodbException):
    """The service's ItemCollectionSizeLimitExceededException: 10 GB under a local secondary index."""

    def __init__(self) -> None:
        super().__init__(
            "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException", "Collection size exceeded."
        )


class Refused(Exception):
    """The model refused the request; carried out of moto's code to the gate."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal

    def as_answer(self) -> Answer:
        """The service's HTTP answer."""
        return as_answer(self.refusal.as_error(), 400)


def as_answer(body: Mapping[str, Any], status: int = 200) -> Answer:
    """What moto's handlers may answer with: status, headers and JSON.

    moto's own way there asks of each value whether it is of each of ten types, which is most of the time of a Query.
    """
    return status, {"status": status, "content-type": _JSON}, json.dumps(body, default=_encoded)


def _encoded(value: Any) -> Any:
    if isinstance(value, DynamoType):
        return dynamo_to_dict(value)
    return base64.b64encode(value).decode()


# --- the numbers of the model -------------------------------------------------------------------------------


def parameters() -> Parameters:
    """Return the numbers that tables made from now on follow."""
    return _parameters


def use(chosen: Parameters) -> None:
    """Let tables made from now on follow these numbers."""
    global _parameters
    _parameters = chosen


def chosen(given: Mapping[str, Any]) -> Parameters:
    """Return the model's numbers with those given by name; raises LabError for an unknown name or a bad value."""
    plain = dict(given)
    fields = {each.name: each.default for each in dataclasses.fields(Parameters)}
    for name, value in given.items():
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has, for example, {', '.join(list(fields)[:3])}."
            raise LabError(f"The lab has no setting {name!r}; {hint}")
        default = fields[name]
        whole, number = default is None or isinstance(default, int), isinstance(default, float)
        if (whole or number) and not (is_whole(value) if whole else is_number(value)):
            if default is None and value is None:
                continue
            raise LabError(f"The lab's setting {name} is a {'whole ' * whole}number, not {shown(value)}.")
        if whole or number:
            plain[name] = int(value) if is_whole(value) else float(value)
    try:
        return Parameters(**plain)
    except ValueError as fault:
        raise LabError(f"The lab cannot start so: {fault}") from None


# --- tables and places --------------------------------------------------------------------------------------


def throughput_of(table: Table) -> PartitionedTable:
    """Return the limits and the load of moto's table; made when the table is first used, gone with it."""
    return physics_of(table).table


def physics_of(table: Table) -> IndexedTable:
    """Return the limits and the load of moto's table with its global indexes, as they are now on the clock."""
    now = clock.microseconds
    found = _tables.get(table)
    mode: BillingMode = "PAY_PER_REQUEST" if table.billing_mode == "PAY_PER_REQUEST" else "PROVISIONED"
    if found is None:
        local = bool(table.indexes)
        found = IndexedTable(
            PartitionedTable(table.table_arn, mode, **_units(table), local_indexes=local, parameters=_parameters)
        )
        _tables[table] = found
    found.table.provision(mode, **_units(table), now=now)
    if table.global_indexes or found.indexes:
        _follow_indexes(table, found, mode, now)
    found.settle(now)
    return found


def _units(resource: Any) -> dict[str, int]:
    given = resource.throughput or {}
    return {
        "read_units": int(given.get("ReadCapacityUnits", 0)),
        "write_units": int(given.get("WriteCapacityUnits", 0)),
    }


def _follow_indexes(table: Table, physics: IndexedTable, mode: BillingMode, now: int) -> None:
    """Let indexes come and go with moto's, and follow their units."""
    names = {index.name for index in table.global_indexes}
    for name in [name for name in physics.indexes if name not in names]:
        del physics.indexes[name]
    for index in table.global_indexes:
        known = physics.indexes.get(index.name)
        if known is not None:
            known.provision(mode, **_units(index), now=now)
            continue
        physics.indexes[index.name] = PartitionedIndex(
            f"{table.table_arn}/index/{index.name}",
            mode,
            **_units(index),
            stored_bytes=_stored_bytes(table, index.name),
            parameters=physics.table.parameters,
        )


def _stored_bytes(table: Table, name: str) -> int:
    """How much an index begins with that is made on a table with items."""
    schema = schema_of(table)
    index = schema.index(name)
    if index is None or not table.items:
        return 0
    entries = (index_entry(image(item), index, schema.keys) for item in table.all_items())
    return sum(item_size(entry) for entry in entries if entry is not None)


def spot_of(table: Table, schema: Schema, keys: Mapping[str, Any]) -> Spot:
    """Return where the item with those key attributes (a key or a whole item) lives."""
    names = schema.keys
    sort_key = () if names.sort_key is None else (keys[names.sort_key],)
    return Spot(table, keys, physics_of(table), schema, place_of((keys[names.partition_key],), sort_key))


def find_table(name: str, region: str = REGION) -> Table:
    """Return moto's table of that name in the lab's region; raises LabError, with the names there are, if none is."""
    tables = dynamodb_backends[DEFAULT_ACCOUNT_ID][region].tables
    if name not in tables:
        there = ", ".join(sorted(tables)) or "no table yet"
        raise LabError(f"The lab has no table {shown(name)} in {region}; it has {there}.")
    return tables[name]


def named(handler: Any, name: str) -> Table | None:
    """Return moto's table of that name or ARN, as the request gives it; None if there is none."""
    tables = handler.dynamodb_backend.tables
    found: Table | None = tables.get(name)
    if found is None and name.startswith("arn:"):
        found = next((table for table in tables.values() if table.table_arn == name), None)
    return found


# --- admission and charging ---------------------------------------------------------------------------------


def refusal_of(spot: Spot, side: Side, *, eventual: bool = False) -> Refusal | None:
    """Say why the model does not admit a request on this item now, for its table or, a write, for an index."""
    refusal = spot.physics.refusal(side, (spot.partition,), clock.microseconds, eventual=eventual)
    if refusal is not None:
        _count_refusal(spot.physics, refusal)
        counting.key_throttled(spot.table, None, *_key_values(spot.schema.keys, spot.keys), refusal)
    return refusal


def _key_values(names: TableKeys, keys: Mapping[str, Any]) -> tuple[Any, Any]:
    """The values of the partition key and of the sort key; None where there is no sort key."""
    return keys[names.partition_key], None if names.sort_key is None else keys[names.sort_key]


def admit(spot: Spot, side: Side, *, eventual: bool = False) -> None:
    """Raise Refused if the model does not admit a request on this item now."""
    refusal = refusal_of(spot, side, eventual=eventual)
    if refusal is not None:
        raise Refused(refusal)


def _count_refusal(physics: IndexedTable, refusal: Refusal) -> None:
    """A write that an index stopped is an event on each index that cannot keep up, and none on its table."""
    back_pressure = refusal.on_index and refusal.side == "write"
    counting.events(physics.pressures(clock.microseconds) if back_pressure else [refusal])


def admit_transaction(spots: Iterable[Spot], side: Side) -> None:
    """Raise Refused if any table does not admit a transaction on all these items now."""
    tables: dict[int, tuple[IndexedTable, dict[int, Partition]]] = {}
    for spot in spots:
        _, partitions = tables.setdefault(id(spot.physics), (spot.physics, {}))
        partitions[spot.partition.number] = spot.partition
    for physics, partitions in tables.values():
        refusal = physics.refusal(side, partitions.values(), clock.microseconds)
        if refusal is not None:
            _count_refusal(physics, refusal)
            raise Refused(dataclasses.replace(refusal, in_transaction=True))


def admit_pages(limits: PartitionedTable, partitions: Sequence[Partition], *, eventual: bool) -> None:
    """Raise Refused if a table or a global index does not admit a read of these partitions of its own now."""
    refusal = limits.refusal("read", partitions, clock.microseconds, eventual=eventual)
    if refusal is not None:
        counting.events([refusal])
        raise Refused(refusal)


def charge_pages(
    limits: PartitionedTable, partition: Partition, units: float, places: Sequence[Place], *, eventual: bool
) -> None:
    """Take what a page of Query or Scan used from one partition of a table or a global index of its own."""
    limits.charge("read", partition, units, clock.microseconds, places=places, eventual=eventual)


def charge(spot: Spot, consumed: Consumed, *, eventual: bool = False) -> None:
    """Take what a request used from its table: the table's units and its local indexes'."""
    spot.physics.table.charge(
        consumed.side,
        spot.partition,
        consumed.charged_to_table,
        clock.microseconds,
        place=spot.place,
        eventual=eventual,
    )
    counting.consumed(spot.table, consumed)
    key, sort = _key_values(spot.schema.keys, spot.keys)
    counting.key_used(spot.table, None, key, sort, consumed.side, consumed.charged_to_table)


def charge_write(spot: Spot, consumed: Consumed, before: Item | None, after: Item | None) -> None:
    """Take what a write used from the table and from each global index it reached, and enter what is stored now."""
    charge(spot, consumed)
    now, physics, schema = clock.microseconds, spot.physics, spot.schema
    more_bytes = _more_bytes(schema, before, after)
    if more_bytes:
        physics.table.store(spot.place, more_bytes, now)
    for name in consumed.global_indexes:
        index = schema.index(name)
        if index is None:
            continue
        writes = entry_writes(before, after, index, schema.keys)
        for write, entry in zip(writes, _entries(before, after, index, len(writes)), strict=True):
            physics.absorb(name, write.place, write.units, now)
            if write.more_bytes:
                physics.indexes[name].store(write.place, write.more_bytes, now)
            key, sort = _index_key_values(index, entry)
            counting.key_used(spot.table, name, key, sort, "write", write.units)


def _entries(before: Item | None, after: Item | None, index: Index, writes: int) -> Sequence[Item]:
    """The items whose entries the writes to an index are about, as :func:`entry_writes` has them in order."""
    there = [item for item in (before, after) if item is not None and index.holds(item)]
    return there[len(there) - writes :]


def _index_key_values(index: Index, item: Item) -> tuple[Any, Any]:
    key = counting.as_one([item[name] for name in index.partition_key])
    return key, counting.as_one([item[name] for name in index.sort_key]) if index.sort_key else None


def freed(table: Table, item: Any) -> None:
    """Enter that TTL deleted an item: its bytes and its index entries' are free, and nothing is charged."""
    schema, before, now = schema_of(table), image(item) or {}, clock.microseconds
    spot = spot_of(table, schema, before)
    spot.physics.table.store(spot.place, _more_bytes(schema, before, None), now)
    for index in schema.indexes:
        if index.kind == "GSI":
            for write in entry_writes(before, None, index, schema.keys):
                spot.physics.indexes[index.name].store(write.place, write.more_bytes, now)


def check_collection(spot: Spot, before: Item | None, after: Item | None) -> None:
    """Raise CollectionFull if a write would take an item collection under a local index beyond its limit."""
    table = spot.physics.table
    if not table.local_indexes:
        return
    more_bytes = _more_bytes(spot.schema, before, after)
    if more_bytes > 0 and table.collection_is_full(spot.place[0], more_bytes):
        raise CollectionFull()


def _more_bytes(schema: Schema, before: Item | None, after: Item | None) -> int:
    """How many bytes a write adds to its table, its local indexes' entries included."""
    more_bytes = _size(after) - _size(before)
    for index in schema.local_indexes:
        more_bytes += _size(index_entry(after, index, schema.keys)) - _size(index_entry(before, index, schema.keys))
    return more_bytes


def _size(item: Item | None) -> int:
    return 0 if item is None else item_size(item)


def consistency(request: Mapping[str, Any]) -> Consistency:
    """What the request's ConsistentRead asks for."""
    return "strong" if request.get("ConsistentRead") else "eventual"


def report(result: Any, detail: str, table_name: str, consumed: Consumed) -> Any:
    """Put ConsumedCapacity, or none, into moto's result of a request on one table."""
    body = result.result
    body.pop("ConsumedCapacity", None)
    body.pop("ConsumedCapacityUnits", None)
    if detail == "TOTAL" or detail == "INDEXES":
        body["ConsumedCapacity"] = consumed.as_response(table_name, detail)  # type: ignore[arg-type]
    return result


def report_tables(result: Any, detail: str, consumed: Mapping[str, Consumed], *, transactional: bool = False) -> Any:
    """As :func:`report`, for a batch or transaction: a list, one entry a table."""
    body = result.result
    body.pop("ConsumedCapacity", None)
    body.pop("ItemCollectionMetrics", None)  # empty, whether asked for or not
    if detail == "TOTAL" or detail == "INDEXES":
        body["ConsumedCapacity"] = as_responses(consumed, detail, transactional=transactional)  # type: ignore[arg-type]
    return result
