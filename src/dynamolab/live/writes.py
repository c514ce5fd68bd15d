"""Every change of an item passes here, whichever operation made it: what must know of it is told.

Single writes, batches, transactions and statements all end in three methods of moto. TTL plans an item's deletion anew,
the lagging copies remember what was there before, and an update leaves one stream record, with its final image.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

from moto.dynamodb.exceptions import InvalidUpdateExpressionInvalidDocumentPath
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table

from . import expiry, replicas
from .images import stored
from .patches import Patches

_patches = Patches()


def install() -> None:
    """Listen to moto's writes; a second call changes nothing."""
    if _patches:
        return
    put, delete, update = Table.put_item, Table.delete_item, DynamoDBBackend.update_item

    @functools.wraps(put)
    def put_item(table: Table, item_attrs: dict[str, Any], *args: Any, **more: Any) -> Item:
        before = stored(table, item_attrs) if replicas.remembers() else None
        item = put(table, item_attrs, *args, **more)
        _tell(table, item, before)
        return item

    @functools.wraps(delete)
    def delete_item(table: Table, hash_key: DynamoType, range_key: DynamoType | None) -> Item | None:
        item = delete(table, hash_key, range_key)
        if item is not None and replicas.remembers():
            replicas.written(table, hash_key, range_key, item)
        return item

    @functools.wraps(update)
    def update_item(backend: DynamoDBBackend, table_name: str, key: dict[str, Any], *args: Any, **more: Any) -> Item:
        table = backend.get_table(table_name)
        # moto writes a new item twice, the first time with nothing but its key; the stream must not see that.
        shard, table.stream_shard = table.stream_shard, None
        try:
            # moto changes the stored item itself, so what it was has to be copied.
            wanted = shard is not None or replicas.remembers()
            before = copy.deepcopy(stored(table, key)) if wanted else None
            item = update(backend, table_name, key, *args, **more)
        finally:
            table.stream_shard = shard
        if shard is not None:
            shard.add(before, item)
        _tell(table, item, before)
        return item

    set_inside = DynamoType.__setitem__

    @functools.wraps(set_inside)
    def set_item(value: DynamoType, key: Any, new: Any) -> None:
        # moto passes over what cannot be done.
        if value.type != ("L" if isinstance(key, int) else "M"):
            raise InvalidUpdateExpressionInvalidDocumentPath()
        set_inside(value, key, new)

    _patches.replace(DynamoType, "__setitem__", set_item)
    _patches.replace(Table, "put_item", put_item)
    _patches.replace(Table, "delete_item", delete_item)
    _patches.replace(DynamoDBBackend, "update_item", update_item)


def remove() -> None:
    """Listen no longer."""
    _patches.undo()


def _tell(table: Table, item: Item, before: Item | None) -> None:
    if "AttributeName" in table.ttl:
        expiry.written(table, item)
    if replicas.remembers():
        replicas.written(table, item.hash_key, item.range_key, before)
