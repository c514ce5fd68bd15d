"""Time to live: expired items are deleted on the clock's agenda, each at its own time, for nothing.

Rules and times are the model's (:mod:`dynamolab.model.ttl`). A table without TTL costs nothing. A table with it keeps
its planned deletions in a heap, and only the next one is on the agenda; what has been planned and is no longer true,
because the item was rescued or deleted, is found out when its time comes.
"""

from __future__ import annotations

import decimal
import functools
import heapq
import itertools
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from moto.dynamodb.exceptions import MockValidationException, ResourceNotFoundException
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table

from ..model import ttl
from . import metering, streams
from .clock import clock
from .images import every_item
from .patches import Patches

deleted: list[Callable[[Table, Item], None]] = []
"""Called with the table and the item after each deletion by TTL: what counts ``TimeToLiveDeletedItemCount``."""

Key = tuple[DynamoType, DynamoType | None]

_SPARE = 1024
"""Outdated deletions that a heap may hold, beside as many as there are true ones, before it is cleared of them."""


@dataclass(frozen=True)
class _Planned:
    """One deletion: true as long as the item under the key has this expiry."""

    key: Key
    expires: decimal.Decimal


@dataclass
class _Sweep:
    """The TTL of one table: its setting and the deletions to come."""

    setting: ttl.TimeToLive
    heap: list[tuple[int, int, _Planned]] = field(default_factory=list)
    latest: dict[Key, decimal.Decimal] = field(default_factory=dict)
    """The expiry last planned for a key; the deletion for it is in the heap."""
    armed: int | None = None
    clearing: bool = False
    order: Iterator[int] = field(default_factory=itertools.count)


_seed = 7
_sweeps: weakref.WeakKeyDictionary[Table, _Sweep] = weakref.WeakKeyDictionary()
_patches = Patches()


def reset(seed: int) -> None:
    """Take another seed for the lateness of deletions: a new lab begins, or :func:`save` is gone back to."""
    global _seed
    _seed = seed


def save() -> int:
    """The seed, for :func:`reset`. The deletions to come belong to their tables and to the clock's agenda."""
    return _seed


def install() -> None:
    """Let moto's two operations on TTL follow the model; a second call changes nothing."""
    if _patches:
        return
    update = DynamoDBBackend.update_time_to_live

    @functools.wraps(update)
    def update_time_to_live(backend: DynamoDBBackend, table_name: str, ttl_spec: dict[str, Any]) -> None:
        table = _table(backend, table_name)
        attribute = ttl_spec["AttributeName"] if ttl_spec["Enabled"] else None
        sweep = _sweeps.get(table) or _Sweep(ttl.TimeToLive(metering.parameters()))
        objection = sweep.setting.check(attribute, clock.microseconds)
        if objection is not None:
            raise MockValidationException(objection.message)
        update(backend, table_name, ttl_spec)
        _sweeps[table] = sweep
        in_force = sweep.setting.change(attribute, clock.microseconds)
        if in_force <= clock.microseconds:
            _begin(table, sweep)
        else:
            clock.at(in_force, lambda: _begin(table, sweep))

    @functools.wraps(DynamoDBBackend.describe_time_to_live)
    def describe_time_to_live(backend: DynamoDBBackend, table_name: str) -> dict[str, Any]:
        sweep = _sweeps.get(_table(backend, table_name))
        if sweep is None:
            return {"TimeToLiveStatus": "DISABLED"}
        now = clock.microseconds
        answer = {"TimeToLiveStatus": sweep.setting.status(now)}
        attribute = sweep.setting.attribute or sweep.setting.sweeps(now)
        if attribute is not None:
            answer["AttributeName"] = attribute
        return answer

    _patches.replace(DynamoDBBackend, "update_time_to_live", update_time_to_live)
    _patches.replace(DynamoDBBackend, "describe_time_to_live", describe_time_to_live)


def remove() -> None:
    """Give moto its operations back."""
    _patches.undo()


