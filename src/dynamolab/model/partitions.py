"""A table's partitions: how many there are, which keys each holds, what each admits and what it has been asked for."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .keyspace import KeyRange, equal_ranges, position
from .meters import MICROSECONDS, Meter
from .throttling import BillingMode, Limit, Refusal, Side

PARTITION_UNITS: Mapping[Side, int] = {"write": 1_000, "read": 3_000}
"""The most that one partition admits, in units per second (AWS Developer Guide, "Designing partition keys")."""

ON_DEMAND_PARTITIONS = 4
"""Partitions of a new on-demand table: inferred from its documented first capacity, 4,000 WU/s and 12,000 RU/s."""

BURST_SECONDS = 300
"""Seconds of unused provisioned capacity that a table may keep for a burst ("Burst and adaptive capacity")."""


def partitions_at_birth(mode: BillingMode, *, read_units: int = 0, write_units: int = 0) -> int:
    """Return how many partitions a new table has.

    On-demand: ``ON_DEMAND_PARTITIONS``. Provisioned: as many as the provisioned units need at 3,000 RU/s and 1,000 WU/s
    each, at least 1. AWS publishes no formula today; both are inferred (docs/fidelity.md).
    """
    if mode == "PAY_PER_REQUEST":
        return ON_DEMAND_PARTITIONS
    return max(1, math.ceil(read_units / PARTITION_UNITS["read"]), math.ceil(write_units / PARTITION_UNITS["write"]))


@dataclass
class Tally:
    """What one side of one partition was asked for in one second."""

    admitted_requests: int = 0
    refused_requests: int = 0
    admitted_units: float = 0.0


@dataclass
class Partition:
    """One partition: a key range, a meter for each side, and the load it saw, second by second."""

    number: int
    key_range: KeyRange
    meters: dict[Side, Meter] = field(
        default_factory=lambda: {side: Meter(units) for side, units in PARTITION_UNITS.items()}
    )
    load: dict[tuple[int, Side], Tally] = field(default_factory=dict)

    def tally(self, side: Side, now: int) -> Tally:
        """Return the tally of the second in which ``now`` (microseconds) lies, to be added to."""
        return self.load.setdefault((now // MICROSECONDS, side), Tally())


class PartitionedTable:
    """The throughput of one table: the one place where a request is admitted or refused.

    ``arn`` names the table in refusals. A provisioned table also has a meter for the table as a whole that holds up to
    ``BURST_SECONDS`` of its units and starts full (docs/fidelity.md).
    """

    def __init__(self, arn: str, mode: BillingMode, *, read_units: int = 0, write_units: int = 0) -> None:
        count = partitions_at_birth(mode, read_units=read_units, write_units=write_units)
        self.arn = arn
        self.partitions = [Partition(number, key_range) for number, key_range in enumerate(equal_ranges(count))]
        self._starts = [partition.key_range.start for partition in self.partitions]
        self.mode: BillingMode = mode
        self._provisioned = {"read": read_units, "write": write_units}
        self._totals: dict[Side, Meter] = {}
        self._meter_totals()

    def provision(self, mode: BillingMode, *, read_units: int = 0, write_units: int = 0) -> None:
        """Follow a change of billing mode or of provisioned units; partitions stay as they are."""
        wanted = {"read": read_units, "write": write_units}
        if (mode, wanted) != (self.mode, self._provisioned):
            self.mode, self._provisioned = mode, wanted
            self._meter_totals()

    def _meter_totals(self) -> None:
        sides: tuple[Side, ...] = ("read", "write") if self.mode == "PROVISIONED" else ()
        self._totals = {side: Meter(self._provisioned[side], BURST_SECONDS * self._provisioned[side]) for side in sides}

    def partition_of(self, key: Mapping[str, Any]) -> Partition:
        """Return the partition that holds the partition key value ``key``, such as ``{"S": "a"}``."""
        return self.partition_at(position(key))

    def partition_at(self, place: int) -> Partition:
        """Return the partition whose key range contains the hash position ``place``."""
        return self.partitions[bisect.bisect_right(self._starts, place) - 1]

    def refusal(self, side: Side, touched: Iterable[Partition], now: int) -> Refusal | None:
        """Say why a request on the ``touched`` partitions is refused at ``now`` (microseconds); None if it is admitted.

        A refusal is entered in the load of the partitions that were asked.
        """
        touched = list(touched)
        limit: Limit | None = None
        if any(not partition.meters[side].admits(now) for partition in touched):
            limit = Limit.KEY_RANGE
        elif side in self._totals and not self._totals[side].admits(now):
            limit = Limit.PROVISIONED
        if limit is None:
            return None
        for partition in touched:
            if limit is Limit.PROVISIONED or not partition.meters[side].admits(now):
                partition.tally(side, now).refused_requests += 1
        return Refusal(side, limit, self.mode, self.arn)

    def charge(self, side: Side, partition: Partition, units: float, now: int) -> None:
        """Take what an admitted request really used from its partition (and from the table's total)."""
        partition.meters[side].charge(units, now)
        if side in self._totals:
            self._totals[side].charge(units, now)
        tally = partition.tally(side, now)
        tally.admitted_requests += 1
        tally.admitted_units += units
