"""TransactWriteItems and TransactGetItems: refused, done or cancelled as a whole, at twice the price."""

from __future__ import annotations

import decimal
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moto.dynamodb.comparisons import get_filter_expression
from moto.dynamodb.exceptions import (
    DynamodbException,
    MultipleTransactionsException,
    ResourceNotFoundException,
    TransactionCanceledException,
    TransactWriteSingleOpException,
)
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.responses import DynamoResult, ProjectionExpressionParser, validate_attributes_used

from ..model import sizes, units
from ..model.meters import MICROSECONDS
from ..model.units import Consumed
from . import counting, pages, validation
from .clock import clock
from .images import Image, image, plain_numbers, restore, stored, tidy
from .items import Handler, cut_stream, stream_length
from .metering import (
    CollectionFull,
    Spot,
    admit_transaction,
    charge,
    charge_write,
    check_collection,
    named,
    report_tables,
    spot_of,
)
from .schema import Schema, schema_of

TOKEN_SECONDS = 600
"""How long a ClientRequestToken makes a repeated transaction idempotent (API Reference, "TransactWriteItems")."""

Reason = tuple[str, str, Any] | tuple[None, None, None]
_FINE: Reason = (None, None, None)


@dataclass(frozen=True)
class _Action:
    """One action of a transaction and the item it is about, as it was before."""

    kind: str
    request: Mapping[str, Any]
    table: Any
    schema: Schema
    key: Mapping[str, Any]
    spot: Spot
    before: Image | None

    @property
    def table_name(self) -> str:
        """The table's name or ARN, as the request gives it."""
        name: str = self.request["TableName"]
        return name


@dataclass(frozen=True)
class _Done:
    """A transaction that was carried out, kept for its token: when, what it was, and what its replay reads."""

    when: int
    fingerprint: bytes
    reads: tuple[tuple[str, Spot, Consumed], ...]


class _Mismatch(DynamodbException):
    def __init__(self) -> None:
        code = "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"
        message = "Request parameters differ from those of the first request with the same ClientRequestToken"
        super().__init__(code, message)
        self.description = json.dumps({"__type": code, "Message": message})


def transact_write(handler: Any, original: Handler, detail: str) -> Any:
    """TransactWriteItems, ConditionCheck and the replay of a token included."""
    body = handler.body
    requests = body.get("TransactItems") or []
    _check_count(requests)
    _check_values(requests)
    fingerprint = hashlib.blake2b(json.dumps(requests, sort_keys=True, default=repr).encode()).digest()
    token, done = body.get("ClientRequestToken"), _remembered(handler.dynamodb_backend)
    if token in done:
        return _replay(done[token], fingerprint, detail)
    actions = _actions(handler, requests)
    admit_transaction([action.spot for action in actions], "write")
    try:
        result = original(handler)
    except TransactionCanceledException as cancelled:
        for action, code in zip(actions, counting.cancelled_for(cancelled), strict=True):
            charge(action.spot, units.cancelled_action(action.before))
            if code == "ConditionalCheckFailed":
                counting.condition_failed(action.table)
        raise
    consumed: dict[str, Consumed] = {}
    reads = []
    for action in actions:
        after = image(stored(action.table, action.key))
        if action.kind == "ConditionCheck":
            used = units.condition_check(action.before)
            charge(action.spot, used)
        else:
            written = units.write_item(action.before, after, action.schema.keys, action.schema.indexes)
            used = units.transactional(written)
            charge_write(action.spot, used, action.before, after)
        _add(consumed, action.table_name, used)
        again = units.replayed_transaction([(action.before, after)])
        reads.append((action.table_name, action.spot, again))
    if token is not None:
        done[token] = _Done(clock.microseconds, fingerprint, tuple(reads))
    return report_tables(result, detail, consumed, transactional=True)