def written(table: Table, item: Item) -> None:
    """Plan the deletion of an item that was written, if its table's TTL is in force."""
    sweep = _sweeps.get(table)
    attribute = sweep.setting.sweeps(clock.microseconds) if sweep is not None else None
    if sweep is None or attribute is None:
        return
    _plan(table, sweep, attribute, item)
    _arm(table, sweep)
    if len(sweep.heap) > 2 * len(sweep.latest) + _SPARE and not sweep.clearing:
        # Not now: the write in hand may still be undone, and what was planned before it be true again.
        sweep.clearing = True
        clock.at(clock.microseconds, lambda: _clear(table, sweep))


def _begin(table: Table, sweep: _Sweep) -> None:
    """A change of the setting comes into force: plan the deletions of all items there are, or drop all."""
    sweep.heap.clear()
    sweep.latest.clear()
    attribute = sweep.setting.sweeps(clock.microseconds)
    if attribute is None or not _exists(table):
        return
    for item in every_item(table):
        _plan(table, sweep, attribute, item)
    _arm(table, sweep)


def _plan(table: Table, sweep: _Sweep, attribute: str, item: Item) -> None:
    expires = _expiry(item, attribute)
    key = item.hash_key, item.range_key
    if expires is None or sweep.latest.get(key) == expires:
        return
    when = ttl.deletion_time(
        {attribute: {"N": expires}},
        attribute,
        _seed,
        table.name,
        *[(part.type, part.value) for part in key if part is not None],
        # An item written when its time is long over is found as late after that as any other.
        enabled_since=max(sweep.setting.in_force_since, clock.microseconds),
        parameters=sweep.setting.parameters,
    )
    if when is not None:
        heapq.heappush(sweep.heap, (when, next(sweep.order), _Planned(key, expires)))
        sweep.latest[key] = expires


def _arm(table: Table, sweep: _Sweep) -> None:
    """Put the next deletion on the agenda, unless an earlier one or itself is there."""
    if sweep.heap and (sweep.armed is None or sweep.heap[0][0] < sweep.armed):
        sweep.armed = sweep.heap[0][0]
        clock.at(sweep.armed, lambda: _run(table, sweep))


def _run(table: Table, sweep: _Sweep) -> None:
    """Delete what is due now."""
    if not _exists(table):
        return
    now = clock.microseconds
    if sweep.armed is not None and sweep.armed <= now:
        sweep.armed = None
    attribute = sweep.setting.sweeps(now)
    while sweep.heap and sweep.heap[0][0] <= now:
        planned = heapq.heappop(sweep.heap)[2]
        if sweep.latest.get(planned.key) == planned.expires:
            del sweep.latest[planned.key]
        item = _find(table, planned.key)
        if item is not None and attribute is not None and _expiry(item, attribute) == planned.expires:
            _delete(table, planned.key, item)
    _arm(table, sweep)


def _clear(table: Table, sweep: _Sweep) -> None:
    """Drop the planned deletions that are no longer true, and what is planned twice."""
    sweep.clearing = False
    attribute = sweep.setting.sweeps(clock.microseconds)
    if attribute is None:
        return
    sweep.latest.clear()
    kept = []
    for entry in sorted(sweep.heap):  # a sorted list is a heap
        planned = entry[2]
        item = _find(table, planned.key)
        if item is not None and planned.key not in sweep.latest and _expiry(item, attribute) == planned.expires:
            sweep.latest[planned.key] = planned.expires
            kept.append(entry)
    sweep.heap = kept


def _delete(table: Table, key: Key, item: Item) -> None:
    with streams.by_the_service():
        table.delete_item(*key)
    if key[1] is not None and not table.items[key[0]]:
        del table.items[key[0]]
    for tell in deleted:
        tell(table, item)


def _expiry(item: Item, attribute: str) -> decimal.Decimal | None:
    value = item.attrs.get(attribute)
    return None if value is None else ttl.expiry({attribute: {value.type: value.value}}, attribute)


def _find(table: Table, key: Key) -> Item | None:
    found: Any = table.items.get(key[0])
    if found is None or key[1] is None:
        return found  # type: ignore[no-any-return]
    return found.get(key[1])  # type: ignore[no-any-return]


def _exists(table: Table) -> bool:
    there = dynamodb_backends[table.account_id][table.region_name].tables.get(table.name)
    return there is table


def _table(backend: DynamoDBBackend, name: str) -> Table:
    try:
        return backend.get_table(name)
    except ResourceNotFoundException:
        raise ResourceNotFoundException(table_name=name) from None
