"""Requests that the service refuses and moto accepts: keys, values and sizes of items, and tables and indexes.

The limits are those of the AWS Developer Guide, page "Quotas in Amazon DynamoDB"; the wording is the service's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from moto.dynamodb.exceptions import DynamodbException, MockValidationException, ResourceNotFoundException
from moto.dynamodb.models.table import Table

from ..model import sizes
from ..model.units import check_keys, index_entry
from .schema import Schema, schema_of

MAX_GLOBAL_INDEXES = 20
MAX_LOCAL_INDEXES = 5
MAX_PROJECTED_ATTRIBUTES = 100
BATCH_WRITE_ITEMS = 25
BATCH_GET_ITEMS = 100
TRANSACTION_ACTIONS = 100
TRANSACTION_BYTES = 4 * 1024 * 1024
MIN_NAME, MAX_NAME = 3, 255

_INVALID = "One or more parameter values were invalid: "
_SCHEMA = "The provided key element does not match the schema"
_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_DETAILS = ("TOTAL", "INDEXES", "NONE")
_ABOUT_NUMBERS = ("The parameter cannot be converted", "Number ", "Attempting to store")

Item = Mapping[str, Any]


class Limit(DynamodbException):
    """The service's LimitExceededException."""

    def __init__(self, message: str) -> None:
        super().__init__("com.amazonaws.dynamodb.v20120810#LimitExceededException", message)


def refuse(message: str | None) -> None:
    """Raise the service's ValidationException with this message; None lets the request pass."""
    if message is not None:
        raise MockValidationException(message)


def detail(body: dict[str, Any]) -> str:
    """Take ReturnConsumedCapacity out of the request: the gate alone answers it."""
    wanted: str = body.pop("ReturnConsumedCapacity", "NONE")
    if wanted not in _DETAILS:
        refuse(
            f"{sizes.VALIDATION_ENVELOPE}Value '{wanted}' at 'returnConsumedCapacity' failed to satisfy constraint: "
            "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
        )
    return wanted


# --- items --------------------------------------------------------------------------------------------------


def values(content: Item, *, enveloped: bool = False) -> None:
    """Refuse a value that may be stored nowhere. ``enveloped``: in the words of PutItem, UpdateItem and DeleteItem."""
    message = sizes.check_values(content)
    if message is None:
        return
    if enveloped and (message.startswith(_ABOUT_NUMBERS) or "Input collection" in message):
        message = sizes.VALIDATION_ENVELOPE + message
    refuse(message)


def request_values(body: Mapping[str, Any], *, enveloped: bool = False) -> None:
    """Refuse what :func:`values` refuses in the request's expression values and in its older members."""
    given = body.get("ExpressionAttributeValues")
    if given:
        values(given, enveloped=enveloped)
    for member in ("AttributeUpdates", "Expected"):
        for entry in (body.get(member) or {}).values():
            if "Value" in entry:
                values({"": entry["Value"]}, enveloped=enveloped)
    for member in ("KeyConditions", "QueryFilter", "ScanFilter"):
        for entry in (body.get(member) or {}).values():
            values({str(n): value for n, value in enumerate(entry.get("AttributeValueList", ()))})


def key(schema: Schema, given: Item, *, enveloped: bool = False) -> None:
    """Refuse a key of the wrong attributes, types or lengths, as GetItem and all who name an item by its key do."""
    values(given, enveloped=enveloped)
    refuse(key_fault(schema, given))


def key_fault(schema: Schema, given: Item) -> str | None:
    """The message for a key that fits no item of the table, or None."""
    names = schema.keys.names
    if len(given) != len(names) or not all(name in given and schema.types[name] in given[name] for name in names):
        return _SCHEMA
    return check_keys(given, schema.keys)


