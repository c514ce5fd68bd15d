"""ExecuteStatement, BatchExecuteStatement and ExecuteTransaction: each statement costs what it stands for.

moto reads every item of every table for each statement, with a parser that stumbles over common statements; here a
statement becomes the request that it means and takes the same way as that.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
from collections.abc import Callable, Iterable
from typing import Any

from moto.dynamodb.exceptions import (
    ConditionalCheckFailed,
    DynamodbException,
    ResourceNotFoundException,
    TransactionCanceledException,
)
from moto.dynamodb.models.utilities import dynamo_to_dict
from moto.dynamodb.responses import DynamoResult

from ..model import sizes
from ..model.units import Index
from . import counting, items, transactions, validation
from .items import Handler
from .metering import Refused, named
from .partiql import Condition, Expressions, Path, Statement, Value, equalities, parse
from .schema import Schema, schema_of

BATCH_STATEMENTS = 25
_RANGE = ("=", "<", "<=", ">", ">=", "between", "begins_with")
_KEYS_NEEDED = "Where clause does not contain a mandatory equality on all key attributes"
_PRIMARY_KEY_NEEDED = "Select statements within {} must specify the primary key in the where clause."
_MIXED = "ExecuteTransaction API does not support both read and write operations in the same request"
# "Using the EXISTS function with PartiQL for DynamoDB"; the words are the lab's own.
_EXISTS = "The EXISTS function can only be used in transactions"
_DUPLICATE = "Duplicate primary key exists in table"


class Duplicate(DynamodbException):
    """The service's DuplicateItemException: INSERT never replaces."""

    def __init__(self) -> None:
        super().__init__("com.amazonaws.dynamodb.v20120810#DuplicateItemException", _DUPLICATE)


