"""The gate in front of moto: each request is admitted or refused by the model, and charged what it really used.

moto owns the API, the gate owns the limit. For each request on items: which partitions does it touch; does the model
admit it now; if not, answer with the service's error and change nothing; if so, let moto run it and charge the images
before and after. ``ReturnConsumedCapacity`` is answered by the gate alone. What the service refuses and moto accepts
is refused here too.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

from moto.core.exceptions import JsonRESTError
from moto.dynamodb.exceptions import MockValidationException
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import Item
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler

from . import batches, comparing, control, counting, front, items, pages, transactions, validation
from .metering import Refused, as_answer, find_table, physics_of, throughput_of
from .patches import Patches
from .statements import Statements

__all__ = ["find_table", "install", "physics_of", "remove", "throughput_of"]

# moto is not made for threads; a learner who reads shards from a pool of threads must not meet that.
_lock = threading.RLock()
_patches = Patches()

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "put_item": items.put_item,
    "update_item": items.update_item,
    "delete_item": items.delete_item,
    "get_item": items.get_item,
    "query": items.read_page,
    "scan": items.read_page,
    "batch_write_item": batches.write_batch,
    "batch_get_item": batches.read_batch,
    "transact_write_items": transactions.transact_write,
    "transact_get_items": transactions.transact_get,
}
_CONTROLS: dict[str, Callable[..., Any]] = {
    "create_table": control.create_table,
    "update_table": control.update_table,
    "describe_table": control.describe_table,
    "delete_table": control.delete_table,
    "list_tables": control.list_tables,
    "update_time_to_live": validation.update_time_to_live,
    "describe_limits": control.describe_limits,
    "tag_resource": control.tags,
    "untag_resource": control.tags,
    "list_tags_of_resource": control.tags,
}


def install() -> None:
    """Put the gate in front of moto's handler; a second call changes nothing."""
    if _patches:
        return
    originals = {name: getattr(DynamoHandler, name) for name in _OPERATIONS}
    for name, operation in _OPERATIONS.items():
        _patches.replace(DynamoHandler, name, _gated(originals[name], operation))
    statements = Statements(originals)
    for name, execute in (
        ("execute_statement", statements.execute),
        ("batch_execute_statement", statements.batch),
        ("execute_transaction", statements.transaction),
    ):
        _patches.replace(DynamoHandler, name, _gated(getattr(DynamoHandler, name), execute))
    for name, operation in _CONTROLS.items():
        _patches.replace(DynamoHandler, name, _checked(getattr(DynamoHandler, name), operation))
    comparing.install()
    front.install()
    _patches.replace(Table, "describe", control.describe)
    _patches.replace(Table, "query", _query)
    _patches.replace(Table, "scan", lambda table, *args, **more: pages.scan(table, _reading(), *args, **more))
    _patches.replace(Item, "project", pages.project)
    _patches.replace(DynamoDBBackend, "transact_write_items", transactions.run)
    # The type that the service gives its validation errors on the wire.
    _patches.replace(MockValidationException, "error_type", "com.amazon.coral.validate#ValidationException")


def remove() -> None:
    """Give moto its handler back."""
    front.remove()
    comparing.remove()
    _patches.undo()


def _gated(original: Callable[[Any], Any], operation: Callable[..., Any]) -> Callable[[Any], Any]:
    original = validation.readable(original)
    action = "".join(word.capitalize() for word in original.__name__.split("_"))

    @functools.wraps(original)
    def method(handler: Any) -> Any:
        with _lock:
            counting.begin(action)
            try:
                validation.request(action, handler.body)
                result = operation(handler, original, validation.detail(handler.body))
            except Refused as refused:
                counting.throttled(refused.refusal)
                return refused.as_answer()
            except JsonRESTError as fault:
                counting.failed(fault)
                raise
            counting.done(result.result)
            return as_answer(result.result)

    method.is_gated = True  # type: ignore[attr-defined]
    return method


def _checked(original: Callable[[Any], Any], operation: Callable[..., Any]) -> Callable[[Any], Any]:
    operation = counting.controlled(operation)
    action = "".join(word.capitalize() for word in original.__name__.split("_"))

    @functools.wraps(original)
    def method(handler: Any) -> Any:
        with _lock:
            validation.request(action, handler.body)
            return operation(handler, original)

    method.is_gated = True  # type: ignore[attr-defined]
    return method


def _query(table: Table, hash_key: Any, *args: Any, **more: Any) -> Any:
    """Stand in for moto's ``Table.query``; a Query counts as one event of its partition key."""
    reading, name = _reading(), args[6]
    values = [value for _, value in more.get("hash_key_conditions") or ()] or [hash_key]
    key = counting.as_one([{value.type: value.value} for value in values])
    index = name if any(each.name == name for each in table.global_indexes) else None
    try:
        page = pages.query(table, reading, hash_key, *args, **more)
    except Refused as refused:
        counting.key_throttled(table, index, key, None, refused.refusal)
        raise
    counting.key_used(table, index, key, None, "read", reading.consumed.total)
    return page


def _reading() -> pages.Reading:
    return items.reading or pages.Reading()