def type_fault(schema: Schema, item: Item) -> str | None:
    """The message for an item that lacks a key or has one of another type, or None."""
    for name in schema.keys.names:
        if name not in item:
            return f"{_INVALID}Missing the key {name} in the item"
        if schema.types[name] not in item[name]:
            actual = next(iter(item[name]))
            return f"{_INVALID}Type mismatch for key {name} expected: {schema.types[name]} actual: {actual}"
    return None


def index_fault(schema: Schema, item: Item) -> str | None:
    """The message for an index key of the wrong type, empty or too long, or None."""
    for index in schema.indexes:
        for name in index.key_names:
            if name in item and schema.types.get(name, "") not in item[name]:
                return (
                    f"{_INVALID}Type mismatch for Index Key {name} Expected: {schema.types[name]} "
                    f"Actual: {next(iter(item[name]))} IndexName: {index.name}"
                )
    for index in schema.indexes:
        for name in index.key_names:
            if name in item:
                sort_key = name in index.sort_key
                message = sizes.check_index_key_value(index.name, name, item[name], sort_key=sort_key)
                if message is not None:
                    return message
    return None


def index_words(schema: Schema, message: str) -> str:
    """moto's message for an attribute of the wrong type, in the service's words where it is an index's key."""
    found = re.search(r"for key (.+) expected: (\w+) actual: (\w+)", message)
    index = found and next((index for index in schema.indexes if found[1] in index.key_names), None)
    if not found or index is None or found[1] in schema.keys.names:
        return message
    return (
        f"{_INVALID}Type mismatch for Index Key {found[1]} Expected: {found[2]} Actual: {found[3]} "
        f"IndexName: {index.name}"
    )


def item_fault(schema: Schema, item: Item) -> str | None:
    """The message for an item that may not be put into the table: its keys, its index keys, its size."""
    message = type_fault(schema, item) or check_keys(item, schema.keys)
    if message is None and schema.indexes:
        message = index_fault(schema, item)
    return message or size_fault(schema, item)


def size_fault(schema: Schema, item: Item, *, update: bool = False) -> str | None:
    """The message for an item of more than 400 KB with its local indexes' entries, or None."""
    local = 0
    for index in schema.local_indexes:
        local += sizes.item_size(index_entry(item, index, schema.keys) or {})
    return sizes.check_size(sizes.item_size(item), update=update, local_index_bytes=local)


def updated_fault(schema: Schema, after: Item, before: Item | None) -> str | None:
    """The message for what an update has made of an item, or None."""
    message = sizes.check_values(after)
    if message is None and schema.indexes:
        message = index_fault(schema, after)
        empty = "cannot contain an empty"
        if message is not None and empty in message and before is not None:
            kind = message.split(empty)[1].split()[0]
            message = (
                "One or more parameter values are not valid. The update expression attempted to update a secondary "
                "index key to a value that is not supported. The AttributeValue for a key attribute "
                f"{empty} {kind} value."
            )
    return message or size_fault(schema, after, update=True)


def missing_table(name: str) -> None:
    """Refuse a name that no table can have, where a request on items names a table that does not exist."""
    if name.startswith("arn:"):
        return
    if len(name) > MAX_NAME:
        problem = f"have length less than or equal to {MAX_NAME}"
    elif not name:
        problem = "have length greater than or equal to 1"
    elif not _NAME.fullmatch(name):
        problem = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    else:
        return
    constraint = f"Value '{name}' at 'tableName' failed to satisfy constraint: Member must {problem}"
    refuse(sizes.VALIDATION_ENVELOPE + constraint)


def duplicates(schema: Schema, keys: Iterable[Item]) -> bool:
    """Say whether two of the keys name the same item."""
    seen = set()
    for given in keys:
        named = tuple(sizes.canonical(given[name]) for name in schema.keys.names)
        if named in seen:
            return True
        seen.add(named)
    return False


# --- tables -------------------------------------------------------------------------------------------------


