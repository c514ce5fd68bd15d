"""Requests that the service refuses and moto accepts: keys, values and sizes of items, and tables and indexes.

The limits are those of the AWS Developer Guide, page "Quotas in Amazon DynamoDB"; the wording is the service's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import botocore.session
from moto.dynamodb.exceptions import DynamodbException, MockValidationException, ResourceNotFoundException
from moto.dynamodb.models.table import Table

from ..model import sizes
from ..model.units import check_keys, index_entry, projected_names
from . import expressions, wire
from .schema import Schema, schema_of

MAX_GLOBAL_INDEXES = 20
MAX_LOCAL_INDEXES = 5
MAX_PROJECTED_ATTRIBUTES = 100
BATCH_WRITE_ITEMS = 25
BATCH_GET_ITEMS = 100
TRANSACTION_ACTIONS = 100
TRANSACTION_BYTES = 4 * 1024 * 1024
MIN_NAME, MAX_NAME = 3, 255
MAX_NAME_BYTES = 65_535
MAX_UNITS = 1_000_000_000_000
"""The largest number of units that the service reads at all; quotas are far below."""

_INVALID = "One or more parameter values were invalid: "
_SCHEMA = "The provided key element does not match the schema"
_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_DETAILS = ("TOTAL", "INDEXES", "NONE")
_ABOUT_NUMBERS = ("The parameter cannot be converted", "Number ", "Attempting to store")
# What moto raises where it stumbles over a request.
MISREAD = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
# In the order in which moto is likely to have stumbled: it reads update expressions well.
# Batches and transactions count their members themselves, and do not show them all.
_COUNTED_LATER = (
    *("BatchGetRequestMap", "KeyList", "BatchWriteItemRequestMap", "WriteRequests"),
    *("TransactGetItemList", "TransactWriteItemList", "PartiQLBatchRequest", "ParameterizedStatements"),
)
_EXPRESSIONS = (
    "KeyConditionExpression",
    "ConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
    "UpdateExpression",
)

Item = Mapping[str, Any]


class Limit(DynamodbException):
    """The service's LimitExceededException."""

    def __init__(self, message: str) -> None:
        super().__init__("com.amazonaws.dynamodb.v20120810#LimitExceededException", message)


def refuse(message: str | None) -> None:
    """Raise the service's ValidationException with this message; None lets the request pass."""
    if message is not None:
        raise MockValidationException(message)


def request(action: str, body: Mapping[str, Any]) -> None:
    """Refuse a request of this operation (``PutItem``) for what can be told from it alone, before its table is sought.

    In the service's order: the constraints of its members, then its expressions.
    """
    whole_table = action.endswith(("Table", "TimeToLive"))
    refuse(wire.broken_constraints(body, _form(action), whole_table=whole_table, passing_over=_COUNTED_LATER))
    if action == "Query" and body.get("KeyConditions") is None and body.get("KeyConditionExpression") is None:
        refuse("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
    if action in ("PutItem", "DeleteItem") and body.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        refuse("ReturnValues can only be ALL_OLD or NONE")
    if action == "Scan":
        _segments(body.get("Segment"), body.get("TotalSegments"))
    expressions.check(action, body)
    older(body)


def _segments(segment: int | None, total: int | None) -> None:
    absent = "parameter is required but was not present in the request when"
    if total is None and segment is not None:
        refuse(f"The TotalSegments {absent} Segment parameter is present")
    elif total is not None and segment is None:
        refuse(f"The Segment {absent} parameter TotalSegments is present")
    elif total is not None and segment is not None and segment >= total:
        refuse(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total}"
        )


@functools.cache
def _form(action: str) -> Any:
    """botocore's description of the operation's request."""
    return botocore.session.get_session().get_service_model("dynamodb").operation_model(action).input_shape


def detail(body: dict[str, Any]) -> str:
    """Take ReturnConsumedCapacity out of the request: the gate alone answers it."""
    wanted: str = body.pop("ReturnConsumedCapacity", "NONE")
    if wanted not in _DETAILS:
        refuse(
            f"{sizes.VALIDATION_ENVELOPE}Value '{wanted}' at 'returnConsumedCapacity' failed to satisfy constraint: "
            "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
        )
    return wanted


