"""What the fuzzer knows of the lab: tables, items, streams and metrics as they should be, told by nobody but itself.

The lab's own objects are looked at in :class:`Levels` and :meth:`Table.stored` alone: what is stored and what the
buckets hold cannot be asked of the service.
"""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dynamolab.live import metering
from dynamolab.live.clock import clock
from dynamolab.live.images import every_item, image
from dynamolab.model.keyspace import place_of

from .arithmetic import (
    MAX_HASH,
    MAX_ITEM,
    MAX_RANGE,
    Bill,
    Index,
    Item,
    item_bytes,
    number,
    same,
    same_item,
    value_bytes,
)

SIDES = ("read", "write")
CEILING = {"read": 3000, "write": 1000}
FIRST_ON_DEMAND = {"read": 12_000, "write": 4_000}
BURST_SECONDS = {"PROVISIONED": 300, "PAY_PER_REQUEST": 2}
INDEX_BUFFER = 3000
TTL_SECONDS = 3600
TTL_LATEST = 172_800
DAY = 86_400
SECOND = 1_000_000

Key = tuple[Any, ...]


@dataclass
class Stream:
    """A stream and its records: each a group, in which the order is not known (TTL deletions of one jump)."""

    arn: str
    view: str
    whole: bool
    """Whether it began with its table."""
    groups: list[tuple[int, int, list[dict[str, Any]]]] = field(default_factory=list)
    """(earliest, latest time of making, records)."""
    is_open: bool = True
    closed: int = 0


@dataclass
class Ttl:
    """TTL's setting, the one before it, and when it was changed."""

    attribute: str | None
    previous: str | None
    changed: int

    def in_force(self, now: int) -> str | None:
        return self.attribute if now >= self.changed + TTL_SECONDS * SECOND else self.previous


@dataclass
class Table:
    """One table as it should be."""

    name: str
    keys: tuple[str, ...]
    types: dict[str, str]
    indexes: list[Index]
    mode: str
    units: dict[str | None, dict[str, int]]
    """Provisioned units of the table (None) and of each global index."""
    items: dict[Key, Item] = field(default_factory=dict)
    written: dict[Key, int] = field(default_factory=dict)
    streams: list[Stream] = field(default_factory=list)
    ttl: Ttl | None = None
    born: int = 0
    pending: list[tuple[int, str, dict[str | None, dict[str, int]]]] = field(default_factory=list)
    auto: bool = False
    """Whether auto scaling changes the units by itself."""
    was_on_demand: bool = False

    @property
    def globals(self) -> list[Index]:
        return [index for index in self.indexes if not index.is_local]

    @property
    def locals(self) -> list[Index]:
        return [index for index in self.indexes if index.is_local]

    @property
    def stream(self) -> Stream | None:
        return self.streams[-1] if self.streams and self.streams[-1].is_open else None

    def index(self, name: str) -> Index:
        return next(index for index in self.indexes if index.name == name)

    def key(self, item: Item) -> Key:
        return tuple(same(item[name]) for name in self.keys)

    def key_of(self, item: Item) -> Item:
        return {name: item[name] for name in self.keys}

    def key_is_wrong(self, key: Item) -> bool:
        if set(key) != set(self.keys):
            return True
        return any(self.types[name] not in key[name] or self._bad(key[name], name == self.keys[-1] != self.keys[0])
                   for name in self.keys)  # fmt: skip

    @staticmethod
    def _bad(value: Item, is_range: bool) -> bool:
        if "N" in value and number(value["N"]).adjusted() > 125:
            return True
        return value in ({"S": ""}, {"B": b""}) or value_bytes(value) > (MAX_RANGE if is_range else MAX_HASH)

    def item_is_wrong(self, item: Item) -> bool:
        """Whether the service refuses to store it."""
        if any(name not in item for name in self.keys) or self.key_is_wrong(self.key_of(item)):
            return True
        for index in self.indexes:
            for name in index.keys:
                if name in item and (self.types[name] not in item[name] or self._bad(item[name], name in index.ranges)):
                    return True
        return item_bytes(item) + self.local_bytes(item) > MAX_ITEM

    def local_bytes(self, item: Item | None) -> int:
        return sum(item_bytes(index.entry(item, self.keys)) for index in self.locals)

    # --- what happens -------------------------------------------------------------------------------------------------

    def write(
        self, key: Item, after: Item | None, now: int, *, by_ttl: bool = False, alone: bool = True
    ) -> dict[str, Any] | None:
        """Store it; returns the stream record that must follow, which is entered here unless it is not ``alone``."""
        place = self.key(key)
        before = self.items.pop(place, None)
        if after is not None:
            self.items[place] = after
            self.written[place] = now
        if self.stream is None or same_item(before) == same_item(after):
            return None
        record = {
            "name": "INSERT" if before is None else "REMOVE" if after is None else "MODIFY",
            "keys": same_item(self.key_of(key)),
            "new": same_item(after) if self.stream.view in ("NEW_IMAGE", "NEW_AND_OLD_IMAGES") else None,
            "old": same_item(before) if self.stream.view in ("OLD_IMAGE", "NEW_AND_OLD_IMAGES") else None,
            "by_service": by_ttl,
        }
        if alone:
            self.stream.groups.append((now, now, [record]))
        return record

    def stored(self) -> dict[Key, Item]:
        """What the lab has stored."""
        found = {}
        for item in every_item(metering.find_table(self.name)):
            plain = {name: raw(value) for name, value in (image(item) or {}).items()}
            found[self.key(plain)] = plain
        return found

    def check_contents(self, what: str) -> None:
        stored = self.stored()
        assert stored.keys() == self.items.keys(), f"{what}: {self.name} holds other keys than it should"
        for key, item in stored.items():
            wanted = self.items[key]
            assert same_item(item) == same_item(wanted), f"{what}: {self.name} {key} is {item}, not {wanted}"

    def size(self) -> int:
        return sum(item_bytes(item) + self.local_bytes(item) for item in self.items.values())