def create_table(handler: Any, original: Callable[[Any], Any]) -> Any:
    """CreateTable: names, key schemas and the numbers of indexes and projected attributes."""
    body = handler.body
    _names(body.get("TableName", ""), _indexes(body))
    if body.get("BillingMode") == "PAY_PER_REQUEST" and body.get("ProvisionedThroughput"):
        refuse(
            f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
            "PAY_PER_REQUEST"
        )
    _key_schema(body.get("KeySchema") or [])
    local, everywhere = body.get("LocalSecondaryIndexes") or [], body.get("GlobalSecondaryIndexes") or []
    if local and len(body["KeySchema"]) != 2:
        refuse(
            f"{_INVALID}Table KeySchema does not have a range key, which is required when specifying a "
            "LocalSecondaryIndex"
        )
    seen: set[str] = set()
    for index in local:
        _local_index(index, body["KeySchema"][0]["AttributeName"])
    for index in [*local, *everywhere]:
        if index["IndexName"] in seen:
            refuse(f"{_INVALID}Duplicate index name: {index['IndexName']}")
        seen.add(index["IndexName"])
        _projection(index)
    if len(local) > MAX_LOCAL_INDEXES:
        refuse(f"{_INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of {MAX_LOCAL_INDEXES}")
    if len(everywhere) > MAX_GLOBAL_INDEXES:
        refuse(f"{_INVALID}GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GLOBAL_INDEXES}")
    _projected([*local, *everywhere])
    return original(handler)


