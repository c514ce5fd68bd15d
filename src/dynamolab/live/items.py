"""PutItem, UpdateItem, DeleteItem and GetItem, and one page of Query or Scan: admitted, run by moto, charged."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moto.dynamodb.exceptions import ConditionalCheckFailed, InvalidAttributeTypeError

from ..model import sizes, units
from ..model.keyspace import KeyRange, equal_ranges
from ..model.partitions import PartitionedTable
from . import pages, validation
from .images import image, plain_numbers, restore, stored, tidy
from .metering import admit, charge, consistency, named, report, throughput_of
from .schema import index_partitions, schema_of

Handler = Callable[[Any], Any]

reading: pages.Reading | None = None
"""The page that is being read: moto's Table.query and Table.scan are called far below, with no room for it."""


def put_item(handler: Any, original: Handler, detail: str, *, partiql: bool = False) -> Any:
    """PutItem."""
    body = handler.body
    item = body.get("Item", {})
    validation.values(item, enveloped=True)
    validation.request_values(body, enveloped=True)
    table = _table(handler)
    if table is None:
        return original(handler)
    schema = schema_of(table)
    validation.refuse(validation.item_fault(schema, item))
    plain_numbers(item)
    throughput = throughput_of(table)
    partition = throughput.partition_of(item[table.hash_key_attr])
    admit(throughput, "write", [partition])
    before = image(stored(table, item))
    try:
        result = original(handler)
    except ConditionalCheckFailed:
        # Consumed all the same. PartiQL was seen to charge what exists, without what was attempted.
        charge(throughput, partition, units.failed_condition(before, None if partiql else item))
        raise
    consumed = units.write_item(before, item, schema.keys, schema.indexes)
    charge(throughput, partition, consumed)
    return report(result, detail, body["TableName"], consumed)


def update_item(handler: Any, original: Handler, detail: str) -> Any:
    """UpdateItem: what it leaves is known only afterwards, so a fault in that is undone."""
    body = handler.body
    key = body.get("Key", {})
    validation.request_values(body, enveloped=True)
    table = _table(handler)
    if table is None:
        return original(handler)
    schema = schema_of(table)
    validation.key(schema, key, enveloped=True)
    plain_numbers(key)
    plain_numbers(body.get("ExpressionAttributeValues") or {})
    throughput = throughput_of(table)
    partition = throughput.partition_of(key[table.hash_key_attr])
    admit(throughput, "write", [partition])
    before = image(stored(table, key))
    records = stream_length(table)
    try:
        with decimal.localcontext(prec=sizes.MAX_NUMBER_DIGITS):
            result = original(handler)
        item = stored(table, key)
        for value in (*item.attrs.values(), *result.result.get("Attributes", {}).values()) if item else ():
            tidy(value)
        after = image(item) or {}
        validation.refuse(validation.updated_fault(schema, after, before))
    except ConditionalCheckFailed:
        charge(throughput, partition, units.failed_condition(before))
        raise
    except Exception as fault:
        restore(table, key, before)
        cut_stream(table, records)
        if isinstance(fault, InvalidAttributeTypeError):
            validation.refuse(validation.index_words(schema, fault.message))
        raise
    consumed = units.write_item(before, after, schema.keys, schema.indexes)
    charge(throughput, partition, consumed)
    return report(result, detail, body["TableName"], consumed)


def delete_item(handler: Any, original: Handler, detail: str) -> Any:
    """DeleteItem."""
    body = handler.body
    key = body.get("Key", {})
    validation.request_values(body, enveloped=True)
    table = _table(handler)
    if table is None:
        return original(handler)
    schema = schema_of(table)
    validation.key(schema, key, enveloped=True)
    throughput = throughput_of(table)
    partition = throughput.partition_of(key[table.hash_key_attr])
    admit(throughput, "write", [partition])
    before = image(stored(table, key))
    try:
        result = original(handler)
    except ConditionalCheckFailed:
        charge(throughput, partition, units.failed_condition(before))
        raise
    consumed = units.write_item(before, None, schema.keys, schema.indexes)
    charge(throughput, partition, consumed)
    return report(result, detail, body["TableName"], consumed)


def get_item(handler: Any, original: Handler, detail: str) -> Any:
    """GetItem."""
    body = handler.body
    key = body.get("Key", {})
    table = _table(handler)
    if table is None:
        return original(handler)
    validation.key(schema_of(table), key)
    throughput = throughput_of(table)
    partition = throughput.partition_of(key[table.hash_key_attr])
    admit(throughput, "read", [partition])
    result = original(handler)
    wanted = body.get("AttributesToGet")
    if wanted and "Item" in result.result:  # moto knows this older parameter, and forgets to follow it
        result.result["Item"] = {name: value for name, value in result.result["Item"].items() if name in wanted}
    consumed = units.get_item(image(stored(table, key)), consistency=consistency(body))
    charge(throughput, partition, consumed)
    return report(result, detail, body["TableName"], consumed)


def read_page(handler: Any, original: Handler, detail: str) -> Any:
    """One page of Query or Scan, of a table or an index."""
    global reading
    body = handler.body
    validation.request_values(body)
    known, wanted = _table(handler), body.get("IndexName")
    if known is not None and wanted and schema_of(known).index(wanted) is None:
        validation.refuse(f"The table does not have the specified index: {wanted}")
    asked: list[PartitionedTable] = []

    def before(table: Any, index: units.Index | None, key: Mapping[str, Any] | None) -> Sequence[KeyRange]:
        if index is not None and index.kind == "GSI":
            return equal_ranges(index_partitions(table, index.name))
        throughput = throughput_of(table)
        partitions = [throughput.partition_of(key)] if key else throughput.partitions
        admit(throughput, "read", partitions)
        asked.append(throughput)
        return [partition.key_range for partition in partitions]

    page = reading = pages.Reading(
        before,
        consistency(body),
        body.get("Select"),
        None if body.get("ProjectionExpression") else body.get("AttributesToGet"),
    )
    try:
        result = original(handler)
    finally:
        reading = None
    for throughput in asked:
        for place, share in page.shares.items():
            part = units.Consumed("read", page.consumed.charged_to_table * share)
            charge(throughput, throughput.partition_at(place), part)
    return report(result, detail, body["TableName"], page.consumed)


def stream_length(table: Any) -> int:
    """How many records the table's stream has: what :func:`cut_stream` goes back to."""
    return len(table.stream_shard.items) if table.stream_shard is not None else 0


def cut_stream(table: Any, length: int) -> None:
    """Take back the stream records of a write that was undone."""
    if table.stream_shard is not None:
        del table.stream_shard.items[length:]


def _table(handler: Any) -> Any:
    name = handler.body.get("TableName", "")
    table = named(handler, name)
    if table is None:
        validation.missing_table(name)
    return table


