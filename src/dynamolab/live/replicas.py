"""Eventually consistent reads may be stale: two of a partition's three copies lag behind, and any of them answers.

Off until :func:`replica_lag` turns it on; the real lag is unpublished and usually far below a second. A write reaches
each lagging copy after a time of its own, never before an earlier write of the same item. A strongly consistent read is
answered by the copy that has everything; a global index has only copies that lag ("DynamoDB read consistency").
"""

from __future__ import annotations

import collections
import contextlib
import functools
import hashlib
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table

from ..arguments import is_number, shown
from ..errors import LabError
from ..model.meters import MICROSECONDS
from .clock import clock
from .isolation import require_running
from .metering import named
from .schema import schema_of

COPIES = 3
"""The copies of a partition. Number 0 takes the writes and has everything; the others lag."""


@dataclass(frozen=True)
class _Change:
    """A write that has not reached all copies: what was there before, and when each lagging copy will have it."""

    before: Item | None
    arrivals: tuple[int, ...]


@dataclass
class _Behind:
    """The changes of one table that are on their way, by partition key and sort key, oldest first."""

    changes: dict[DynamoType, dict[DynamoType | None, list[_Change]]] = field(default_factory=dict)
    queue: collections.deque[tuple[int, DynamoType, DynamoType | None]] = field(default_factory=collections.deque)
    """When each of them has surely arrived, in the order of the writes."""

    def arrive(self, now: int) -> None:
        """Forget what all copies have by now."""
        while self.queue and self.queue[0][0] <= now:
            _, hash_key, range_key = self.queue.popleft()
            items = self.changes[hash_key]
            items[range_key].pop(0)
            if not items[range_key]:
                del items[range_key]
            if not items:
                del self.changes[hash_key]


@dataclass
class _State:
    """One lab's copies: ``lag`` in microseconds, and what decides the seeded draws."""

    seed: int = 7
    lag: int = 0
    drawn: int = 0
    tables: weakref.WeakKeyDictionary[Table, _Behind] = field(default_factory=weakref.WeakKeyDictionary)
    reading: list[Table] = field(default_factory=list)

    def draw(self, *what: object) -> float:
        """The next number of a sequence that the seed fixes, from 0 up to 1."""
        self.drawn += 1
        raw = hashlib.blake2b(repr((self.seed, self.drawn, *what)).encode(), digest_size=8).digest()
        return int.from_bytes(raw, "big") / (1 << 64)


_state = _State()


MOST_SECONDS = 86_400
"""The longest lag of copies, a day."""


def replica_lag(seconds: float = 0.5) -> None:
    """Let copies lag by up to ``seconds`` of simulated time from now on; 0 turns it off.

    Writes that are on their way have arrived at once. Raises LabError unless ``seconds`` is a number from 0 up, and if
    the lab does not run.
    """
    require_running()
    if not is_number(seconds) or not 0 <= seconds <= MOST_SECONDS:
        raise LabError(
            f"The lag of copies is a number of seconds from 0 up to {MOST_SECONDS:,}, a day, not {shown(seconds)}; for "
            "example seconds=0.5."
        )
    _state.lag = round(seconds * MICROSECONDS)
    _state.tables.clear()


def reset(seed: int) -> None:
    """A new lab begins: no lag, and the draws start afresh from ``seed``."""
    global _state
    _state = _State(seed)


def save() -> Any:
    """What :func:`restore` takes: the lag, the draws and the writes on their way. Call :func:`reset` after it."""
    return _state


def restore(saved: Any) -> None:
    """Go back to what :func:`save` gave."""
    global _state
    _state = saved


def remembers() -> bool:
    """Whether writes have to be told to :func:`written`."""
    return _state.lag > 0


def written(table: Table, hash_key: DynamoType, range_key: DynamoType | None, before: Item | None) -> None:
    """Remember what a write replaced (None: nothing) until all copies have it. ``before`` must not change any more."""
    behind = _state.tables.get(table)
    if behind is None:
        behind = _state.tables[table] = _Behind()
    now = clock.microseconds
    behind.arrive(now)
    earlier = behind.changes.setdefault(hash_key, {}).setdefault(range_key, [])
    at_least = earlier[-1].arrivals if earlier else (now,) * (COPIES - 1)
    arrivals = tuple(max(least, now + int(_state.lag * _state.draw("write"))) for least in at_least)
    earlier.append(_Change(before, arrivals))
    behind.queue.append((now + _state.lag, hash_key, range_key))


def pick(*, index: bool = False) -> int:
    """Return the copy that answers an eventually consistent read; one that lags if a global index is read."""
    if _state.lag == 0:
        return 0
    return 1 + int(_state.draw("read") * (COPIES - 1)) if index else int(_state.draw("read") * COPIES)


def visible(
    table: Table, hash_key: DynamoType, range_key: DynamoType | None, current: Item | None, now: int, copy: int
) -> Item | None:
    """Return the item as one copy has it at ``now`` (microseconds), given the item as it is."""
    behind = _state.tables.get(table)
    if behind is None or copy == 0:
        return current
    for change in reversed(behind.changes.get(hash_key, {}).get(range_key, ())):
        if change.arrivals[copy - 1] <= now:
            break
        current = change.before
    return current


def eventual(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Let an operation that reads (handler, ...) see each table of its request as the answering copy has it.

    Changes nothing for a strongly consistent read, and for any while the lag is off.
    """

    @functools.wraps(operation)
    def read(handler: Any, *args: Any, **more: Any) -> Any:
        if _state.lag == 0:
            return operation(handler, *args, **more)
        with contextlib.ExitStack() as tables:
            for name, request in _requests(handler.body):
                table = named(handler, name)
                if table is not None and not request.get("ConsistentRead"):
                    tables.enter_context(_as_a_copy_has_it(table, request.get("IndexName")))
            return operation(handler, *args, **more)

    return read


def _requests(body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    batch = body.get("RequestItems")
    return list(batch.items()) if batch else [(body.get("TableName", ""), body)]


@contextlib.contextmanager
def _as_a_copy_has_it(table: Table, index_name: str | None) -> Iterator[None]:
    """For the time of a read, give moto's table the items of one copy."""
    state, now = _state, clock.microseconds
    if table in state.reading:  # a read within a read: the same copy
        yield
        return
    index = schema_of(table).index(index_name) if index_name else None
    copy = pick(index=index is not None and index.kind == "GSI")
    behind = state.tables.get(table)
    if behind is not None:
        behind.arrive(now)
    place: Any = table
    whole = table.items
    if behind is not None and behind.changes and copy > 0:
        place.items = _items(table, behind, now, copy)
    state.reading.append(table)
    try:
        yield
    finally:
        state.reading.remove(table)
        place.items = whole


def _items(table: Table, behind: _Behind, now: int, copy: int) -> dict[DynamoType, Any]:
    items: dict[DynamoType, Any] = dict(table.items)
    for hash_key, changed in behind.changes.items():
        there: Any
        if table.range_key_attr is None:
            there = visible(table, hash_key, None, items.get(hash_key), now, copy)
        else:
            there = dict(items.get(hash_key, {}))
            for range_key in changed:
                item = visible(table, hash_key, range_key, there.pop(range_key, None), now, copy)
                if item is not None:
                    there[range_key] = item
        if there:
            items[hash_key] = there
        else:
            items.pop(hash_key, None)
    return items
