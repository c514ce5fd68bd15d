"""What a learner can look at: where a key lives, and how its partition fares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .keyspace import SPACE, KeyRange, Place
from .meters import MICROSECONDS
from .partitions import Event, Partition, PartitionedTable
from .throttling import SIDES, Side


@dataclass(frozen=True)
class SideView:
    """One side of a partition at one instant, in units.

    ``ceiling`` a second at most; ``tokens`` left in the running second (negative: owed); ``part`` and ``part_tokens``:
    its part of the table's units and what is left of it, None where units are not shared out; ``admitted_units``,
    ``admitted_requests`` and ``refused_requests`` of the running second; ``window_units``: consumed in the heat window.
    """

    ceiling: float
    tokens: float
    part: float | None
    part_tokens: float | None
    admitted_units: float
    admitted_requests: int
    refused_requests: int
    window_units: float


@dataclass(frozen=True)
class PartitionView:
    """One partition at one instant; ``history`` is one line for each birth, each gift of keys, each split not made."""

    number: int
    key_range: KeyRange
    share: float
    stored_bytes: int
    sides: Mapping[Side, SideView]
    history: tuple[str, ...]


def look(table: PartitionedTable, place: Place, now: int, *, since: int = 0) -> PartitionView:
    """Return the state at ``now`` (microseconds) of the partition that holds ``place``; nothing is charged.

    The history counts seconds from ``since`` (microseconds) on.
    """
    table.settle(now)
    return view_of(table, table.partition_at(place), now, since=since)


def look_at_all(table: PartitionedTable, now: int) -> list[PartitionView]:
    """Return the state at ``now`` of all partitions, in the order of their key ranges."""
    table.settle(now)
    return [view_of(table, partition, now) for partition in table.in_order]


def view_of(table: PartitionedTable, partition: Partition, now: int, *, since: int = 0) -> PartitionView:
    """Return the state of one partition of ``table`` at ``now``."""
    slot = table.heat_slot(now)
    return PartitionView(
        partition.number,
        partition.key_range,
        partition.key_range.share,
        partition.stored_bytes,
        {side: _side(partition, side, now, slot) for side in SIDES},
        tuple(describe(event, since=since) for event in partition.history),
    )


def range_text(key_range: KeyRange) -> str:
    """Return a key range in words: shares of the hash space, or the sort keys within one partition key."""
    if key_range.share:
        return f"hashes {100 * key_range.start / SPACE:.2f} % to {100 * key_range.end / SPACE:.2f} %"
    return f"one partition key, sort keys from {key_range.sort_start!r} to {key_range.sort_end!r}"


def describe(event: Event, *, since: int = 0) -> str:
    """Return one line of a partition's history in words; times are seconds from ``since`` (microseconds) on."""
    when = "with the table" if event.at is None else f"at second {(event.at - since) / MICROSECONDS:.0f}"
    if event.kind == "born":
        source = "" if event.other is None else f" from partition {event.other}"
        return f"born {when}{source} ({event.cause}), {range_text(event.key_range)}"
    if event.kind == "gave":
        return f"gave keys to partition {event.other} {when} ({event.cause}), kept {range_text(event.key_range)}"
    return f"stayed whole {when} ({event.cause})"


def _side(partition: Partition, side: Side, now: int, slot: int) -> SideView:
    tally = partition.load.get((now // MICROSECONDS, side))
    part = partition.parts.get(side)
    heat = partition.heat.get(side)
    return SideView(
        partition.meters[side].rate,
        partition.meters[side].level_at(now),
        None if part is None else part.rate,
        None if part is None else part.level_at(now),
        tally.admitted_units if tally else 0.0,
        tally.admitted_requests if tally else 0,
        tally.refused_requests if tally else 0,
        heat.window_units(slot) if heat else 0.0,
    )