def transact_get(handler: Any, original: Handler, detail: str) -> Any:
    """TransactGetItems. moto takes 25 of them, follows no projection and charges nothing for a missing item."""
    requests = handler.body.get("TransactItems") or []
    _check_count(requests)
    for request in requests:
        validation.values(request["Get"].get("Key", {}))
    actions = _actions(handler, requests)
    if sum(sizes.item_size(action.before or {}) for action in actions) > validation.TRANSACTION_BYTES:
        _too_large()
    admit_transaction([action.spot for action in actions], "read")
    consumed: dict[str, Consumed] = {}
    responses = []
    for action in actions:
        item = stored(action.table, action.key)
        paths = _projection(action.request)
        if item is not None and paths:
            item = pages.project(item, paths)
        responses.append({} if item is None else {"Item": item.attrs})
        used = units.get_item(action.before, consistency="transactional")
        charge(action.spot, used)
        _add(consumed, action.table_name, used)
    return report_tables(DynamoResult({"Responses": responses}), detail, consumed, transactional=True)


def run(backend: DynamoDBBackend, requests: list[dict[str, Any]]) -> None:
    """Stand in for moto's ``DynamoDBBackend.transact_write_items``.

    moto copies whole tables to go back to, and puts the copies in the place of the tables. Here all conditions are
    judged before anything is written, and what is written is undone item by item.
    """
    prepared = []
    reasons: list[Reason] = []
    for entry in requests:
        ((kind, request),) = entry.items()
        table = backend.get_table(request["TableName"])
        key = _key(kind, request, schema_of(table))
        prepared.append((kind, request, table, key))
        reasons.append(_judge(request, stored(table, key)))
    if any(code is not None for code, _, _ in reasons):
        raise TransactionCanceledException(reasons)
    undo = []
    for number, (kind, request, table, key) in enumerate(prepared):
        before = image(stored(table, key))
        undo.append((table, key, before, stream_length(table)))
        try:
            with decimal.localcontext(prec=sizes.MAX_NUMBER_DIGITS):
                _apply(backend, kind, request, key)
            if kind == "Update":
                item = stored(table, key)
                for value in item.attrs.values() if item else ():
                    tidy(value)
                after = image(item) or {}
                validation.refuse(validation.updated_fault(schema_of(table), after, before))
            schema = schema_of(table)
            if schema.local_indexes:
                check_collection(spot_of(table, schema, key), before, image(stored(table, key)))
        except Exception as fault:
            for there, that, image_before, records in reversed(undo):
                restore(there, that, image_before)
                cut_stream(there, records)
            if not isinstance(fault, DynamodbException):
                raise
            full = isinstance(fault, CollectionFull)
            code = "ItemCollectionSizeLimitExceeded" if full else "ValidationError"
            reasons[number] = (code, validation.operand_fault(fault) or str(fault.message), None)
            raise TransactionCanceledException(reasons) from None


def _judge(request: Mapping[str, Any], current: Any) -> Reason:
    condition = request.get("ConditionExpression")
    if condition is None:
        return _FINE
    names, given = request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues")
    if get_filter_expression(condition, names, given).expr(current):
        return _FINE
    show = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and current is not None
    item = current.to_json()["Attributes"] if show else None
    return "ConditionalCheckFailed", "The conditional request failed", item


def _apply(backend: DynamoDBBackend, kind: str, request: Mapping[str, Any], key: Mapping[str, Any]) -> None:
    name = request["TableName"]
    if kind == "Put":
        backend.put_item(name, request["Item"], overwrite=True)
    elif kind == "Delete":
        backend.delete_item(name, dict(key))
    elif kind == "Update":
        backend.update_item(
            name,
            dict(key),
            update_expression=request["UpdateExpression"],
            expression_attribute_names=request.get("ExpressionAttributeNames") or {},
            expression_attribute_values=request.get("ExpressionAttributeValues") or {},
        )


def _key(kind: str, request: Mapping[str, Any], schema: Schema) -> Mapping[str, Any]:
    if kind != "Put":
        key: Mapping[str, Any] = request["Key"]
        return key
    return {name: request["Item"][name] for name in schema.keys.names}


def _check_count(requests: list[Any]) -> None:
    if 1 <= len(requests) <= validation.TRANSACTION_ACTIONS:
        return
    shown = ", ".join("TransactItem" for _ in requests)
    bound = f"less than or equal to {validation.TRANSACTION_ACTIONS}" if requests else "greater than or equal to 1"
    validation.refuse(
        f"{sizes.VALIDATION_ENVELOPE}Value '[{shown}]' at 'transactItems' failed to satisfy constraint: "
        f"Member must have length {bound}"
    )