class Statements:
    """The three operations; ``originals`` are moto's methods of the operations that statements stand for."""

    def __init__(self, originals: dict[str, Handler]) -> None:
        self.originals = originals

    # --- the operations ---------------------------------------------------------------------------------

    def execute(self, handler: Any, original: Handler, detail: str) -> Any:
        """ExecuteStatement."""
        body = handler.body
        statement, schema = self._parsed(handler, body)
        counting.statement_is(statement.verb)
        if statement.verb == "SELECT":
            return self._select(handler, statement, schema, body, detail)
        result = self._write(handler, statement, schema, body, detail)
        return DynamoResult({"Items": [result["Attributes"]] if result.get("Attributes") else [], **_capacity(result)})

    def batch(self, handler: Any, original: Handler, detail: str) -> Any:
        """BatchExecuteStatement: each statement succeeds or fails by itself."""
        requests = handler.body.get("Statements") or []
        if not 1 <= len(requests) <= BATCH_STATEMENTS:
            bound = f"less than or equal to {BATCH_STATEMENTS}" if requests else "greater than or equal to 1"
            validation.refuse(
                f"{sizes.VALIDATION_ENVELOPE}Value '[{', '.join('Statement' for _ in requests)}]' at 'statements' "
                f"failed to satisfy constraint: Member must have length {bound}"
            )
        self._check_one_kind(requests)
        responses, consumed, refusals = [], _Sum(), []
        for request in requests:
            response: dict[str, Any] = {}
            try:
                statement, schema = self._parsed(handler, request)
                counting.statements_are(statement.verb == "SELECT")
                response["TableName"] = statement.table
                result = self._one(handler, statement, schema, request, detail)
                consumed.add(result)
                if result.get("Item"):
                    response["Item"] = result["Item"]
            except Refused as refused:
                refusal = refused.refusal
                refusals.append(refusal)
                response["Error"] = {"Code": refusal.statement_code, "Message": refusal.message}
            except (DynamodbException, ResourceNotFoundException) as fault:
                response["Error"] = _error(fault)
            responses.append(response)
        if len(refusals) == len(responses):
            counting.throttled(refusals[0])
        answer: dict[str, Any] = {"Responses": responses}
        if consumed.entries:
            answer["ConsumedCapacity"] = list(consumed.entries.values())
        return DynamoResult(answer)

    def transaction(self, handler: Any, original: Handler, detail: str) -> Any:
        """ExecuteTransaction: all reads or all writes, as one transaction."""
        body = handler.body
        requests = body.get("TransactStatements") or []
        parsed = [self._parsed(handler, request) for request in requests]
        for number, (statement, _) in enumerate(parsed):
            failed = f"Validation failed in TransactStatements[{number}]: "
            if statement.returning != "NONE":
                validation.refuse(f"{failed}RETURNING clause is not supported in ExecuteTransaction.")
            if statement.verb in ("SELECT", "EXISTS") and statement.index:
                validation.refuse(f"{failed}Reads on indices are not supported within transactions.")
        reads = [statement.verb == "SELECT" for statement, _ in parsed]
        if any(reads) and not all(reads):
            validation.refuse(_MIXED)
        counting.statements_are(all(reads))
        actions = [self._action(*pair, request) for pair, request in zip(parsed, requests, strict=True)]
        run = transactions.transact_get if all(reads) else transactions.transact_write
        inner = {"TransactItems": actions}
        if "ClientRequestToken" in body and not all(reads):
            inner["ClientRequestToken"] = body["ClientRequestToken"]
        name = "transact_get_items" if all(reads) else "transact_write_items"
        try:
            result = self._as(handler, inner, lambda: run(handler, self.originals[name], detail)).result
        except TransactionCanceledException as cancelled:
            raise _renamed(cancelled, [statement.verb for statement, _ in parsed]) from None
        responses = result.get("Responses") or [{} for _ in actions]
        return DynamoResult({"Responses": responses, **_capacity(result)})

    # --- one statement ----------------------------------------------------------------------------------

    def _parsed(self, handler: Any, request: Any) -> tuple[Statement, Schema]:
        parameters = request.get("Parameters") or []
        validation.values({str(number): value for number, value in enumerate(parameters)})
        statement = parse(request.get("Statement", ""), parameters)
        table = named(handler, statement.table)
        if table is None:
            raise ResourceNotFoundException()
        return statement, schema_of(table)

    def _check_one_kind(self, requests: Iterable[Any]) -> None:
        """Refuse a batch that reads and writes ("Running Batch Operations with PartiQL"; words of the lab's own)."""
        verbs = set()
        for request in requests:
            with contextlib.suppress(DynamodbException):  # a statement that cannot be read fails by itself
                verbs.add(parse(request.get("Statement", ""), request.get("Parameters") or []).verb == "SELECT")
        if len(verbs) > 1:
            validation.refuse(_MIXED.replace("ExecuteTransaction", "BatchExecuteStatement"))

    def _as(self, handler: Any, body: dict[str, Any], run: Callable[[], Any]) -> Any:
        """Run with another request in the handler."""
        kept, handler.body = handler.body, body
        try:
            return run()
        finally:
            handler.body = kept

    def _one(self, handler: Any, statement: Statement, schema: Schema, request: Any, detail: str) -> dict[str, Any]:
        if statement.verb != "SELECT":
            result = self._write(handler, statement, schema, request, detail)
            return {"Item": result.get("Attributes"), **_capacity(result)}
        if not set(schema.keys.names) <= set(equalities(statement.where)) or statement.index:
            validation.refuse(_PRIMARY_KEY_NEEDED.format("BatchExecuteStatement"))
        result = self._select(handler, statement, schema, request, detail).result
        return {"Item": next(iter(result["Items"]), None), **_capacity(result)}

    def _select(self, handler: Any, statement: Statement, schema: Schema, request: Any, detail: str) -> Any:
        index = schema.index(statement.index) if statement.index else None
        if statement.index and index is None:
            validation.refuse("The table does not have the specified index")
        if index is not None and index.kind == "GSI" and request.get("ConsistentRead"):
            validation.refuse("Strongly consistent read is not supported on Global Secondary Indexes")
        _check_order(statement, schema, index)
        pages = _pages(statement, schema, index)
        number, start = _resume(request.get("NextToken"))
        found: list[Any] = []
        consumed = _Sum()
        answer: dict[str, Any] = {}
        for position in range(number, len(pages)):
            body = {**pages[position], "ConsistentRead": bool(request.get("ConsistentRead"))}
            if start:
                body["ExclusiveStartKey"] = start
            if request.get("Limit"):
                body["Limit"] = request["Limit"] - len(found)
            operation = "query" if "KeyConditionExpression" in body else "scan"
            page = self._as(handler, body, self._reader(handler, operation, detail)).result
            consumed.add(page)
            found += page["Items"]
            start = page.get("LastEvaluatedKey")
            full = bool(request.get("Limit")) and len(found) >= request["Limit"]
            if start is not None and not _whole_key(statement, schema):
                answer = {"NextToken": _token(position, start), "LastEvaluatedKey": start}
                break
            if full and position + 1 < len(pages):
                answer = {"NextToken": _token(position + 1, None)}
                break
        if any(len(path) > 1 for path in statement.projection):
            found = [_leaves(item, statement.projection) for item in found]
        for entry in consumed.entries.values():
            answer["ConsumedCapacity"] = entry
        return DynamoResult({"Items": found, **answer})

    def _reader(self, handler: Any, operation: str, detail: str) -> Callable[[], Any]:
        return lambda: items.read_page(handler, self.originals[operation], detail, partiql=True)

    def _write(self, handler: Any, statement: Statement, schema: Schema, request: Any, detail: str) -> dict[str, Any]:
        if statement.verb == "EXISTS":
            validation.refuse(_EXISTS)
        ((kind, body),) = self._action(statement, schema, request).items()
        if statement.returning != "NONE":
            body["ReturnValues"] = statement.returning
        run: Callable[[], Any]
        if kind == "Put":
            run = lambda: items.put_item(handler, self.originals["put_item"], detail, partiql=True)  # noqa: E731
        elif kind == "Update":
            run = lambda: items.update_item(handler, self.originals["update_item"], detail)  # noqa: E731
        else:
            run = lambda: items.delete_item(handler, self.originals["delete_item"], detail)  # noqa: E731
        try:
            result: dict[str, Any] = self._as(handler, body, run).result
        except ConditionalCheckFailed:
            if kind == "Put":
                raise Duplicate() from None
            raise
        return result

    def _action(self, statement: Statement, schema: Schema, request: Any) -> dict[str, dict[str, Any]]:
        """The statement as an action of a transaction; the same members make a request of their own."""
        expressions = Expressions()
        body: dict[str, Any] = {"TableName": statement.table}
        shown = request.get("ReturnValuesOnConditionCheckFailure")
        if shown:
            body["ReturnValuesOnConditionCheckFailure"] = shown
        if statement.verb == "INSERT":
            absent = Condition("missing", (schema.keys.partition_key,))
            body |= {"Item": statement.item, "ConditionExpression": expressions.condition(absent)}
            return {"Put": expressions.into(body)}
        given = equalities(statement.where)
        if not set(schema.keys.names) <= set(given):
            validation.refuse(_KEYS_NEEDED)
        body["Key"] = {name: given[name] for name in schema.keys.names}
        rest = [node for node in statement.where if not (node.kind == "=" and node.path[0] in schema.keys.names)]
        if statement.verb == "SELECT":
            if statement.projection:
                body["ProjectionExpression"] = ", ".join(expressions.path(path) for path in statement.projection)
            return {"Get": expressions.into(body)}
        if statement.verb in ("UPDATE", "EXISTS"):
            rest = [Condition("exists", (schema.keys.partition_key,)), *rest]
        if statement.verb == "UPDATE":
            body["UpdateExpression"] = expressions.update(statement)
        if rest:
            body["ConditionExpression"] = expressions.all_of(rest)
        kinds = {"UPDATE": "Update", "DELETE": "Delete", "EXISTS": "ConditionCheck"}
        return {kinds[statement.verb]: expressions.into(body)}