def update_table(handler: Any, original: Callable[[Any], Any]) -> Any:
    """UpdateTable: one global index at a time; a local index cannot be added."""
    body = handler.body
    changes = body.get("GlobalSecondaryIndexUpdates") or []
    if not any(value for name, value in body.items() if name not in ("TableName", "AttributeDefinitions")) and not any(
        body.get(name) is False for name in ("DeletionProtectionEnabled",)
    ):
        # A local index is no parameter of UpdateTable, so asking for one asks for nothing.
        refuse(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or "
            "SSESpecification or ReplicaUpdates is required"
        )
    table = handler.dynamodb_backend.tables.get(body.get("TableName", ""))
    if table is None or not changes:
        return original(handler)
    created = [change["Create"] for change in changes if "Create" in change]
    deleted = [change["Delete"]["IndexName"] for change in changes if "Delete" in change]
    _names(body["TableName"], [("globalSecondaryIndexUpdates", ".create", n, c) for n, c in enumerate(created, 1)])
    if len(created) + len(deleted) > 1:
        raise Limit("Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
    there = {index.name for index in schema_of(table).indexes}
    for index in created:
        if index["IndexName"] in there:
            refuse("Attempting to create an index which already exists")
        _projection(index)
    changed = [change["Update"]["IndexName"] for change in changes if "Update" in change]
    if any(name not in {index.name for index in table.global_indexes} for name in [*deleted, *changed]):
        raise ResourceNotFoundException()
    if len(table.global_indexes) + len(created) > MAX_GLOBAL_INDEXES:
        raise Limit(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
            f"{MAX_GLOBAL_INDEXES}"
        )
    _projected([{"Projection": index.projection} for index in table.all_indexes()] + created)
    _definitions(table, body, created)
    return original(handler)


def update_time_to_live(handler: Any, original: Callable[[Any], Any]) -> Any:
    """UpdateTimeToLive: not on a key, not twice, not on another attribute while it is on."""
    wanted = handler.body.get("TimeToLiveSpecification") or {}
    name, table_name = wanted.get("AttributeName", ""), handler.body.get("TableName", "")
    table = handler.dynamodb_backend.tables.get(table_name)
    if table is None:
        raise ResourceNotFoundException(table_name=table_name)
    if not name:
        refuse(
            f"{sizes.VALIDATION_ENVELOPE}Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy "
            "constraint: Member must have length greater than or equal to 1"
        )
    if name in schema_of(table).keys.names:
        refuse(f"{_INVALID}TimeToLive attribute {name} is part of the table's key")
    now = table.ttl.get("TimeToLiveStatus") == "ENABLED"
    if now and table.ttl.get("AttributeName") != name:
        current = table.ttl.get("AttributeName")
        refuse(f"TimeToLive is active on a different AttributeName: current AttributeName is {current}")
    if bool(wanted.get("Enabled")) == now:
        refuse(f"TimeToLive is already {'enabled' if now else 'disabled'}")
    return original(handler)


def _indexes(body: Mapping[str, Any]) -> list[tuple[str, str, int, Any]]:
    return [
        (member[0].lower() + member[1:], "", number, index)
        for member in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")
        for number, index in enumerate(body.get(member) or [], 1)
    ]


def _names(table: str, indexes: Iterable[tuple[str, str, int, Any]]) -> None:
    places = [("tableName", table)] if not table.startswith("arn:") else []
    places += [(f"{member}.{n}.member{more}.indexName", index["IndexName"]) for member, more, n, index in indexes]
    faults = []
    for place, name in places:
        constraint = f"Value '{name}' at '{place}' failed to satisfy constraint: Member must"
        if len(name) < MIN_NAME:
            faults.append(f"{constraint} have length greater than or equal to {MIN_NAME}")
        if len(name) > MAX_NAME:
            faults.append(f"{constraint} have length less than or equal to {MAX_NAME}")
        if not _NAME.fullmatch(name):
            faults.append(f"{constraint} satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
    if faults:
        refuse(f"{len(faults)} validation error{'s' * (len(faults) > 1)} detected: {'; '.join(faults)}")


def _key_schema(schema: list[Mapping[str, str]]) -> None:
    kinds = [part["KeyType"] for part in schema]
    if kinds[:1] == ["RANGE"]:
        refuse("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if kinds == ["HASH", "HASH"]:
        refuse("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")


def _local_index(index: Mapping[str, Any], partition_key: str) -> None:
    schema, name = index["KeySchema"], index["IndexName"]
    _key_schema(schema)
    if len(schema) != 2:
        refuse(f"{_INVALID}Index KeySchema does not have a range key for index: {name}")
    if schema[0]["AttributeName"] != partition_key:
        refuse(
            f"{_INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: {name}. "
            f"index hash key: {schema[0]['AttributeName']}, table hash key: {partition_key}"
        )


def _projection(index: Mapping[str, Any]) -> None:
    projection = index.get("Projection") or {}
    kind, names = projection.get("ProjectionType"), projection.get("NonKeyAttributes")
    if kind is None:
        refuse(f"{_INVALID}Unknown ProjectionType: null")
    if names and kind != "INCLUDE":
        refuse(f"{_INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified")
    if kind == "INCLUDE" and not names:
        refuse(f"{_INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified")


def _projected(indexes: Iterable[Mapping[str, Any]]) -> None:
    # The same name in two indexes counts twice.
    count = sum(len((index.get("Projection") or {}).get("NonKeyAttributes") or ()) for index in indexes)
    if count > MAX_PROJECTED_ATTRIBUTES:
        refuse(
            f"{_INVALID}Number of attributes projected into all indexes of the table, {count}, exceeds the per-table "
            f"limit of {MAX_PROJECTED_ATTRIBUTES}"
        )


def _definitions(table: Table, body: dict[str, Any], created: list[Mapping[str, Any]]) -> None:
    """Keep the definitions that the table has: moto forgets those that the request does not repeat."""
    given = {entry["AttributeName"]: entry for entry in body.get("AttributeDefinitions") or []}
    needed = [part["AttributeName"] for index in created for part in index["KeySchema"]]
    known = {entry["AttributeName"]: entry for entry in table.attr}
    missing = [name for name in needed if name not in given and name not in known]
    if missing:
        refuse(
            f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions. "
            f"Keys: [{', '.join(missing)}], AttributeDefinitions: [{', '.join({**known, **given})}]"
        )
    body["AttributeDefinitions"] = list({**known, **given}.values())
