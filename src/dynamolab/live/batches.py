"""BatchWriteItem and BatchGetItem: each member is admitted and charged by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from moto.dynamodb.exceptions import ResourceNotFoundException
from moto.dynamodb.responses import DynamoResult

from ..model import sizes, units
from ..model.throttling import Refusal, Side
from ..model.units import Consumed
from . import replicas, validation
from .images import image, plain_numbers, stored
from .items import Handler
from .metering import (
    Refused,
    Spot,
    charge,
    charge_write,
    check_collection,
    consistency,
    named,
    refusal_of,
    report_tables,
    spot_of,
)
from .schema import Schema, schema_of

RESPONSE_BYTES = 16_000_000
"""What one BatchGetItem returns at most: "16 MB", of which 52 items of 300 KB fit (API Reference, "BatchGetItem")."""

_DUPLICATES = "Provided list of item keys contains duplicates"


@dataclass(frozen=True)
class _Member:
    """One put, delete or get of a batch: ``keys`` holds its key attributes, ``entry`` the request's own object."""

    table_name: str
    table: Any
    schema: Schema
    entry: Any
    keys: Mapping[str, Any]
    is_item: bool = False


def write_batch(handler: Any, original: Handler, detail: str) -> Any:
    """BatchWriteItem: what is not admitted comes back as UnprocessedItems; only a batch refused whole is an error."""
    requests = handler.body.get("RequestItems") or {}
    if not requests:
        validation.refuse("The requestItems parameter is required for BatchWriteItem")
    for name, entries in requests.items():
        if not 1 <= len(entries) <= validation.BATCH_WRITE_ITEMS:
            shown = ", ".join("WriteRequest" for _ in entries)
            validation.refuse(
                f"{sizes.VALIDATION_ENVELOPE}Value '{{{name}=[{shown}]}}' at 'requestItems' failed to satisfy "
                "constraint: Map value must satisfy constraint: [Member must have length less than or equal to "
                f"{validation.BATCH_WRITE_ITEMS}, Member must have length greater than or equal to 1]"
            )
    if sum(map(len, requests.values())) > validation.BATCH_WRITE_ITEMS:
        validation.refuse("Too many items requested for the BatchWriteItem call")
    for entries in requests.values():
        for entry in entries:
            if len(entry) != 1:  # in the words for values, as recorded with dynalite
                validation.refuse(
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
                    "supported datatypes"
                )
            for content in entry.values():
                validation.values(content.get("Item") or content.get("Key") or {})
    members = []
    for name, entries in requests.items():
        table, schema = _table(handler, name)
        members += [
            _Member(name, table, schema, entry, content.get("Item") or content.get("Key") or {}, "Item" in content)
            for entry in entries
            for content in entry.values()
        ]
    for member in members:
        _check_member(member)
        plain_numbers(member.keys)
    _check_duplicates(members)

    for member in members:
        if member.is_item and member.schema.local_indexes:
            check_collection(_spot(member), image(stored(member.table, member.keys)), member.keys)

    def cost(member: _Member, spot: Spot) -> Consumed:
        before = image(stored(member.table, member.keys))
        after = member.keys if member.is_item else None
        used = units.write_item(before, after, member.schema.keys, member.schema.indexes)
        charge_write(spot, used, before, after)
        return used

    consumed, refused = _split(members, "write", cost, {})
    left_out = {id(member) for member in refused}
    for member in members:  # by hand: moto takes equal keys in two tables for one
        if id(member) not in left_out:
            write = handler.dynamodb_backend.put_item if member.is_item else handler.dynamodb_backend.delete_item
            write(member.table_name, dict(member.keys))
    result: Any = DynamoResult({})
    unprocessed: dict[str, list[Any]] = {}
    for member in refused:
        unprocessed.setdefault(member.table_name, []).append(member.entry)
    result.result["UnprocessedItems"] = unprocessed
    return report_tables(result, detail, consumed)