def _check_order(statement: Statement, schema: Schema, index: Index | None) -> None:
    """Refuse an ORDER BY that no sorted collection can serve."""
    if not statement.order:
        return
    if not statement.where:
        validation.refuse("Must have WHERE clause in the statement when using ORDER BY clause.")
    keys = index.key_names if index is not None else schema.keys.names
    for path in statement.order:
        if path[0] not in keys:
            validation.refuse(f"Attribute {path[0]} in ORDER BY clause must be part of the primary key")
    partition_key = index.partition_key if index is not None else (schema.keys.partition_key,)
    named = {str(node.path[0]) for node in statement.where if node.kind in ("=", "in")}
    if not set(partition_key) <= named:
        validation.refuse(
            "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
        )


def _pages(statement: Statement, schema: Schema, index: Index | None) -> list[dict[str, Any]]:
    """The queries that a SELECT stands for, one for each partition key that it names; or else one scan."""
    partition_key = index.partition_key if index is not None else (schema.keys.partition_key,)
    sort_key = index.sort_key[:1] if index is not None else schema.keys.names[1:]
    given = equalities(statement.where)
    choices = [node for node in statement.where if node.kind == "in" and node.path == partition_key]
    if set(partition_key) <= set(given):
        keys = [{name: given[name] for name in partition_key}]
    elif choices and len(partition_key) == 1:
        keys = [{partition_key[0]: value} for value in choices[0].values]
    else:
        return [_page(statement, index, None, [], list(statement.where))]
    rest = [node for node in statement.where if node not in choices[:1]]
    rest = [node for node in rest if not (node.kind == "=" and node.path[0] in partition_key)]
    ranges = [node for node in rest if node.kind in _RANGE and node.path == sort_key][:1]
    rest = [node for node in rest if node not in ranges]
    return [_page(statement, index, key, ranges, rest) for key in keys]


