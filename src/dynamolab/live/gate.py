"""The gate in front of moto: each request is admitted or refused by the model, and charged what it really used.

moto owns the API, the gate owns the limit. For each request on items: which partitions does it touch; does the model
admit it now; if not, answer with the service's error and change nothing; if so, let moto run it and charge the images
before and after. ``ReturnConsumedCapacity`` is answered by the gate alone.
"""

from __future__ import annotations

import functools
import json
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.exceptions import ConditionalCheckFailed, MockValidationException
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler

from ..errors import LabError
from ..model import sizes
from ..model.partitions import Partition, PartitionedTable
from ..model.throttling import BillingMode, Refusal, Side
from ..model.units import read_units, write_units
from . import pages
from .clock import clock
from .images import Image, image, stored
from .isolation import REGION

_BATCH_WRITE_ITEMS = 25
_tables: weakref.WeakKeyDictionary[Table, PartitionedTable] = weakref.WeakKeyDictionary()
# moto is not made for threads; a learner who reads shards from a pool of threads must not meet that.
_lock = threading.RLock()
_originals: dict[tuple[Any, str], Any] = {}
_reading: pages.Reading | None = None


class Refused(Exception):
    """The model refused the request; carried out of moto's code to the gate."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def throughput_of(table: Table) -> PartitionedTable:
    """Return the limits and the load of moto's table; made when the table is first used, gone with it."""
    mode: BillingMode = "PAY_PER_REQUEST" if table.billing_mode == "PAY_PER_REQUEST" else "PROVISIONED"
    units = {
        "read_units": int(table.throughput.get("ReadCapacityUnits", 0)),
        "write_units": int(table.throughput.get("WriteCapacityUnits", 0)),
    }
    found = _tables.get(table)
    if found is None:
        found = _tables[table] = PartitionedTable(table.table_arn, mode, **units)
    found.provision(mode, **units)
    return found


def find_table(name: str, region: str = REGION) -> Table:
    """Return moto's table of that name in the lab's region; raises LabError, with the names there are, if none is."""
    tables = dynamodb_backends[DEFAULT_ACCOUNT_ID][region].tables
    if name not in tables:
        there = ", ".join(sorted(tables)) or "no table yet"
        raise LabError(f"The lab has no table {name!r} in {region}; it has {there}.")
    return tables[name]


def install() -> None:
    """Put the gate in front of moto's handler; a second call changes nothing."""
    operations: dict[str, Callable[..., Any]] = {
        "put_item": functools.partial(_write_one, member="Item"),
        "update_item": functools.partial(_write_one, member="Key"),
        "delete_item": functools.partial(_write_one, member="Key"),
        "get_item": _get_one,
        "query": _read_page,
        "scan": _read_page,
        "batch_write_item": _write_batch,
        "batch_get_item": _read_batch,
    }
    for name, operation in operations.items():
        _replace(DynamoHandler, name, _gated(getattr(DynamoHandler, name), operation))
    _replace(Table, "query", lambda table, *args, **kwargs: pages.query(table, _current(), *args, **kwargs))
    _replace(Table, "scan", lambda table, *args, **kwargs: pages.scan(table, _current(), *args, **kwargs))


def remove() -> None:
    """Give moto its handler back."""
    while _originals:
        (place, name), original = _originals.popitem()
        setattr(place, name, original)


def _replace(place: Any, name: str, substitute: Any) -> None:
    if (place, name) not in _originals:
        _originals[place, name] = getattr(place, name)
        setattr(place, name, substitute)


def _gated(original: Callable[[Any], Any], operation: Callable[..., Any]) -> Callable[[Any], Any]:
    @functools.wraps(original)
    def method(handler: Any) -> Any:
        with _lock:
            detail = handler.body.pop("ReturnConsumedCapacity", "NONE")
            if detail not in ("NONE", "TOTAL", "INDEXES"):
                raise MockValidationException(
                    f"1 validation error detected: Value '{detail}' at 'returnConsumedCapacity' failed to satisfy "
                    "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
                )
            try:
                return operation(handler, original, detail)
            except Refused as refused:
                return _answer(refused.refusal)

    return method


def _answer(refusal: Refusal) -> tuple[int, dict[str, Any], str]:
    headers = {"status": 400, "content-type": "application/x-amz-json-1.0"}
    return 400, headers, json.dumps(refusal.as_error())


def _table(handler: Any) -> Table | None:
    name = handler.body.get("TableName", "")
    tables = handler.dynamodb_backend.tables
    return tables.get(name) or next((table for table in tables.values() if table.table_arn == name), None)


def _usable_key(table: Table | None, keys: Mapping[str, Any]) -> bool:
    """Say whether ``keys`` name an item at all; if not, moto answers with the service's validation error."""
    if table is None:
        return False
    types = {table.hash_key_attr: table.hash_key_type, table.range_key_attr: table.range_key_type}
    return all(
        list(keys.get(name) or ()) == [kind] and keys[name][kind] not in ("", b"")
        for name, kind in types.items()
        if name is not None
    )