def raw(value: Item) -> Item:
    """moto keeps binaries in Base64."""
    ((kind, content),) = value.items()
    if kind == "B":
        return {"B": base64.b64decode(content) if isinstance(content, str) else content}
    if kind == "BS":
        return {"BS": [base64.b64decode(m) if isinstance(m, str) else m for m in content]}
    if kind == "L":
        return {"L": [raw(member) for member in content]}
    if kind == "M":
        return {"M": {name: raw(member) for name, member in content.items()}}
    return value


Meter = tuple[str | None, str | int, str]
"""A bucket: of the table (None) or of an index; ``total``, ``max`` or a partition's number; its side."""


class Levels:
    """What each bucket of one table and its indexes holds now, and what it will hold after charges that are known.

    The law, of docs/fidelity.md: a bucket that holds more than nothing admits, whatever the request then costs; its
    debt is carried; at each whole second it gains its rate, up to its depth. An index' write buckets take whatever
    comes from the table; one that owes ``INDEX_BUFFER`` units or more stops all writes of the table.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.limits: dict[str | None, Any] = {}
        physics = metering.physics_of(metering.find_table(table.name))
        self.limits[None] = physics.table
        self.limits.update(physics.indexes)
        self.levels: dict[Meter, float] = {}
        self.law: dict[Meter, tuple[float, float]] = {}
        now = clock.microseconds
        for resource, limits in self.limits.items():
            for side in SIDES:
                meters: dict[Any, Any] = {"total": limits.total_meter(side)[0], "max": limits.maximum_meter(side)}
                meters |= {partition.number: partition.meters[side] for partition in limits.partitions}
                for name, meter in meters.items():
                    if meter is not None:
                        self.levels[resource, name, side] = meter.level_at(now)
                        self.law[resource, name, side] = meter.rate, meter.depth

    def partition(self, key: Item, resource: str | None = None) -> int:
        """The partition of a key of the table, or of an index' entry. Only the lab knows where its hash puts it."""
        index = None if resource is None else self.table.index(resource)
        hashes = self.table.keys[:1] if index is None else index.hashes
        ranges = self.table.keys[1:] if index is None else index.ranges
        place = place_of([key[name] for name in hashes], [key[name] for name in ranges])
        number: int = self.limits[resource].partition_at(place).number
        return number

    def stops(self, resource: str | None, partitions: list[int], side: str) -> str | None:
        """The kind of limit that refuses, or None; the partition's is looked at first."""
        for name in [*partitions, "max", "total"]:
            if self.levels.get((resource, name, side), 1) <= 0:
                if name == "max":
                    return "MaxOnDemandThroughputExceeded"
                if name != "total":
                    return "KeyRangeThroughputExceeded"
                return self._total_limit(resource, side)
        return None

    def _total_limit(self, resource: str | None, side: str) -> str:
        if self.table.mode == "PROVISIONED":
            return "ProvisionedThroughputExceeded"
        rate = self.law[resource, "total", side][0]
        return "AccountLimitExceeded" if rate >= 40_000 else "KeyRangeThroughputExceeded"

    def late(self) -> list[tuple[str, str]]:
        """The indexes that stop the table's writes, in the order of their names, and by which limit."""
        found = []
        for resource in sorted(name for name in self.limits if name is not None):
            mine = {
                name: level for (of, name, side), level in self.levels.items() if of == resource and side == "write"
            }
            limit = None
            if any(mine[name] <= -INDEX_BUFFER for name in mine if isinstance(name, int)):
                limit = "KeyRangeThroughputExceeded"
            elif mine.get("max", 0) <= -INDEX_BUFFER:
                limit = "MaxOnDemandThroughputExceeded"
            elif mine["total"] <= -INDEX_BUFFER:
                limit = self._total_limit(resource, "write")
            if limit is not None:
                found.append((resource, limit))
        return found

    def refusals(self, partitions: list[int], side: str) -> list[tuple[str | None, str]]:
        """The resources that refuse a request on these partitions, with the limit; none: it is admitted."""
        own = self.stops(None, partitions, side)
        if own is not None:
            return [(None, own)]
        return list(self.late()) if side == "write" else []

    def take(self, resource: str | None, partition: int, side: str, units: float) -> None:
        for name in (partition, "total", "max"):
            if (resource, name, side) in self.levels:
                self.levels[resource, name, side] -= units

    def take_write(self, key: Item, before: Item | None, after: Item | None, bill: Bill) -> None:
        self.take(None, self.partition(key), "write", bill.on_table)
        for index in self.table.globals:
            for entry, units in index.writes(before, after, self.table.keys):
                self.take(index.name, self.partition(entry, index.name), "write", units)

    def check(self, what: str) -> None:
        """Compare what the buckets should hold with what they hold."""
        found = Levels(self.table).levels
        assert found.keys() == self.levels.keys(), f"{what}: other buckets of {self.table.name} than before"
        for meter, level in found.items():
            wanted = self.levels[meter]
            assert abs(level - wanted) < 1e-6, (
                f"{what}: bucket {meter} of {self.table.name} holds {level}, not {wanted}"
            )


class Ledger:
    """What CloudWatch must know: a sum for each metric, table, index and operation."""

    def __init__(self) -> None:
        self.sums: Counter[tuple[str, str | None, str | None, str]] = Counter()

    def add(self, metric: str, table: str | None, index: str | None = None, more: str = "", value: float = 1) -> None:
        if value:
            self.sums[metric, table, index, more] += value  # type: ignore[assignment]

    def consumed(self, table: str, side: str, bill: Bill) -> None:
        name = f"Consumed{side.capitalize()}CapacityUnits"
        self.add(name, table, value=bill.on_table)
        for index, units in bill.globals.items():
            self.add(name, table, index, value=units)

    def event(self, table: str, index: str | None, side: str, limit: str) -> None:
        self.add(f"{side.capitalize()}ThrottleEvents", table, index)
        name = {"AccountLimitExceeded": "AccountLimit"}.get(limit, limit.removesuffix("Exceeded"))
        self.add(f"{side.capitalize()}{name}ThrottleEvents", table, index)
