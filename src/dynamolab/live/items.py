"""PutItem, UpdateItem, DeleteItem and GetItem, and one page of Query or Scan: admitted, run by moto, charged."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

from moto.dynamodb.exceptions import ConditionalCheckFailed, InvalidAttributeTypeError

from ..model import sizes, units
from ..model.partitions import PartitionedTable
from . import control, counting, expressions, pages, replicas, validation
from .images import image, plain_numbers, restore, stored, tidy
from .metering import (
    admit,
    charge,
    charge_write,
    check_collection,
    consistency,
    named,
    physics_of,
    report,
    spot_of,
)
from .schema import schema_of

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
    spot = spot_of(table, schema, item)
    admit(spot, "write")
    before = image(stored(table, item))
    check_collection(spot, before, item)
    try:
        result = original(handler)
    except ConditionalCheckFailed:
        counting.condition_failed(table)
        # Consumed all the same. PartiQL was seen to charge what exists, without what was attempted.
        charge(spot, units.failed_condition(before, None if partiql else item))
        raise
    consumed = units.write_item(before, item, schema.keys, schema.indexes)
    charge_write(spot, consumed, before, item)
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
    validation.older_keys(schema, body)
    plain_numbers(key)
    plain_numbers(body.get("ExpressionAttributeValues") or {})
    spot = spot_of(table, schema, key)
    admit(spot, "write")
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
        check_collection(spot, before, after)
    except ConditionalCheckFailed:
        counting.condition_failed(table)
        charge(spot, units.failed_condition(before))
        raise
    except Exception as fault:
        restore(table, key, before)
        cut_stream(table, records)
        if isinstance(fault, InvalidAttributeTypeError):
            validation.refuse(validation.index_words(schema, fault.message))
        validation.refuse(validation.operand_fault(fault))
        raise
    consumed = units.write_item(before, after, schema.keys, schema.indexes)
    charge_write(spot, consumed, before, after)
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
    spot = spot_of(table, schema, key)
    admit(spot, "write")
    before = image(stored(table, key))
    try:
        result = original(handler)
    except ConditionalCheckFailed:
        counting.condition_failed(table)
        charge(spot, units.failed_condition(before))
        raise
    consumed = units.write_item(before, None, schema.keys, schema.indexes)
    charge_write(spot, consumed, before, None)
    return report(result, detail, body["TableName"], consumed)


@replicas.eventual
def get_item(handler: Any, original: Handler, detail: str) -> Any:
    """GetItem."""
    body = handler.body
    key = body.get("Key", {})
    table = _table(handler)
    if table is None:
        return original(handler)
    schema, asked = schema_of(table), consistency(body)
    validation.key(schema, key)
    spot = spot_of(table, schema, key)
    admit(spot, "read", eventual=asked == "eventual")
    result = original(handler)
    wanted = body.get("AttributesToGet")
    if wanted and "Item" in result.result:  # moto knows this older parameter, and forgets to follow it
        result.result["Item"] = {name: value for name, value in result.result["Item"].items() if name in wanted}
    consumed = units.get_item(image(stored(table, key)), consistency=asked)
    charge(spot, consumed, eventual=asked == "eventual")
    return report(result, detail, body["TableName"], consumed)


@replicas.eventual
def read_page(handler: Any, original: Handler, detail: str, *, partiql: bool = False) -> Any:
    """One page of Query or Scan, of a table or an index. A statement may choose by the key in any way."""
    global reading
    body = handler.body
    validation.request_values(body)
    names, conditions = body.get("ExpressionAttributeNames") or {}, 0
    if isinstance(condition := body.get("KeyConditionExpression"), str):
        conditions = expressions.key_condition(condition, names)
    known, wanted = _table(handler), body.get("IndexName")
    if known is not None and wanted and schema_of(known).index(wanted) is None:
        validation.refuse(f"The table does not have the specified index: {wanted}")
    if known is not None:
        validation.reading(schema_of(known), wanted, body, conditions, by_key=partiql)

    def limits(table: Any, index: units.Index | None) -> PartitionedTable:
        physics = physics_of(table)
        if index is None or index.kind == "LSI":
            return physics.table
        control.readable(table, index.name)
        return physics.indexes[index.name]

    page = reading = pages.Reading(
        limits,
        consistency(body),
        body.get("Select"),
        None if body.get("ProjectionExpression") else body.get("AttributesToGet"),
    )
    try:
        result = original(handler)
    finally:
        reading = None
    counting.consumed(known, page.consumed)
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