def _admit(throughput: PartitionedTable, side: Side, touched: Iterable[Partition]) -> None:
    refusal = throughput.refusal(side, touched, clock.microseconds)
    if refusal is not None:
        raise Refused(refusal)


def _size(content: Mapping[str, Any] | None) -> int:
    return sizes.item_size(content) if content else 0


def _consumed(table_name: str, units: float, detail: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"TableName": table_name, "CapacityUnits": float(units)}
    if detail == "INDEXES":
        answer["Table"] = {"CapacityUnits": float(units)}
    return answer


def _report(result: Any, member: Any, detail: str) -> Any:
    body = result.result
    body.pop("ConsumedCapacity", None)
    body.pop("ConsumedCapacityUnits", None)
    if detail != "NONE":
        body["ConsumedCapacity"] = member
    return result


def _write_one(handler: Any, original: Callable[[Any], Any], detail: str, *, member: str) -> Any:
    table, given = _table(handler), handler.body.get(member, {})
    if table is None or not _usable_key(table, given):
        return original(handler)
    if member == "Item" and _size(given) > sizes.MAX_ITEM_BYTES:
        raise MockValidationException("Item size has exceeded the maximum allowed size")
    throughput = throughput_of(table)
    partition = throughput.partition_of(given[table.hash_key_attr])
    _admit(throughput, "write", [partition])
    before = image(stored(table, given))
    try:
        result = original(handler)
    except ConditionalCheckFailed:
        # Consumed all the same: the larger of what is there and what was attempted.
        attempted = _size(given) if member == "Item" else 0
        throughput.charge("write", partition, write_units(max(_size(before), attempted)), clock.microseconds)
        raise
    except Exception:
        _undo(table, given, before)
        raise
    after = image(stored(table, given))
    if _size(after) > sizes.MAX_ITEM_BYTES:
        _undo(table, given, before)
        raise MockValidationException("Item size to update has exceeded the maximum allowed size")
    units = write_units(max(_size(before), _size(after)))
    throughput.charge("write", partition, units, clock.microseconds)
    return _report(result, _consumed(handler.body["TableName"], units, detail), detail)


def _undo(table: Table, keys: Mapping[str, Any], before: Image | None) -> None:
    """Put an item back as it was: moto changes it attribute by attribute before it finds a fault."""
    now = stored(table, keys)
    if now is None:
        return
    if before is not None:
        now.attrs.clear()
        now.attrs.update({name: DynamoType(value) for name, value in before.items()})
    elif table.range_key_attr:
        del table.items[now.hash_key][now.range_key]
    else:
        del table.items[now.hash_key]


def _get_one(handler: Any, original: Callable[[Any], Any], detail: str) -> Any:
    table, key = _table(handler), handler.body.get("Key", {})
    if table is None or not _usable_key(table, key):
        return original(handler)
    throughput = throughput_of(table)
    partition = throughput.partition_of(key[table.hash_key_attr])
    _admit(throughput, "read", [partition])
    result = original(handler)
    units = read_units(_size(image(stored(table, key))), consistency=_consistency(handler.body))
    throughput.charge("read", partition, units, clock.microseconds)
    return _report(result, _consumed(handler.body["TableName"], units, detail), detail)


def _consistency(body: Mapping[str, Any]) -> Any:
    return "strong" if body.get("ConsistentRead") else "eventual"


def _current() -> pages.Reading:
    return _reading if _reading is not None else pages.Reading(lambda table, index, key: None)


def _read_page(handler: Any, original: Callable[[Any], Any], detail: str) -> Any:
    global _reading
    touched: list[tuple[PartitionedTable, list[Partition]]] = []

    def before(table: Any, index_name: str | None, key: dict[str, Any] | None) -> None:
        if any(index.name == index_name for index in table.global_indexes):
            return  # An index has partitions of its own; the lab does not limit them yet (docs/fidelity.md).
        throughput = throughput_of(table)
        partitions = [throughput.partition_of(key)] if key else throughput.partitions
        _admit(throughput, "read", partitions)
        touched.append((throughput, partitions))

    _reading = pages.Reading(before)
    try:
        result = original(handler)
        reading = _reading
    finally:
        _reading = None
    units = read_units(reading.bytes, consistency=_consistency(handler.body))
    for throughput, partitions in touched:
        _charge_page(throughput, partitions, reading, units)
    return _report(result, _consumed_page(handler, units, detail, bool(touched)), detail)


