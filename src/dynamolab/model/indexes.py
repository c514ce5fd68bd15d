"""Global secondary indexes: each has its own capacity, and one that cannot keep up stops its table's writes.

DynamoDB applies a table's writes to its indexes afterwards, from a buffer. An index that falls too far behind makes the
table refuse writes, whichever they are: back-pressure ("Understanding global secondary index write throttling").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .keyspace import Place, place_of
from .meters import Meter
from .partitions import Partition, PartitionedTable
from .sizes import Item, item_size
from .throttling import BillingMode, Limit, Refusal, Side
from .units import Index, TableKeys, index_entry, index_write_units, write_units


class EntryWrite(NamedTuple):
    """One write to an index: the place of the entry, the write units, and by how much the index grew."""

    place: Place
    units: int
    more_bytes: int


def entry_writes(before: Item | None, after: Item | None, index: Index, keys: TableKeys) -> list[EntryWrite]:
    """Return the writes that a write of the table makes on one global index, each at its own entry's place.

    An entry whose index key changes is deleted at one place and put at another; together the units are those of
    :func:`dynamolab.model.units.index_write_units`.
    """
    units = index_write_units(before, after, index, keys)
    if not units:
        return []
    old, new = index_entry(before, index, keys), index_entry(after, index, keys)
    writes = [(entry_place(entry, index), item_size(entry), sign) for entry, sign in ((old, -1), (new, 1)) if entry]
    if len(writes) == 2 and writes[0][0] != writes[1][0]:
        return [EntryWrite(place, write_units(size), sign * size) for place, size, sign in writes]
    return [EntryWrite(writes[-1][0], units, sum(sign * size for _, size, sign in writes))]


def entry_place(entry: Item, index: Index) -> Place:
    """Return the place of an index entry: that of the index' key values in it."""
    return place_of([entry[name] for name in index.partition_key], [entry[name] for name in index.sort_key])


class PartitionedIndex(PartitionedTable):
    """The throughput of one global secondary index.

    Reads are admitted like a table's (:meth:`refusal`, :meth:`charge`) and never touch the table. Writes come from the
    table and are never refused here: :meth:`absorb` takes them, into debt where the index is at its limit. That debt is
    the buffer; when it reaches ``index_buffer_units``, :meth:`pressure` says how the table refuses its writes, until
    the index has caught up by a request.
    """

    def __init__(self, arn: str, mode: BillingMode, **settings: Any) -> None:
        """Make one as a :class:`PartitionedTable` is made, with the ARN of the index."""
        super().__init__(arn, mode, **settings)
        self._late: dict[int, Partition] = {}  # The partitions whose debt was found to fill the buffer.

    def absorb(self, place: Place, units: float, now: int) -> Partition:
        """Take a write of ``units`` to the entry at ``place`` from the table; return the partition it went to."""
        self.settle(now)
        partition = self.partition_at(place)
        if partition.parts:
            self._admits(partition, "write", now, False)  # Where it finds its part exhausted, relief begins its wait.
        self.charge("write", partition, units, now, place=place)
        if self._behind(partition.meters["write"], now) or self._part_behind(partition, now):
            self._late[partition.number] = partition
        return partition

    def pressure(self, now: int) -> Refusal | None:
        """Say how the table refuses every write at ``now`` because of this index; None while the buffer has room."""
        self.settle(now)
        for number, partition in list(self._late.items()):
            if self._behind(partition.meters["write"], now) or self._part_behind(partition, now):
                return Refusal("write", Limit.KEY_RANGE, self.mode, self.arn)
            del self._late[number]
        if "write" in self._maxima and self._behind(self._maxima["write"], now):
            return Refusal("write", Limit.MAXIMUM, self.mode, self.arn)
        if self._behind(self._totals["write"], now):
            return Refusal("write", self._total_limit["write"], self.mode, self.arn)
        return None

    def owed(self, now: int) -> float:
        """Return how many write units the index owes as a whole: how full its buffer is, from 0."""
        return max(0.0, -self._totals["write"].level_at(now))

    def _behind(self, meter: Meter, now: int) -> bool:
        return meter.level_at(now) <= -self.parameters.index_buffer_units

    def _part_behind(self, partition: Partition, now: int) -> bool:
        part = partition.parts.get("write")
        return part is not None and self._behind(part, now) and not self.relieved(partition, "write", now)


class IndexedTable:
    """A table with its global secondary indexes, as a writer meets them.

    For one write at ``now``: :meth:`refusal` with the table's partitions; run it; ``table.charge`` for the table's
    units (and local indexes'), :meth:`absorb` for each index entry that was put, changed or deleted.
    """

    def __init__(self, table: PartitionedTable, indexes: Mapping[str, PartitionedIndex] | None = None) -> None:
        self.table = table
        self.indexes: dict[str, PartitionedIndex] = dict(indexes or {})

    def refusal(self, side: Side, touched: Iterable[Partition], now: int, *, eventual: bool = False) -> Refusal | None:
        """Say why a request on partitions of the table is refused, for its own limits or, a write, for an index'.

        A write refused for an index is entered in the load of the table's partitions.
        """
        touched = list(touched)
        refusal = self.table.refusal(side, touched, now, eventual=eventual)
        if refusal is not None or side == "read":
            return refusal
        refusal = next(iter(self.pressures(now)), None)
        if refusal is not None:
            for partition in touched:
                partition.tally(side, now).refused_requests += 1
        return refusal

    def pressures(self, now: int) -> list[Refusal]:
        """Return the refusals of all indexes that cannot keep up at ``now``, in the order of their names.

        Each is one throttle event on its own index.
        """
        found = (self.indexes[name].pressure(now) for name in sorted(self.indexes))
        return [refusal for refusal in found if refusal is not None]

    def absorb(self, name: str, place: Place, units: float, now: int) -> Partition:
        """Hand a write of ``units`` to the index ``name``, at the place of its entry."""
        return self.indexes[name].absorb(place, units, now)

    def settle(self, now: int) -> None:
        """Let everything happen that is due by ``now`` on the table and on its indexes."""
        self.table.settle(now)
        for index in self.indexes.values():
            index.settle(now)
