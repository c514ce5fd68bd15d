"""Where a population of keys falls on the partitions of a table as they are now, without a loop over keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.keyspace import SPACE, Place
from ..model.partitions import PartitionedTable
from .demand import Floats, Ints, Keys, Positions, TimeBucket, Trace, mixed

RISING_PLACES = 64
"""Places that are remembered of a minute's newest items: new ones each minute, so that few have to do."""
_LAST = SPACE - 1


class Layout:
    """A population that is the same at all times, on the partitions that ``table`` has now.

    Arrays over partitions are by partition number. ``shards``: how many suffixes each key is spread over, evenly.
    """

    varies = False

    def __init__(self, keys: Keys, table: PartitionedTable, shards: int = 1) -> None:
        self.keys, self.shards, self.count = keys, shards, len(table.partitions)
        ordered = table.in_order
        ranges = [partition.key_range for partition in table.partitions]
        self._ranges: Floats = np.array([(each.start / SPACE, each.end / SPACE) for each in ranges])
        self._numbers = np.array([partition.number for partition in ordered])
        # A range that begins within a partition key holds, of whole keys, those behind it.
        self._starts = np.array(
            [min(each.key_range.start + bool(each.key_range.sort_start), _LAST) for each in ordered], dtype=np.uint64
        )
        # Partition keys that are cut: for each, where within its sort keys, and what follows there.
        self._inner: dict[int, list[tuple[float, int]]] = {}
        for each in ordered:
            if each.key_range.sort_start:
                cut = (_fraction(each.key_range.sort_start), each.number)
                self._inner.setdefault(each.key_range.start, []).append(cut)
        self._places: dict[tuple[int, int], Sequence[Place]] = {}

    def partitions_of(self, positions: Positions) -> Ints:
        """Return the partition number of each position, at its first sort key."""
        found: Ints = self._numbers[np.searchsorted(self._starts, positions, side="right") - 1]
        return found

    @cached_property
    def whole(self) -> Floats:
        """Each partition's share of the requests, shape (partitions,)."""
        shares = np.zeros(self.count)
        for suffix in range(self.shards):
            where = self.keys.where(suffix, self.shards)
            numbers = self.partitions_of(where)
            shares += np.bincount(numbers, weights=self.keys.weights, minlength=self.count)
            for key, number, part in self._moved(where, numbers):
                shares[numbers[key]] -= part * self.keys.weights[key]
                shares[number] += part * self.keys.weights[key]
        return np.maximum(shares / self.shards, 0.0)

    def _moved(self, where: Positions, numbers: Ints) -> list[tuple[int, int, float]]:
        """Return, for keys that are cut within, which part of their requests goes to which further partition."""
        moved = []
        for position, cuts in self._inner.items():
            for key in np.flatnonzero(where == np.uint64(position)).tolist():
                if self.keys.sort_keys == "rising":
                    moved.append((key, cuts[-1][1], 1.0))
                elif self.keys.sort_keys == "spread":
                    ends = [at for at, _ in cuts[1:]] + [1.0]
                    moved += [(key, number, end - at) for (at, number), end in zip(cuts, ends, strict=True)]
        return moved

    def shares(self, first: int, last: int) -> Floats:
        """Return the shares of the requests by partition in the seconds from ``first`` to before ``last``.

        Shape (seconds, partitions), or (1, partitions) where they are the same in all of these seconds.
        """
        return self.whole[None]

    def places(self, number: int, count: int, first: int) -> Sequence[Place]:
        """Return about ``count`` places of a partition, each with an equal part of its load from ``first`` on."""
        if self.keys.sort_keys == "rising":
            return _rising(self._sample(number, min(count, RISING_PLACES)), first)
        found = self._places.get((number, count))
        if found is None:
            found = self._places[number, count] = self._sample(number, count)
        return found

    def _sample(self, number: int, count: int) -> list[Place]:
        chosen: list[Positions] = []
        weights: list[Floats] = []
        for suffix in range(self.shards):
            where = self.keys.where(suffix, self.shards)
            numbers = self.partitions_of(where)
            here = np.where(numbers == number, self.keys.weights, 0.0)
            for key, other, part in self._moved(where, numbers):
                here[key] += part * self.keys.weights[key] * (int(other == number) - int(numbers[key] == number))
            chosen.append(where[here > 0])
            weights.append(here[here > 0])
        positions, reached = np.concatenate(chosen), np.concatenate(weights).cumsum()
        if not len(positions) or reached[-1] <= 0:
            return []
        at = np.searchsorted(reached, (np.arange(count) + 0.5) / count * reached[-1])
        picked = positions[np.minimum(at, len(positions) - 1)].tolist()
        if self.keys.sort_keys != "spread":
            return [(position, b"") for position in picked]
        return [(position, self._spread(number, position, order)) for order, position in enumerate(picked)]

    def _spread(self, number: int, position: int, order: int) -> bytes:
        """Return one of evenly spread sort keys, from the part of the item collection that the partition holds."""
        cuts = [(0.0, -1), *self._inner.get(position, [])]
        ends = [at for at, _ in cuts[1:]] + [1.0]
        low, high = next(
            ((at, end) for (at, who), end in zip(cuts, ends, strict=True) if who == number), (0.0, ends[0])
        )
        golden = (order * 0.6180339887498949 + 0.5) % 1
        return int((low + (high - low) * golden) * _LAST).to_bytes(8, "big")

    def by_key(self, first: int, units: Floats) -> dict[Any, float] | Floats:
        """Return each key's part of what went to the partitions: ``units``, (seconds, partitions), from ``first`` on.

        An array in the order of the keys' labels, or by label where the keys change with time. Keys of one partition
        have parts in proportion to their weights.
        """
        each = self._each(units.sum(axis=0))
        total = np.zeros(len(self.keys))
        for suffix in range(self.shards):
            where = self.keys.where(suffix, self.shards)
            numbers = self.partitions_of(where)
            rates = each[numbers]
            for key, number, part in self._moved(where, numbers):
                rates[key] += part * (each[number] - each[numbers[key]])
            total += rates
        return self.keys.weights * total / self.shards

    def _each(self, units: Floats) -> Floats:
        """Return, for each partition, units for each request that is its share."""
        return np.divide(units, self.whole, out=np.zeros_like(units), where=self.whole > 0)

    def by_range(self, rows: int, first: int, units: Floats, bins: Ints, columns: int) -> Floats:
        """Return what went to the partitions by equal slices of the hash space and bins of time, (rows, columns).

        ``units``: (seconds, partitions), from ``first`` on; ``bins``: each second's bin, shape (seconds,).
        """
        cells = np.zeros(self.count * rows)
        for suffix in range(self.shards):
            where = self.keys.where(suffix, self.shards)
            numbers = self.partitions_of(where) * rows
            cells += np.bincount(
                numbers + slice_of(where, rows), weights=self.keys.weights, minlength=self.count * rows
            )
        return self._spread_over(cells.reshape(self.count, rows), units, bins, columns)

    def _spread_over(self, cells: Floats, units: Floats, bins: Ints, columns: int) -> Floats:
        through = np.zeros((columns, self.count))
        np.add.at(through, bins, units)
        sums = cells.sum(axis=1, keepdims=True)
        spread = np.where(sums > 0, cells / np.where(sums > 0, sums, 1.0), _range_slices(self._ranges, cells.shape[1]))
        found: Floats = (through @ spread).T
        return found