def _page(
    statement: Statement,
    index: Index | None,
    key: dict[str, Value] | None,
    ranges: list[Condition],
    rest: list[Condition],
) -> dict[str, Any]:
    expressions = Expressions()
    body: dict[str, Any] = {"TableName": statement.table}
    if index is not None:
        body["IndexName"] = index.name
    if key is not None:
        conditions = [Condition("=", (name,), (value,)) for name, value in key.items()]
        body["KeyConditionExpression"] = expressions.all_of([*conditions, *ranges])
        body["ScanIndexForward"] = not statement.descending
    if rest:
        body["FilterExpression"] = expressions.all_of(rest)
    if statement.projection and all(len(path) == 1 for path in statement.projection):
        body["ProjectionExpression"] = ", ".join(expressions.path(path) for path in statement.projection)
    return expressions.into(body)


def _leaves(item: dict[str, Any], paths: Iterable[Path]) -> dict[str, Any]:
    """What SELECT shows of an item: each path under its last name."""
    shown = {}
    for path in paths:
        value: Any = {"M": item}
        for part in path:
            inside = value.get("L" if isinstance(part, int) else "M")
            if (
                inside is None
                or (isinstance(part, int) and part >= len(inside))
                or (isinstance(part, str) and part not in inside)
            ):
                break
            value = inside[part]
        else:
            shown[str([part for part in path if isinstance(part, str)][-1])] = value
    return shown


def _whole_key(statement: Statement, schema: Schema) -> bool:
    """Whether at most one item can come of it: then a page cannot go on."""
    return not statement.index and set(schema.keys.names) <= set(equalities(statement.where))


class _Sum:
    """ConsumedCapacity of several results, added up table by table."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[str, Any]] = {}

    def add(self, result: dict[str, Any]) -> None:
        entry = result.get("ConsumedCapacity")
        if entry is not None:
            known = self.entries.get(entry["TableName"])
            self.entries[entry["TableName"]] = entry if known is None else _merged(known, entry)


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    merged = dict(one)
    for name, value in other.items():
        if isinstance(value, dict):
            merged[name] = _merged(one.get(name, {}), value)
        elif name != "TableName":
            merged[name] = one.get(name, 0.0) + value
    return merged


def _capacity(result: dict[str, Any]) -> dict[str, Any]:
    return {"ConsumedCapacity": result["ConsumedCapacity"]} if "ConsumedCapacity" in result else {}


def _token(position: int, start: Any) -> str:
    return base64.b64encode(json.dumps([position, start], default=_text).encode()).decode()


def _text(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else dynamo_to_dict(value)


def _resume(token: str | None) -> tuple[int, Any]:
    if token is None:
        return 0, None
    try:
        position, start = json.loads(base64.b64decode(token, validate=True))
    except (ValueError, binascii.Error):
        validation.refuse("Given NextToken is invalid")
        raise
    return int(position), start


def _error(fault: Any) -> dict[str, Any]:
    names = {
        "ValidationException": "ValidationError",
        "ConditionalCheckFailedException": "ConditionalCheckFailed",
        "DuplicateItemException": "DuplicateItem",
        "ResourceNotFoundException": "ResourceNotFound",
    }
    code = fault.error_type.split("#")[-1]
    error: dict[str, Any] = {"Code": names.get(code, code), "Message": fault.message}
    item = json.loads(fault.description).get("Item")
    return {**error, "Item": item} if item else error


def _renamed(cancelled: TransactionCanceledException, verbs: Iterable[str]) -> TransactionCanceledException:
    """A failed INSERT is a duplicate."""
    reasons: list[Any] = []
    for reason, verb in zip(json.loads(cancelled.description)["CancellationReasons"], verbs, strict=True):
        code, message = reason["Code"], reason.get("Message")
        if code == "ConditionalCheckFailed" and verb == "INSERT":
            code, message = "DuplicateItem", _DUPLICATE
        reasons.append((None, None, None) if code == "None" else (code, message, reason.get("Item")))
    return TransactionCanceledException(reasons)