def _check_values(requests: list[dict[str, Any]]) -> None:
    for entry in requests:
        if len(entry) != 1:
            raise TransactWriteSingleOpException()
        ((_, request),) = entry.items()
        validation.values(request.get("Item") or request.get("Key") or {})
        validation.values(request.get("ExpressionAttributeValues") or {})


def _actions(handler: Any, requests: list[dict[str, Any]]) -> list[_Action]:
    """Find the item of each action, or refuse the request as the service does.

    An empty or too long key and an item that is too large refuse the request itself; a key of another type cancels the
    transaction.
    """
    found = []
    reasons: list[Reason] = []
    total = 0
    for entry in requests:
        ((kind, request),) = entry.items()
        table = named(handler, request["TableName"])
        if table is None:
            validation.missing_table(request["TableName"])
            raise ResourceNotFoundException()
        schema = schema_of(table)
        content = request.get("Item") if kind == "Put" else request.get("Key")
        reason = _fault(kind, schema, content or {})
        reasons.append(reason)
        total += sizes.item_size(content or {}) + sizes.item_size(request.get("ExpressionAttributeValues") or {})
        if reason is _FINE:
            plain_numbers(content or {})
            plain_numbers(request.get("ExpressionAttributeValues") or {})
            found.append((kind, request, table, schema, _key(kind, request, schema)))
    if total > validation.TRANSACTION_BYTES:
        _too_large()
    if any(code is not None for code, _, _ in reasons):
        raise TransactionCanceledException(reasons)
    by_table: dict[int, list[Any]] = {}
    actions = []
    for kind, request, table, schema, key in found:
        by_table.setdefault(id(table), []).append(key)
        before = image(stored(table, key))
        actions.append(_Action(kind, request, table, schema, key, spot_of(table, schema, key), before))
    for action in actions:
        if validation.duplicates(action.schema, by_table.pop(id(action.table), ())):
            raise MultipleTransactionsException()
    return actions


def _fault(kind: str, schema: Schema, content: Mapping[str, Any]) -> Reason:
    if kind != "Put":
        message = validation.key_fault(schema, content)
        if message is not None and "does not match the schema" not in message:
            validation.refuse(message)
    else:
        message = validation.type_fault(schema, content)
        if message is None:
            message = validation.item_fault(schema, content)
            if message is not None and "Type mismatch for Index Key" not in message:
                validation.refuse(message)
    return _FINE if message is None else ("ValidationError", message, None)


def _too_large() -> None:
    validation.refuse("The aggregate size of the items in the transaction exceeds the maximum allowed size of 4 MB")


def _replay(done: _Done, fingerprint: bytes, detail: str) -> Any:
    if done.fingerprint != fingerprint:
        raise _Mismatch()
    consumed: dict[str, Consumed] = {}
    for _, spot, _ in done.reads:
        spot.physics.settle(clock.microseconds)
    admit_transaction([spot for _, spot, _ in done.reads], "read")
    for name, spot, used in done.reads:
        charge(spot, used)
        _add(consumed, name, used)
    return report_tables(DynamoResult({}), detail, consumed, transactional=True)


def _remembered(backend: Any) -> dict[str, _Done]:
    # Kept in moto's backend itself, so that a fresh lab knows nothing of them.
    done: dict[str, _Done] = vars(backend).setdefault("_lab_transactions", {})
    oldest = clock.microseconds - TOKEN_SECONDS * MICROSECONDS
    # Oldest first: a dictionary keeps the order in which its keys came.
    for token in list(done):
        if done[token].when > oldest:
            break
        del done[token]
    return done


def _projection(request: Mapping[str, Any]) -> list[list[str | int]]:
    names = request.get("ExpressionAttributeNames") or {}
    parser: Any = ProjectionExpressionParser(request.get("ProjectionExpression"), names)
    paths: list[list[str | int]] = parser.parse()
    validate_attributes_used(names, parser.expr_attr_names_found, validation_error_prefix=False)
    return paths


def _add(consumed: dict[str, Consumed], name: str, used: Consumed) -> None:
    consumed[name] = consumed[name] + used if name in consumed else used