class BucketLayout(Layout):
    """Keys that follow the clock."""

    varies = True

    def __init__(self, keys: TimeBucket, table: PartitionedTable, shards: int = 1) -> None:
        super().__init__(keys, table, shards)
        self.buckets = keys
        self._shares: dict[int, Floats] = {}

    def _bucket(self, second: int) -> int:
        return int(second // self.buckets.period)

    def _of(self, bucket: int) -> Floats:
        found = self._shares.get(bucket)
        if found is None:
            if len(self._shares) > 1000:
                self._shares.clear()
            where = self.buckets.positions(bucket, self.shards)
            numbers = self.partitions_of(where)
            # A bucket that was cut goes on behind the last cut: its sort keys rise.
            for at, position in enumerate(where.tolist()):
                if position in self._inner:
                    numbers[at] = self._inner[position][-1][1]
            found = self._shares[bucket] = np.bincount(numbers, minlength=self.count) / self.shards
        return found

    def shares(self, first: int, last: int) -> Floats:
        """As of :class:`Layout`."""
        if self._bucket(first) == self._bucket(last - 1):
            return self._of(self._bucket(first))[None]
        return np.array([self._of(self._bucket(second)) for second in range(first, last)])

    def places(self, number: int, count: int, first: int) -> Sequence[Place]:
        """As of :class:`Layout`."""
        where = self.buckets.positions(self._bucket(first), self.shards)
        here = where[self.partitions_of(where) == number].tolist()
        if not here:
            return []
        least = min(count, RISING_PLACES)
        return _rising([(here[order % len(here)], b"") for order in range(max(least, len(here)))], first)

    def by_key(self, first: int, units: Floats) -> dict[Any, float]:
        """As of :class:`Layout`."""
        sums = units.sum(axis=1)
        return {
            f"{self.buckets.prefix}{bucket}": float(sums[here].sum()) for bucket, here in self._by_bucket(first, units)
        }

    def by_range(self, rows: int, first: int, units: Floats, bins: Ints, columns: int) -> Floats:
        """As of :class:`Layout`."""
        found = np.zeros((rows, columns))
        for bucket, here in self._by_bucket(first, units):
            where = self.buckets.positions(bucket, self.shards)
            cells = np.bincount(
                self.partitions_of(where) * rows + slice_of(where, rows), minlength=self.count * rows
            ).astype(np.float64)
            found += self._spread_over(cells.reshape(self.count, rows), units[here], bins[here], columns)
        return found

    def _by_bucket(self, first: int, units: Floats) -> list[tuple[int, NDArray[np.bool_]]]:
        buckets = ((first + np.arange(len(units))) // self.buckets.period).astype(np.int64)
        return [(bucket, buckets == bucket) for bucket in np.unique(buckets).tolist()]


class TraceLayout(Layout):
    """Keys of recorded events; a second without events has the keys of the whole trace."""

    varies = True

    def __init__(self, keys: Trace, table: PartitionedTable, shards: int = 1) -> None:
        super().__init__(keys, table, shards)
        self.trace = keys
        # Each event's writer chooses a suffix: any, by a hash of the event's number.
        self._suffix = (mixed(np.arange(len(keys.codes)), 1) % np.uint64(shards)).astype(np.int64)
        numbers = np.array([self.partitions_of(keys.where(suffix, shards)) for suffix in range(shards)])
        self._event: Ints = numbers[self._suffix, keys.codes]

    def _counts(self, first: int, last: int) -> tuple[slice, NDArray[np.int64]]:
        begin, end = np.searchsorted(self.trace.second, [first, last])
        rows = self.trace.second[begin:end] - first
        found = np.bincount(rows * self.count + self._event[begin:end], minlength=(last - first) * self.count)
        return slice(int(begin), int(end)), found.reshape(last - first, self.count)

    def shares(self, first: int, last: int) -> Floats:
        """As of :class:`Layout`."""
        _, counts = self._counts(first, last)
        sums = counts.sum(axis=1, keepdims=True)
        found: Floats = np.where(sums > 0, counts / np.maximum(sums, 1), self.whole)
        return found

    def by_key(self, first: int, units: Floats) -> Floats:
        """As of :class:`Layout`."""
        events, each, rest = self._each_event(first, units)
        found = np.bincount(self.trace.codes[events], weights=each, minlength=len(self.keys)).astype(np.float64)
        found += np.asarray(super().by_key(first, rest))
        return found

    def by_range(self, rows: int, first: int, units: Floats, bins: Ints, columns: int) -> Floats:
        """As of :class:`Layout`."""
        events, each, rest = self._each_event(first, units)
        where = np.array([self.keys.where(suffix, self.shards) for suffix in range(self.shards)])
        row = slice_of(where[self._suffix[events], self.trace.codes[events]], rows)
        bin_of = bins[self.trace.second[events] - first]
        found = np.bincount(row * columns + bin_of, weights=each, minlength=rows * columns)
        return found.reshape(rows, columns) + super().by_range(rows, first, rest, bins, columns)

    def _each_event(self, first: int, units: Floats) -> tuple[slice, Floats, Floats]:
        """Return the events of these seconds, the units of each, and what went to partitions without an event."""
        events, counts = self._counts(first, first + len(units))
        each = np.divide(units, counts, out=np.zeros_like(units), where=counts > 0)
        return (
            events,
            each[self.trace.second[events] - first, self._event[events]],
            np.where(counts > 0, 0.0, units),
        )


def layout(keys: Keys, table: PartitionedTable, shards: int = 1) -> Layout:
    """Return where the keys fall on the partitions that ``table`` has now."""
    if isinstance(keys, TimeBucket):
        return BucketLayout(keys, table, shards)
    if isinstance(keys, Trace):
        return TraceLayout(keys, table, shards)
    return Layout(keys, table, shards)


def _range_slices(ranges: Floats, rows: int) -> Floats:
    """Return which part of each key range lies in each of so many equal slices, (partitions, rows)."""
    first, last = (ranges * rows).T
    edges = np.arange(rows)
    overlap = np.minimum(last[:, None], edges + 1) - np.maximum(first[:, None], edges)
    overlap = np.maximum(overlap, 0.0)
    # A range within one partition key has no width: it lies where that key does.
    overlap[np.arange(len(first)), np.minimum(first, rows - 1).astype(np.int64)] += 1e-12
    parts: Floats = overlap / overlap.sum(axis=1, keepdims=True)
    return parts


def slice_of(positions: Positions, rows: int) -> Ints:
    """Return in which of so many equal slices of the hash space each position lies."""
    return np.minimum(positions / SPACE * rows, rows - 1).astype(np.int64)


def _fraction(sort_key: bytes) -> float:
    return int.from_bytes(sort_key[:8].ljust(8, b"\0"), "big") / SPACE


def _rising(places: Sequence[Place], first: int) -> list[Place]:
    """Return the places with sort keys that are newer than all before second ``first``."""
    newest = first << 20
    return [(position, (newest + order).to_bytes(8, "big")) for order, (position, _) in enumerate(places)]