@replicas.eventual
def read_batch(handler: Any, original: Handler, detail: str) -> Any:
    """BatchGetItem: what is not admitted, and what is over 16 MB, comes back as UnprocessedKeys."""
    requests = handler.body.get("RequestItems") or {}
    if not requests:
        validation.refuse("The requestItems parameter is required for BatchGetItem")
    for name, request in requests.items():
        if len(request["Keys"]) > validation.BATCH_GET_ITEMS:
            validation.refuse(
                f"{sizes.VALIDATION_ENVELOPE}Value at 'RequestItems.{name}.member.Keys' failed to satisfy constraint: "
                f"Member must have length less than or equal to {validation.BATCH_GET_ITEMS}"
            )
    if sum(len(request["Keys"]) for request in requests.values()) > validation.BATCH_GET_ITEMS:
        validation.refuse("Too many items requested for the BatchGetItem call")
    members = []
    for name, request in requests.items():
        table, schema = _table(handler, name)
        for key in request["Keys"]:
            validation.key(schema, key)
            members.append(_Member(name, table, schema, key, key))
    _check_duplicates(members)
    returned = 0

    def cost(member: _Member, spot: Spot) -> Consumed | None:
        nonlocal returned
        item = image(stored(member.table, member.keys))
        size = sizes.item_size(item or {})
        if returned + size > RESPONSE_BYTES:
            return None
        returned += size
        asked = consistency(requests[member.table_name])
        used = units.get_item(item, consistency=asked)
        charge(spot, used, eventual=asked == "eventual")
        return used

    consumed, refused = _split(members, "read", cost, requests)
    handler.body["RequestItems"] = {
        name: {**request, "Keys": _without({name: request["Keys"]}, refused)[name]}
        for name, request in requests.items()
    }
    result = original(handler)
    unprocessed = result.result["UnprocessedKeys"]
    for member in refused:
        entry = unprocessed.setdefault(member.table_name, {**requests[member.table_name], "Keys": []})
        entry["Keys"].append(member.entry)
    return report_tables(result, detail, consumed)


def _table(handler: Any, name: str) -> tuple[Any, Schema]:
    table = named(handler, name)
    if table is None:
        validation.missing_table(name)
        raise ResourceNotFoundException()
    return table, schema_of(table)


def _check_member(member: _Member) -> None:
    if not member.is_item:
        validation.refuse(validation.key_fault(member.schema, member.keys))
        return
    fault = validation.type_fault(member.schema, member.keys)
    if fault is not None:
        fault = "The provided key element does not match the schema"
    validation.refuse(fault or validation.item_fault(member.schema, member.keys))


def _check_duplicates(members: list[_Member]) -> None:
    by_table: dict[int, list[_Member]] = {}
    for member in members:
        by_table.setdefault(id(member.table), []).append(member)
    for same in by_table.values():
        if validation.duplicates(same[0].schema, (member.keys for member in same)):
            validation.refuse(_DUPLICATES)


def _split(
    members: list[_Member],
    side: Side,
    cost: Callable[[_Member, Spot], Consumed | None],
    requests: Mapping[str, Any],
) -> tuple[dict[str, Consumed], list[_Member]]:
    """Admit and charge a batch member by member; return the units by table and the members left undone.

    ``cost`` charges a member, and ``requests`` says which tables are read strongly. A member whose cost is None is left
    undone too. Raises Refused when no member was admitted: only a batch that is refused whole is an error.
    """
    consumed: dict[str, Consumed] = {}
    undone: list[_Member] = []
    refusal: Refusal | None = None
    for member in members:
        spot = _spot(member)
        eventual = side == "read" and consistency(requests[member.table_name]) == "eventual"
        no = refusal_of(spot, side, eventual=eventual)
        used = cost(member, spot) if no is None else None
        if used is None:
            refusal = refusal or no
            undone.append(member)
        else:
            name = member.table_name
            consumed[name] = consumed[name] + used if name in consumed else used
    if refusal is not None and not consumed:
        raise Refused(refusal)
    return consumed, undone


def _spot(member: _Member) -> Spot:
    return spot_of(member.table, member.schema, member.keys)


def _without(requests: Mapping[str, list[Any]], undone: list[_Member]) -> dict[str, list[Any]]:
    left_out = {id(member.entry) for member in undone}
    return {name: [entry for entry in entries if id(entry) not in left_out] for name, entries in requests.items()}