def _charge_page(
    throughput: PartitionedTable, partitions: list[Partition], reading: pages.Reading, units: float
) -> None:
    """Charge a page to the partitions it read, each by its share of the bytes; the first one pays for an empty page."""
    shares: dict[int, float] = {}
    for place, size in reading.bytes_by_position.items():
        number = throughput.partition_at(place).number if len(partitions) > 1 else partitions[0].number
        shares[number] = shares.get(number, 0.0) + size / reading.bytes
    for number, share in (shares or {partitions[0].number: 1.0}).items():
        throughput.charge("read", throughput.partitions[number], units * share, clock.microseconds)


def _consumed_page(handler: Any, units: float, detail: str, on_table: bool) -> dict[str, Any]:
    answer = _consumed(handler.body["TableName"], units, detail)
    if detail == "INDEXES" and "IndexName" in handler.body:
        kind = "LocalSecondaryIndexes" if on_table else "GlobalSecondaryIndexes"
        answer["Table"] = {"CapacityUnits": 0.0}
        answer[kind] = {handler.body["IndexName"]: {"CapacityUnits": float(units)}}
    return answer


def _write_batch(handler: Any, original: Callable[[Any], Any], detail: str) -> Any:
    requests = handler.body["RequestItems"]
    if sum(map(len, requests.values())) > _BATCH_WRITE_ITEMS:
        raise MockValidationException("Too many items requested for the BatchWriteItem call")
    members = [
        _Member(name, entry, content.get("Item") or content.get("Key") or {}, "Item" in content)
        for name, entries in requests.items()
        for entry in entries
        for content in entry.values()
    ]

    def cost(table: Table, member: _Member) -> float:
        size = _size(member.keys) if member.is_item else 0
        return write_units(max(_size(image(stored(table, member.keys))), size))

    if any(member.is_item and _size(member.keys) > sizes.MAX_ITEM_BYTES for member in members):
        raise MockValidationException("Item size has exceeded the maximum allowed size")
    split = _split_batch(handler, members, "write", cost)
    if split is None:
        return original(handler)
    units, refused = split
    handler.body["RequestItems"] = {
        name: [entry for entry in entries if not any(entry is member.entry for member in refused)]
        for name, entries in requests.items()
    }
    result = original(handler)
    unprocessed: dict[str, list[Any]] = {}
    for member in refused:
        unprocessed.setdefault(member.table_name, []).append(member.entry)
    result.result["UnprocessedItems"] = unprocessed
    return _report(result, [_consumed(name, used, detail) for name, used in units.items()], detail)


def _read_batch(handler: Any, original: Callable[[Any], Any], detail: str) -> Any:
    requests = handler.body["RequestItems"]
    members = [_Member(name, key, key, False) for name, request in requests.items() for key in request["Keys"]]

    def cost(table: Table, member: _Member) -> float:
        consistency = _consistency(requests[member.table_name])
        return read_units(_size(image(stored(table, member.keys))), consistency=consistency)

    split = _split_batch(handler, members, "read", cost)
    if split is None:
        return original(handler)
    units, refused = split
    handler.body["RequestItems"] = {
        name: {
            **request,
            "Keys": [key for key in request["Keys"] if not any(key is member.entry for member in refused)],
        }
        for name, request in requests.items()
    }
    result = original(handler)
    unprocessed = result.result["UnprocessedKeys"]
    for member in refused:
        entry = unprocessed.setdefault(member.table_name, {**requests[member.table_name], "Keys": []})
        entry["Keys"].append(member.entry)
    return _report(result, [_consumed(name, used, detail) for name, used in units.items()], detail)


@dataclass(frozen=True)
class _Member:
    """One put, delete or get of a batch: ``keys`` holds its key attributes, ``entry`` the request's own object."""

    table_name: str
    entry: Any
    keys: Mapping[str, Any]
    is_item: bool


def _split_batch(
    handler: Any, members: list[_Member], side: Side, cost: Callable[[Table, _Member], float]
) -> tuple[dict[str, float], list[_Member]] | None:
    """Admit and charge a batch member by member; return the units by table and the refused members.

    None if a member names no item, so that moto's validation can answer. Raises Refused when no member was admitted:
    only a batch that is refused whole is an error.
    """
    tables = handler.dynamodb_backend.tables
    if not all(_usable_key(tables.get(member.table_name), member.keys) for member in members):
        return None
    units: dict[str, float] = {}
    refused: list[_Member] = []
    refusal: Refusal | None = None
    for member in members:
        table = tables[member.table_name]
        throughput = throughput_of(table)
        partition = throughput.partition_of(member.keys[table.hash_key_attr])
        no = throughput.refusal(side, [partition], clock.microseconds)
        if no is not None:
            refusal = refusal or no
            refused.append(member)
        else:
            used = cost(table, member)
            throughput.charge(side, partition, used, clock.microseconds)
            units[member.table_name] = units.get(member.table_name, 0.0) + used
    if refusal is not None and not units:
        raise Refused(refusal)
    return units, refused