# --- expressions --------------------------------------------------------------------------------------------


def readable(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wrap an operation of moto's, so that what it stumbles over is refused as the service refuses it.

    moto fails on some malformed expressions with Python's own errors. An error of the lab's own code is left alone.
    """

    @functools.wraps(original)
    def operation(handler: Any) -> Any:
        if original.__name__ == "update_item":
            handler.body.setdefault("AttributeUpdates", {})  # Both ways to say what to change may be left out.
        try:
            return original(handler)
        except MISREAD as fault:
            if not of_moto(fault):
                raise
            raise MockValidationException(_unreadable(handler.body, fault)) from fault

    return operation


def of_moto(fault: BaseException) -> bool:
    """Say whether moto's code failed, rather than the lab's code that moto called."""
    ours, step = False, fault.__traceback__
    while step is not None:
        package = str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        ours = package == "dynamolab" if package in ("dynamolab", "moto") else ours
        step = step.tb_next
    return not ours


def _unreadable(body: Mapping[str, Any], fault: Exception) -> str:
    found = sorted(_expressions(body), key=lambda entry: _EXPRESSIONS.index(entry[0]))
    reason = str(fault.args[0]) if fault.args else ""
    if isinstance(fault, KeyError) and reason[:1] in ("#", ":"):
        member = next((member for member, text in found if reason in text), "Expression")
        if reason[0] == "#":
            words = "name used in the document path is not defined; attribute name"
        else:
            words = "value used in expression is not defined; attribute value"
        return f"Invalid {member}: An expression attribute {words}: {reason}"
    if found:
        return f"Invalid {found[0][0]}: Syntax error; {reason or 'it cannot be read'}"
    return f"The lab could not read this request ({type(fault).__name__}: {reason})."


def _expressions(body: Any) -> Iterator[tuple[str, str]]:
    """Every expression of a request, with the name of its member; a transaction has them further down."""
    for member, content in body.items() if isinstance(body, Mapping) else ():
        if member in _EXPRESSIONS and isinstance(content, str):
            yield member, content
        elif isinstance(content, list):
            for entry in content:
                yield from _expressions(entry)
        else:
            yield from _expressions(content)


# --- the older parameters -----------------------------------------------------------------------------------

_VALUES_NEEDED = {"NULL": (0, 0), "NOT_NULL": (0, 0), "BETWEEN": (2, 2), "IN": (1, 100)}
_OPERAND_TYPES = {
    **dict.fromkeys(("LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN", "BETWEEN"), ("S", "N", "B")),
    **dict.fromkeys(("EQ", "NE"), ("S", "N", "B", "SS", "NS", "BS")),
    "BEGINS_WITH": ("S", "B"),
}


def older(body: Mapping[str, Any]) -> None:
    """Refuse what the service refuses of the parameters that were before expressions ("Legacy conditional parameters").

    The words are those that dynalite's tests recorded of the service.
    """
    wanted = body.get("AttributesToGet") or []
    twice = next((name for number, name in enumerate(wanted) if name in wanted[:number]), None)
    if twice is not None:
        refuse(f"{_INVALID}Duplicate value in attribute name: {twice}")
    for member in ("KeyConditions", "QueryFilter", "ScanFilter"):
        for entry in (body.get(member) or {}).values():
            _older_values(entry["ComparisonOperator"], entry.get("AttributeValueList") or [])
    for entry in (body.get("AttributeUpdates") or {}).values():
        _older_update(entry)
    for name, entry in (body.get("Expected") or {}).items():
        _older_expected(name, entry)


def _older_values(comparison: str, given: list[Mapping[str, Any]]) -> None:
    least, most = _VALUES_NEEDED.get(comparison, (1, 1))
    if not least <= len(given) <= most:
        refuse(f"{_INVALID}Invalid number of argument(s) for the {comparison} ComparisonOperator")
    kinds = [next(iter(value), "") for value in given]
    if len(set(kinds)) > 1:
        refuse(f"{_INVALID}AttributeValues inside AttributeValueList must be of same type")
    allowed = _OPERAND_TYPES.get(comparison)
    if kinds and allowed and kinds[0] not in allowed:
        refuse(f"{_INVALID}ComparisonOperator {comparison} is not valid for {kinds[0]} AttributeValue type")
    readable_values = sizes.check_values({str(number): value for number, value in enumerate(given)}) is None
    if comparison == "BETWEEN" and readable_values and not expressions.ordered(given[0], given[1]):
        refuse("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")


def _older_update(entry: Mapping[str, Any]) -> None:
    action, value = entry.get("Action", "PUT"), entry.get("Value")
    if value is None:
        if action != "DELETE":
            refuse(f"{_INVALID}Only DELETE action is allowed when no attribute value is specified")
        return
    kind = next(iter(value), "")
    if action == "DELETE" and kind not in ("SS", "NS", "BS"):
        refuse(f"{_INVALID}DELETE action with value is not supported for the type {kind}")
    if action == "ADD" and kind not in ("N", "SS", "NS", "BS", "L"):
        refuse(f"{_INVALID}ADD action is not supported for the type {kind}")


def older_keys(schema: Schema, body: Mapping[str, Any]) -> None:
    """Refuse AttributeUpdates of a key."""
    for name in body.get("AttributeUpdates") or ():
        if name in schema.keys.names:
            refuse(f"{_INVALID}Cannot update attribute {name}. This attribute is part of the key")


def _older_expected(name: str, entry: Mapping[str, Any]) -> None:
    given, value, exists = entry.get("AttributeValueList"), entry.get("Value"), entry.get("Exists")
    comparison = entry.get("ComparisonOperator")
    about = f"for Attribute: {name}"
    if given is not None and value is not None:
        refuse(f"{_INVALID}Value and AttributeValueList cannot be used together {about}")
    if comparison is not None:
        if exists is not None:
            refuse(f"{_INVALID}Exists and ComparisonOperator cannot be used together {about}")
        if comparison not in ("NULL", "NOT_NULL") and given is None and value is None:
            words = f"Value or AttributeValueList must be used with ComparisonOperator: {comparison}"
            refuse(f"{_INVALID}{words} {about}")
        _older_values(comparison, given if given is not None else [value] if value is not None else [])
    elif given is not None:
        refuse(f"{_INVALID}AttributeValueList can only be used with a ComparisonOperator {about}")
    elif exists is not False and value is None:
        shown = "null" if exists is None else "true"
        refuse(f"{_INVALID}Value must be provided when Exists is {shown} {about}")
    elif exists is False and value is not None:
        refuse(f"{_INVALID}Value cannot be used when Exists is false {about}")


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


def operand_fault(fault: BaseException) -> str | None:
    """The message for an operand of an update that has the wrong type in the item; None for another fault.

    What the request alone shows was refused before; moto tells both in the same words.
    """
    message = str(getattr(fault, "message", ""))
    if "Incorrect operand type for operator or function" not in message:
        return None
    return "An operand in the update expression has an incorrect data type"


def reading(
    schema: Schema, index_name: str | None, body: Mapping[str, Any], conditions: int, *, by_key: bool = False
) -> None:
    """Refuse a Query or Scan of what its index does not have, and a Query that filters by its key.

    ``conditions`` is the number of conditions of its KeyConditionExpression; ``by_key`` lets it filter by the key, as
    a statement may. Words: dynalite for filters, public
    reports and paritysuite/dynamodb-conformance for the others.
    """
    index = schema.index(index_name) if index_name else None
    names = body.get("ExpressionAttributeNames") or {}
    keys = index.key_names if index is not None else schema.keys.names
    if conditions > len(keys):
        refuse(
            f"The number of query conditions ({conditions}) exceeds the number of key attributes defined in the "
            f"schema ({len(keys)})"
        )
    is_query = conditions > 0 or bool(body.get("KeyConditions"))
    filtered = expressions.attributes("FilterExpression", body.get("FilterExpression") or "", names)
    older_filter = body.get("QueryFilter") or {}
    for name in (*filtered, *older_filter) if is_query and not by_key else ():
        if name in keys:
            kind = "Filter Expression" if filtered else "QueryFilter"
            refuse(f"{kind} can only contain non-primary key attributes: Primary key attribute: {name}")
    if index is None:
        return
    projected = projected_names(index, schema.keys)
    if projected is None:
        return
    shown = expressions.attributes("ProjectionExpression", body.get("ProjectionExpression") or "", names)
    missing = [name for name in shown or body.get("AttributesToGet") or () if name not in projected]
    if missing and index.kind == "GSI":
        refuse(f"{_INVALID}Global secondary index {index.name} does not project [{', '.join(missing)}]")
    missing = sorted(name for name in (*filtered, *older_filter) if name not in projected) if is_query else []
    if missing:
        refuse(
            f"{_INVALID}Secondary index {index.name} does not project one or more filter attributes: "
            f"[{', '.join(missing)}]"
        )


def item_fault(schema: Schema, item: Item) -> str | None:
    """The message for an item that may not be put into the table: its keys, its index keys, its size."""
    message = name_fault(item) or type_fault(schema, item) or check_keys(item, schema.keys)
    if message is None and schema.indexes:
        message = index_fault(schema, item)
    return message or size_fault(schema, item)


def name_fault(item: Item) -> str | None:
    """The message for an attribute without a name or with one of 64 KB or more, or None (words of the lab's own)."""
    for name in item:
        if not 0 < len(name) <= MAX_NAME_BYTES or len(name.encode()) > MAX_NAME_BYTES:
            size = len(name.encode())
            return f"{_INVALID}An attribute's name has from 1 to {MAX_NAME_BYTES} bytes, not {size}"
    return None


def size_fault(schema: Schema, item: Item, *, update: bool = False) -> str | None:
    """The message for an item of more than 400 KB with its local indexes' entries, or None."""
    local = 0
    for index in schema.local_indexes:
        local += sizes.item_size(index_entry(item, index, schema.keys) or {})
    return sizes.check_size(sizes.item_size(item), update=update, local_index_bytes=local)


def updated_fault(schema: Schema, after: Item, before: Item | None) -> str | None:
    """The message for what an update has made of an item, or None."""
    message = name_fault(after) or sizes.check_values(after)
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


def create_table(body: Mapping[str, Any]) -> None:
    """CreateTable: names, key schemas, units, and the numbers of indexes and projected attributes."""
    table_name(body)
    _names(
        body["TableName"], _indexes(body), missing=[m for m in ("KeySchema", "AttributeDefinitions") if m not in body]
    )
    _throughput(body)
    stream(body)
    _few_keys(body["KeySchema"])
    defined = [entry["AttributeName"] for entry in body["AttributeDefinitions"]]
    if len(set(defined)) < len(body["KeySchema"]):
        refuse("Invalid KeySchema: Some index key attribute have no definition")
    _defined(body["KeySchema"], defined)
    _key_schema(body["KeySchema"])
    local, everywhere = body.get("LocalSecondaryIndexes") or [], body.get("GlobalSecondaryIndexes") or []
    if local and len(body["KeySchema"]) != 2:
        refuse(
            f"{_INVALID}Table KeySchema does not have a range key, which is required when specifying a "
            "LocalSecondaryIndex"
        )
    seen: set[str] = set()
    for index in [*local, *everywhere]:
        _defined(index["KeySchema"], defined)
    for index in local:
        _local_index(index, body["KeySchema"][0]["AttributeName"])
    for index in [*local, *everywhere]:
        if index["IndexName"] in seen:
            refuse(f"{_INVALID}Duplicate index name: {index['IndexName']}")
        seen.add(index["IndexName"])
        _key_schema(index["KeySchema"], several=index in everywhere)
        _projection(index)
    for index in everywhere:
        index_throughput(index, body.get("BillingMode", "PROVISIONED"))
    if len(local) > MAX_LOCAL_INDEXES:
        refuse(f"{_INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of {MAX_LOCAL_INDEXES}")
    if len(everywhere) > MAX_GLOBAL_INDEXES:
        refuse(f"{_INVALID}GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GLOBAL_INDEXES}")
    _projected([*local, *everywhere])


def update_table(body: Mapping[str, Any]) -> None:
    """UpdateTable: something to change, and each index once."""
    table_name(body)
    unnoticed = ("TableName", "AttributeDefinitions")
    asked = {name for name, value in body.items() if name not in unnoticed and (value or value is False)}
    if not asked:
        # A local index is no parameter of UpdateTable, so asking for one asks for nothing.
        refuse(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or "
            "SSESpecification or ReplicaUpdates is required"
        )
    stream(body)
    changes = body.get("GlobalSecondaryIndexUpdates")
    if changes is not None and not changes:
        refuse(f"{_INVALID}List of GlobalSecondaryIndexUpdates is empty")
    seen: set[str] = set()
    for change in changes or ():
        if not any(change.get(kind) for kind in ("Update", "Create", "Delete")):
            refuse(
                f"{_INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                "GlobalSecondaryIndexUpdate.Delete must not be null"
            )
        name = next(change[kind]["IndexName"] for kind in ("Update", "Create", "Delete") if change.get(kind))
        if name in seen:
            refuse(
                f"{_INVALID}Only one global secondary index update per index is allowed simultaneously. Index: {name}"
            )
        seen.add(name)
    created = [change["Create"] for change in changes or () if change.get("Create")]
    _together(asked, bool(created), any(change.get("Delete") for change in changes or ()))
    _names(body["TableName"], [("globalSecondaryIndexUpdates", ".create", n, c) for n, c in enumerate(created, 1)])
    for index in created:
        _key_schema(index["KeySchema"], several=True)
        _projection(index)


def _together(asked: set[str], creates: bool, deletes: bool) -> None:
    """What one UpdateTable may not ask for together."""
    for member, besides, words in (
        ("DeletionProtectionEnabled", set(), "DeletionProtection modification must be the only operation in the "
                                             "request"),
        ("OnDemandThroughput", {"BillingMode"}, "OnDemandThroughput can only be combined with BillingMode in an "
                                                "UpdateTable request"),
    ):  # fmt: skip
        if member in asked and asked - {member} - besides:
            refuse(f"{_INVALID}{words}")
    if "WarmThroughput" in asked and creates:
        refuse(f"{_INVALID}Create global secondary index cannot be specified when updating WarmThroughput")
    if "WarmThroughput" in asked and asked != {"WarmThroughput"}:
        refuse(f"{_INVALID}WarmThroughput must be the only operation in the request")
    if "StreamSpecification" in asked and "ProvisionedThroughput" in asked:
        refuse(f"{_INVALID}You cannot modify stream status while updating table IOPS")
    occupied = {"ProvisionedThroughput": "updating table IOPS", "StreamSpecification": "changing stream status"}
    for member, doing in occupied.items():
        if member in asked and (creates or deletes):
            refuse(f"{_INVALID}You cannot create or delete index while {doing}")


def index_throughput(index: Mapping[str, Any], mode: str, *, updating: bool = False) -> None:
    """A new global index has units of its own in provisioned mode, and none in on-demand mode."""
    given, name = index.get("ProvisionedThroughput"), index["IndexName"]
    if mode == "PAY_PER_REQUEST" and given:
        refuse(
            f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {name} when "
            "BillingMode is PAY_PER_REQUEST"
            if updating
            else f"{_INVALID}ProvisionedThroughput should not be specified for index: {name} when BillingMode is "
            "PAY_PER_REQUEST"
        )
    if mode != "PAY_PER_REQUEST" and not given:
        refuse(
            f"{_INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {name}"
            if updating
            else f"{_INVALID}ProvisionedThroughput is not specified for index: {name}"
        )


def index_changes(table: Table, created: list[Mapping[str, Any]]) -> None:
    """UpdateTable: how many global indexes the table may have, and what they may project."""
    there = {index.name for index in schema_of(table).indexes}
    if any(index["IndexName"] in there for index in created):
        refuse("Attempting to create an index which already exists")
    if len(table.global_indexes) + len(created) > MAX_GLOBAL_INDEXES:
        raise Limit(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
            f"{MAX_GLOBAL_INDEXES}"
        )
    _projected([{"Projection": index.projection} for index in table.all_indexes()] + created)


def table_name(body: Mapping[str, Any]) -> None:
    """Refuse a request on a table as a whole without a name, or with one too short or too long."""
    name = body.get("TableName")
    if name is None:
        refuse("The parameter 'TableName' is required but was not present in the request")
    elif not name.startswith("arn:") and not MIN_NAME <= len(name) <= MAX_NAME:
        refuse(f"TableName must be at least {MIN_NAME} characters long and at most {MAX_NAME} characters long")


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


def _names(table: str, indexes: Iterable[tuple[str, str, int, Any]], missing: Iterable[str] = ()) -> None:
    places = [("tableName", table)] if not table.startswith("arn:") else []
    places += [(f"{member}.{n}.member{more}.indexName", index["IndexName"]) for member, more, n, index in indexes]
    faults = [
        f"Value null at '{name[0].lower()}{name[1:]}' failed to satisfy constraint: Member must not be null"
        for name in missing
    ]
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


def _throughput(body: Mapping[str, Any]) -> None:
    given = body.get("ProvisionedThroughput")
    if body.get("BillingMode") == "PAY_PER_REQUEST":
        if given:
            refuse(
                f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                "PAY_PER_REQUEST"
            )
    elif not given:
        refuse(
            f"{_INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        )
    for name, units in (given or {}).items():
        if units > MAX_UNITS:
            refuse(f"Given value {units} for {name} is out of bounds")


def _few_keys(schema: list[Mapping[str, str]]) -> None:
    if len(schema) > 2:
        shown = ", ".join(
            f"KeySchemaElement(attributeName={part['AttributeName']}, keyType={part['KeyType']})" for part in schema
        )
        refuse(
            f"{sizes.VALIDATION_ENVELOPE}Value '[{shown}]' at 'keySchema' failed to satisfy constraint: "
            "Member must have length less than or equal to 2"
        )


def _defined(schema: list[Mapping[str, str]], defined: list[str]) -> None:
    names = [part["AttributeName"] for part in schema]
    if not set(names) <= set(defined):
        refuse(
            f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions. "
            f"Keys: [{', '.join(names)}], AttributeDefinitions: [{', '.join(defined)}]"
        )


def _key_schema(schema: list[Mapping[str, str]], *, several: bool = False) -> None:
    """``several``: of a global index, whose keys may have several attributes each."""
    kinds = [part["KeyType"] for part in schema]
    if kinds[:1] == ["RANGE"]:
        refuse("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if kinds == ["HASH", "HASH"] and not several:
        refuse("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
    if len(schema) == 2 and schema[0]["AttributeName"] == schema[1]["AttributeName"]:
        refuse("Both the Hash Key and the Range Key element in the KeySchema have the same name")


def stream(body: Mapping[str, Any]) -> None:
    """Refuse a stream without its view, and a view without a stream (words of the lab's own)."""
    given = body.get("StreamSpecification") or {}
    enabled, view = given.get("StreamEnabled"), given.get("StreamViewType")
    if enabled and view is None:
        refuse(f"{_INVALID}StreamViewType is required when StreamEnabled is true")
    if enabled is False and view is not None:
        refuse(f"{_INVALID}StreamViewType cannot be specified when StreamEnabled is false")


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


def definitions(table: Table, body: dict[str, Any], created: list[Mapping[str, Any]]) -> None:
    """Put into the request what the table's definitions will be: those that a key needs, and no others.

    moto forgets those that a request does not repeat, and keeps those of an index that has gone.
    """
    given = {entry["AttributeName"]: entry for entry in body.pop("AttributeDefinitions", None) or []}
    needed = [part["AttributeName"] for index in created for part in index["KeySchema"]]
    known = {entry["AttributeName"]: entry for entry in table.attr}
    missing = [name for name in needed if name not in given and name not in known]
    if missing:
        refuse(
            f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions. "
            f"Keys: [{', '.join(missing)}], AttributeDefinitions: [{', '.join({**known, **given})}]"
        )
    deleted = {
        change["Delete"]["IndexName"]
        for change in body.get("GlobalSecondaryIndexUpdates") or ()
        if change.get("Delete")
    }
    if not created and not deleted:
        return
    left = [index for index in table.all_indexes() if index.name not in deleted]
    kept = {*needed, *table.table_key_attrs, *(part["AttributeName"] for index in left for part in index.schema)}
    body["AttributeDefinitions"] = [entry for name, entry in {**given, **known}.items() if name in kept]
