"""A table's partitions: how many there are, which keys each holds, what each admits and what it has been asked for.

The same holds for a global secondary index, which has partitions of its own ("Global secondary index throttling").
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .heat import Decision, Heat, Sample, Verdict, decide
from .keyspace import KeyRange, Place, equal_ranges, place_of
from .meters import MICROSECONDS, Meter
from .parameters import DEFAULTS, Parameters
from .ramp import Ramp
from .throttling import SIDES, BillingMode, Limit, Refusal, Side

PARTITION_UNITS: Mapping[Side, int] = {
    "write": DEFAULTS.partition_write_units,
    "read": DEFAULTS.partition_read_units,
}
"""The most that one partition admits, in units per second (AWS Developer Guide, "Designing partition keys")."""

ON_DEMAND_PARTITIONS = DEFAULTS.on_demand_partitions
"""Partitions of a new on-demand table: inferred from its documented first capacity, 4,000 WU/s and 12,000 RU/s."""

Cause = Verdict | Literal["created", "capacity", "size"]
"""Why a partition was born, was cut, or stayed whole."""


def partitions_at_birth(
    mode: BillingMode,
    *,
    read_units: int = 0,
    write_units: int = 0,
    stored_bytes: int = 0,
    parameters: Parameters = DEFAULTS,
) -> int:
    """Return how many partitions a new table or index has.

    On-demand: ``ON_DEMAND_PARTITIONS``. Provisioned: as many as the provisioned units need at 3,000 RU/s and 1,000 WU/s
    each, at least 1. Either way, enough for what is stored at 10 GB each. AWS publishes no formula today; all are
    inferred (docs/fidelity.md).
    """
    by_size = math.ceil(stored_bytes / parameters.partition_bytes)
    if mode == "PAY_PER_REQUEST":
        return max(parameters.on_demand_partitions, by_size)
    return max(partitions_for(read_units, write_units, parameters), by_size)


def partitions_for(read_units: float, write_units: float, parameters: Parameters = DEFAULTS) -> int:
    """Return how many partitions it takes to give that many units a second, at least 1."""
    return max(
        1,
        math.ceil(read_units / parameters.partition_read_units),
        math.ceil(write_units / parameters.partition_write_units),
    )


@dataclass
class Tally:
    """What one side of one partition was asked for in one second."""

    admitted_requests: int = 0
    refused_requests: int = 0
    admitted_units: float = 0.0


@dataclass(frozen=True)
class Event:
    """One line of a partition's history.

    ``at``: microseconds, None for what came with the table. ``kind``: ``born`` (from partition ``other``, None for
    what came with the table), ``gave`` (keys to partition ``other``) or ``stayed`` (hot, but not cut). ``cause`` says
    why, ``key_range`` what the partition holds from then on.
    """

    at: int | None
    kind: Literal["born", "gave", "stayed"]
    other: int | None
    cause: Cause
    key_range: KeyRange


@dataclass
class Strain:
    """How one side of a partition outgrew its part of the table, in the design of 2017 (microseconds)."""

    since: int
    last: int

    def again(self, now: int, parameters: Parameters) -> None:
        """Take in that it was throttled again at ``now``."""
        if now - self.last > parameters.adaptation_memory_seconds * MICROSECONDS:
            self.since = now
        self.last = now

    def relieved(self, now: int, parameters: Parameters) -> bool:
        """Say whether it may use more than its part by now."""
        if parameters.adaptation != "2017":
            return False
        return (
            now - self.since >= parameters.adaptation_delay_seconds * MICROSECONDS
            and now - self.last <= parameters.adaptation_memory_seconds * MICROSECONDS
        )


@dataclass
class Partition:
    """One partition: a key range, a meter for each side, and the load it saw, second by second.

    ``number`` is its place in the order of births and never changes. When a partition is split it keeps the first part
    of its range and its number; the keys behind go to a new partition. ``meters`` are the ceilings; ``parts`` its part
    of the table's units where those are shared out (``static``, ``2017``); ``eventual`` the allowance for eventually
    consistent reads, if there is one.
    """

    number: int
    key_range: KeyRange
    meters: dict[Side, Meter] = field(
        default_factory=lambda: {side: Meter(units) for side, units in PARTITION_UNITS.items()}
    )
    load: dict[tuple[int, Side], Tally] = field(default_factory=dict)
    parts: dict[Side, Meter] = field(default_factory=dict)
    eventual: Meter | None = None
    heat: dict[Side, Heat] = field(default_factory=dict, repr=False)
    strain: dict[Side, Strain] = field(default_factory=dict, repr=False)
    stored_bytes: int = 0
    stored: Sample | None = field(default=None, repr=False)
    history: list[Event] = field(default_factory=list, repr=False)

    def tally(self, side: Side, now: int) -> Tally:
        """Return the tally of the second in which ``now`` (microseconds) lies, to be added to."""
        when = now // MICROSECONDS, side
        found = self.load.get(when)
        if found is None:
            found = self.load[when] = Tally()
        return found


class PartitionedTable:
    """The throughput of one table or of one global index: the one place where a request is admitted or refused.

    ``arn`` names it in refusals. ``stored_bytes`` and ``local_indexes`` (whether the table has any) describe a table
    that is not new and empty, and so does ``partitions``, where it has more than at birth; ``now`` is when it was made,
    for the partitions' history.

    The order of calls for one request at ``now``: :meth:`settle`, so that splits that are due have happened; find the
    partitions (:meth:`partition_at`, :meth:`partitions_between`); :meth:`refusal`; run it; :meth:`charge` for each
    partition, with the place where one is known; :meth:`store` for what was stored or deleted. ``now`` never goes back.
    """

    def __init__(
        self,
        arn: str,
        mode: BillingMode,
        *,
        read_units: int = 0,
        write_units: int = 0,
        stored_bytes: int = 0,
        local_indexes: bool = False,
        partitions: int | None = None,
        parameters: Parameters = DEFAULTS,
        now: int | None = None,
    ) -> None:
        self.arn = arn
        self.parameters = parameters
        self.mode: BillingMode = mode
        self.local_indexes = local_indexes
        self._provisioned: dict[Side, int] = {"read": read_units, "write": write_units}
        self._ceilings: dict[Side, int] = {
            "read": parameters.partition_read_units,
            "write": parameters.partition_write_units,
        }
        self._first: dict[Side, int] = {
            "read": parameters.on_demand_read_units,
            "write": parameters.on_demand_write_units,
        }
        self._quota: dict[Side, int] = {"read": parameters.table_read_quota, "write": parameters.table_write_quota}
        self._ramps = {side: Ramp(self._provisioned[side], self._quota[side], parameters) for side in SIDES}
        self._maxima: dict[Side, Meter] = {}
        self._collections: dict[int, int] = {}
        self.stored_bytes = stored_bytes
        """What is stored, exactly; the partitions' own numbers are estimates once one was split."""
        self._totals: dict[Side, Meter] = {}
        self._total_limit: dict[Side, Limit] = {}
        # The clock intervals that heat and peaks are counted in, and the next instant at which something is due.
        self._slot_length = max(1, parameters.heat_split_seconds * MICROSECONDS // parameters.heat_slots)
        self._peak_length = parameters.ramp_peak_seconds * MICROSECONDS
        self._slot_end = self._peak_end = self._due = 0
        count = partitions_at_birth(
            mode, read_units=read_units, write_units=write_units, stored_bytes=stored_bytes, parameters=parameters
        )
        count = max(count, partitions or 0)
        self.partitions: list[Partition] = []
        self._decided: dict[tuple[int, Side], tuple[list[Sequence[Place]], KeyRange, Decision]] = {}
        for key_range in equal_ranges(count):
            self._add(key_range, Event(now, "born", None, "created", key_range))
            self.partitions[-1].stored_bytes = stored_bytes // count
        self._in_order = list(self.partitions)
        self._starts: list[Place] = [partition.key_range.first for partition in self._in_order]
        self._limit_totals()
        self._share_out()

    # --- settings ---------------------------------------------------------------------------------------------------

    def provision(self, mode: BillingMode, *, read_units: int = 0, write_units: int = 0, now: int) -> None:
        """Follow a change of billing mode or of provisioned units at ``now`` (microseconds).

        What the buckets hold stays, as far as it fits. New partitions are born where the new units need more than there
        are; fewer units never lead to fewer partitions.
        """
        wanted: dict[Side, int] = {"read": read_units, "write": write_units}
        if (mode, wanted) == (self.mode, self._provisioned):
            return
        self.settle(now)
        if mode == "PROVISIONED" or self.mode == "PROVISIONED":
            self._maxima.clear()  # Maximum on-demand throughput does not survive a switch to provisioned mode.
        self.mode, self._provisioned = mode, wanted
        for side in SIDES:
            self._ramps[side].raise_to(wanted[side])
        self._limit_totals(now)
        self._share_out(now)
        self._grow(now)

    def limit_on_demand(self, *, read_units: int | None = None, write_units: int | None = None) -> None:
        """Set the maximum on-demand throughput of each side, None for none; a switch to provisioned clears both.

        The setting it has already keeps its meter. Source: "Maximum on-demand throughput".
        """
        wanted: dict[Side, int | None] = {"read": read_units, "write": write_units}
        for side, units in wanted.items():
            if units is None or self.mode == "PROVISIONED":
                self._maxima.pop(side, None)
            elif side not in self._maxima or self._maxima[side].rate != units:
                self._maxima[side] = Meter(units, units * self.parameters.maximum_burst_seconds)

    def warm_up(self, *, read_units: int = 0, write_units: int = 0, now: int) -> None:
        """Raise the warm throughput to those units, where they are more than it has; it never falls.

        Partitions are born at once (the control plane knows how long that takes). Source: "Warm throughput".
        """
        self.settle(now)
        wanted: dict[Side, int] = {"read": read_units, "write": write_units}
        for side in SIDES:
            self._ramps[side].raise_to(wanted[side])
        rates = {side: self._totals[side].rate for side in SIDES}
        self._limit_totals(now)
        for side, meter in self._totals.items():
            if self.mode == "PAY_PER_REQUEST" and meter.rate > rates[side]:
                meter.level = max(meter.level, meter.rate)  # What was made warm can be taken at once.
        self._grow(now)

    def warm_throughput(self, side: Side) -> int:
        """Return the units a second that the table or index can take at once.

        On-demand: at least the documented start, twice its settled peak, or what was set; provisioned: the highest it
        ever had. It never falls. Source: "Warm throughput"; as of the last :meth:`settle`.
        """
        if self.mode == "PAY_PER_REQUEST":
            self._ramps[side].raise_to(self._first[side])
        return math.ceil(min(self._ramps[side].reached, max(self._quota[side], self._provisioned[side])))

    def _limit_totals(self, now: int | None = None) -> None:
        """Set the meters of the table as a whole to the mode and the units it has now."""
        for side in SIDES:
            warm = self.warm_throughput(side)
            if self.mode == "PROVISIONED":
                rate, seconds, limit = self._provisioned[side], float(self.parameters.burst_seconds), Limit.PROVISIONED
            elif warm < self._quota[side]:
                rate, seconds, limit = warm, self.parameters.ramp_burst_seconds, Limit.KEY_RANGE
            else:
                rate, seconds, limit = self._quota[side], self.parameters.ramp_burst_seconds, Limit.ACCOUNT
            meter = self._totals.get(side)
            # A bucket of a mode begins full, or as full as the parameter says; within the mode it keeps what it holds.
            if meter is None or (self._total_limit[side] is Limit.PROVISIONED) != (limit is Limit.PROVISIONED):
                meter = self._totals[side] = Meter(rate, rate * seconds)
                if limit is Limit.PROVISIONED:
                    meter.level = max(float(rate), meter.depth * self.parameters.burst_at_birth)
            else:
                meter.change(rate, rate * seconds, now)
            self._total_limit[side] = limit

    def _share_out(self, now: int | None = None) -> None:
        """Give each partition its equal part of the provisioned units, in the designs that do so."""
        shared = self.mode == "PROVISIONED" and self.parameters.adaptation != "today"
        for partition in self.partitions:
            if not shared:
                partition.parts.clear()
                partition.strain.clear()
                continue
            for side in SIDES:
                rate = self._provisioned[side] / len(self.partitions)
                depth = rate * self.parameters.burst_seconds
                if side in partition.parts:
                    partition.parts[side].change(rate, depth, now)
                else:
                    partition.parts[side] = Meter(rate, depth)
                    partition.parts[side].level = max(rate, depth * self.parameters.burst_at_birth)

    # --- places -----------------------------------------------------------------------------------------------------

    def partition_of(self, key: Mapping[str, Any], sort_key: Mapping[str, Any] | None = None) -> Partition:
        """Return the partition that holds the partition key value ``key``, such as ``{"S": "a"}``.

        With ``sort_key``, the one that holds that item: an item collection may lie in several partitions.
        """
        return self.partition_at(place_of((key,), () if sort_key is None else (sort_key,)))

    def partition_at(self, place: int | Place) -> Partition:
        """Return the partition whose key range contains the place (or the hash position, at its first sort key)."""
        at = (place, b"") if isinstance(place, int) else place
        return self._in_order[bisect.bisect_right(self._starts, at) - 1]

    def partitions_between(self, first: Place, last: Place) -> list[Partition]:
        """Return the partitions that hold the places from ``first`` to ``last``, both included, in their order."""
        left = bisect.bisect_right(self._starts, first) - 1
        return self._in_order[left : max(left + 1, bisect.bisect_right(self._starts, last))]

    def partitions_of_collection(self, position: int) -> list[Partition]:
        """Return the partitions that hold any part of the item collection at a hash position, in sort order."""
        left = bisect.bisect_right(self._starts, (position, b"")) - 1
        return self._in_order[left : max(left + 1, bisect.bisect_left(self._starts, (position + 1, b"")))]

    def ceiling(self, side: str) -> int | None:
        """Return the most that one partition gives, in units a second; None for what is no side."""
        return {str(known): units for known, units in self._ceilings.items()}.get(side)

    def total_meter(self, side: Side) -> tuple[Meter, Limit]:
        """Return the meter of the table as a whole, and which limit it stands for."""
        return self._totals[side], self._total_limit[side]

    def maximum_meter(self, side: Side) -> Meter | None:
        """Return the meter of the maximum on-demand throughput, None without one."""
        return self._maxima.get(side)

    def heat_slot(self, now: int) -> int:
        """Return the number of the slot of the heat window in which ``now`` lies."""
        return now // self._slot_length

    @property
    def in_order(self) -> list[Partition]:
        """All partitions in the order of their key ranges, each beginning where the one before it ends."""
        return list(self._in_order)

    # --- requests ---------------------------------------------------------------------------------------------------

    def refusal(self, side: Side, touched: Iterable[Partition], now: int, *, eventual: bool = False) -> Refusal | None:
        """Say why a request on the ``touched`` partitions is refused at ``now`` (microseconds); None if it is admitted.

        ``eventual``: an eventually consistent read, which may have an allowance of its own. A refusal is entered in
        the load of the partitions that were asked.
        """
        if now >= self._due:
            self.settle(now)
        touched = list(touched)
        full = [partition for partition in touched if not self._admits(partition, side, now, eventual)]
        limit: Limit | None = None
        if full:
            limit = Limit.KEY_RANGE
        elif side in self._maxima and not self._maxima[side].admits(now):
            limit, full = Limit.MAXIMUM, touched
        elif not self._totals[side].admits(now):
            limit, full = self._total_limit[side], touched
        if limit is None:
            return None
        for partition in full:
            partition.tally(side, now).refused_requests += 1
        return Refusal(side, limit, self.mode, self.arn)

    def charge(
        self,
        side: Side,
        partition: Partition,
        units: float,
        now: int,
        *,
        place: Place | None = None,
        places: Sequence[Place] = (),
        eventual: bool = False,
    ) -> None:
        """Take what an admitted request really used from its partition (and from the table's total).

        ``place`` says where, for the splits that follow the load: without it the units count, but their place does not.
        A request on several items of the partition gives their ``places``, which share the units.
        """
        if now >= self._due:
            self.settle(now)
        if partition.eventual is not None and side == "read":
            partition.eventual.charge(units, now)
            if not eventual:
                partition.meters[side].charge(units, now)
        else:
            partition.meters[side].charge(units, now)
        self._totals[side].charge(units, now)
        if side in self._maxima:
            self._maxima[side].charge(units, now)
        tally = partition.tally(side, now)
        tally.admitted_requests += 1
        tally.admitted_units += units
        if partition.parts:
            self._charge_part(partition, side, units, now, tally)
        heat = partition.heat[side]
        if places:
            for each in places:
                heat.add(units / len(places), each)
        else:
            heat.add(units, place)
        self.consumed(side, units)

    def _admits(self, partition: Partition, side: Side, now: int, eventual: bool) -> bool:
        if partition.eventual is not None and side == "read":
            admits = partition.eventual.admits(now) and (eventual or partition.meters[side].admits(now))
        else:
            admits = partition.meters[side].admits(now)
        if admits and partition.parts and not self.relieved(partition, side, now):
            admits = partition.parts[side].admits(now)
            if not admits:
                self.strained(partition, side, now)
        return admits

    # --- adaptive capacity, as of 2017 ------------------------------------------------------------------------------

    def strained(self, partition: Partition, side: Side, now: int) -> None:
        """Remember that a partition was throttled at its part; a long pause begins the wait anew."""
        strain = partition.strain.get(side)
        if strain is None:
            partition.strain[side] = Strain(now, now)
        else:
            strain.again(now, self.parameters)

    def relieved(self, partition: Partition, side: Side, now: int) -> bool:
        """Say whether a throttled partition may use, by now, more than its part: up to its ceiling and the total."""
        strain = partition.strain.get(side)
        return strain is not None and strain.relieved(now, self.parameters)

    def _charge_part(self, partition: Partition, side: Side, units: float, now: int, tally: Tally) -> None:
        part = partition.parts[side]
        if not self.relieved(partition, side, now):
            part.charge(units, now)
        elif tally.admitted_units > part.rate:
            partition.strain[side].last = now  # It still needs more than its part.

    # --- what time brings -------------------------------------------------------------------------------------------

    def settle(self, now: int) -> None:
        """Let everything happen that is due by ``now``: splits for heat, and the growth that follows a peak.

        The cost does not depend on how much time has passed, and one long step is the same as many short ones.
        """
        if now < self._due:
            return
        if self._due == 0:
            self._slot_end, self._peak_end = self._end(now, self._slot_length), self._end(now, self._peak_length)
        while True:
            waiting = [ramp for ramp in self._ramps.values() if ramp.due is not None]
            due = min(self._slot_end, self._peak_end, *(ramp.due or 0 for ramp in waiting))
            if due > now:
                break
            ripe = [ramp for ramp in waiting if ramp.due == due]
            if ripe:
                ripe[0].mature()
                self._limit_totals(due)
                if self.mode == "PAY_PER_REQUEST":
                    self._grow(due)
            elif self._peak_end == due:
                for ramp in self._ramps.values():
                    ramp.close_interval(due, on_demand=self.mode == "PAY_PER_REQUEST")
                self._peak_end = self._end(now, self._peak_length)
            else:
                self._split_for_heat(due)
                self._slot_end = self._end(now, self._slot_length)
        self._due = due

    def next_due(self, now: int) -> int:
        """Return the first instant after ``now`` at which :meth:`settle` has something to do."""
        self.settle(now)
        return min(self._slot_end, self._peak_end, *(ramp.due for ramp in self._ramps.values() if ramp.due is not None))

    def consumed(self, side: Side, units: float) -> None:
        """Enter what all partitions together consumed, for the peaks that on-demand mode follows."""
        self._ramps[side].consumed += units

    @staticmethod
    def _end(now: int, length: int) -> int:
        """Return the end of the clock interval in which ``now`` lies."""
        return (now // length + 1) * length

    def _split_for_heat(self, at: int) -> None:
        slot = self.heat_slot(at) - 1
        for partition in list(self.partitions):
            for heat in partition.heat.values():
                heat.close(slot)
            for side in SIDES:
                if partition.heat[side].sustained(slot, self.hot_units(side, self._slot_length)):
                    decision = self._decide(partition, side)
                    if decision.cuts:
                        self._cut(partition, decision.cuts, decision.verdict, at)
                        break
                    self._stay(partition, decision.verdict, at)

    def hot_units(self, side: Side, length: int) -> float:
        """Return the units from which on a partition counts as hot in a time of that ``length`` (microseconds)."""
        return self.parameters.heat_split_share * self._ceilings[side] * length / MICROSECONDS

    def _decide(self, partition: Partition, side: Side) -> Decision:
        """Decide on a hot partition; what the same places led to last time is not thought over again."""
        past = partition.heat[side].past
        seen: list[Sequence[Place]] = [slot.places for slot in past]
        known = self._decided.get((partition.number, side))
        if known is not None and known[1] == partition.key_range and _same(known[0], seen):
            return known[2]
        decision = decide(
            past,
            partition.key_range,
            whole_collections=self.local_indexes,
            relief=self.parameters.heat_split_relief,
        )
        self._decided[partition.number, side] = seen, partition.key_range, decision
        return decision

    # --- partitions are born ----------------------------------------------------------------------------------------

    def _grow(self, now: int) -> None:
        """Split every partition in two, as often as the units that were reached need.

        That is how provisioned tables grew in Elhemali et al., section 4: 4 partitions become 8 at 6,000 WCU.
        """
        needed = partitions_for(self.warm_throughput("read"), self.warm_throughput("write"), self.parameters)
        while len(self.partitions) < needed:
            before = len(self.partitions)
            for partition in list(self.partitions):
                middle = partition.key_range.middle
                if middle is not None:
                    self._cut(partition, (middle,), "capacity", now)
            if len(self.partitions) == before:
                return

    def _add(self, key_range: KeyRange, born: Event) -> Partition:
        eventual = self.parameters.eventual_read_units
        partition = Partition(
            len(self.partitions),
            key_range,
            meters={side: Meter(units) for side, units in self._ceilings.items()},
            eventual=None if eventual is None else Meter(eventual),
            heat={
                side: Heat(units * self._slot_length / MICROSECONDS, self.parameters)
                for side, units in self._ceilings.items()
            },
            history=[born],
        )
        self.partitions.append(partition)
        return partition

    def _cut(self, partition: Partition, cuts: Iterable[Place], cause: Cause, now: int) -> None:
        """Cut a partition at those places: it keeps what lies before them, new partitions take the rest."""
        for at in sorted(cuts, reverse=True):
            kept, given = partition.key_range.cut(at)
            new = self._add(given, Event(now, "born", partition.number, cause, given))
            partition.key_range = kept
            partition.history.append(Event(now, "gave", new.number, cause, kept))
            index = bisect.bisect_right(self._starts, at)
            self._starts.insert(index, at)
            self._in_order.insert(index, new)
            self._divide_stored(partition, new)
            for side, part in partition.parts.items():
                # Both halves go on with half of what was left of the whole.
                part.level_at(now)
                part.level /= 2
                new.parts[side] = Meter(part.rate, part.depth)
                new.parts[side].charge(part.depth - part.level, now)
            for heat in partition.heat.values():
                heat.forget()
        self._share_out(now)

    def _stay(self, partition: Partition, verdict: Cause, now: int) -> None:
        last = partition.history[-1]
        if (last.kind, last.cause) != ("stayed", verdict):
            partition.history.append(Event(now, "stayed", None, verdict, partition.key_range))

    # --- size -------------------------------------------------------------------------------------------------------

    def store(self, place: Place, more_bytes: int, now: int) -> None:
        """Enter that the item at ``place`` grew by ``more_bytes`` (shrank, if negative); split at 10 GB.

        A partition that holds one item collection under a local secondary index is never split.
        """
        if now >= self._due:
            self.settle(now)
        self.stored_bytes += more_bytes
        partition = self.partition_at(place)
        partition.stored_bytes = max(0, partition.stored_bytes + more_bytes)
        if self.local_indexes:
            self._collections[place[0]] = max(0, self._collections.get(place[0], 0) + more_bytes)
        if partition.stored is None:
            partition.stored = Sample(self.parameters.partition_bytes / 512, 1024)
        if more_bytes > 0:
            partition.stored.add(more_bytes, place)
        if partition.stored_bytes > self.parameters.partition_bytes:
            self._split_for_size(partition, now)

    def collection_is_full(self, position: int, more_bytes: int = 0) -> bool:
        """Whether an item collection under a local index would exceed 10 GB, its index entries included.

        ``more_bytes`` are to be added; ``position`` is that of its partition key. Such a write is refused with
        ``ItemCollectionSizeLimitExceededException`` ("Local secondary indexes"). False for other tables.
        """
        return self._collections.get(position, 0) + more_bytes > self.parameters.partition_bytes

    def _split_for_size(self, partition: Partition, now: int) -> None:
        places = sorted(partition.stored.places) if partition.stored else []
        halves = [(place[0], b"") if self.local_indexes else place for place in places]
        inside = [place for place in halves if partition.key_range.first < place < partition.key_range.beyond]
        at = inside[len(inside) // 2] if inside else partition.key_range.middle
        if at is None:
            self._stay(partition, "one item collection under a local secondary index", now)
        else:
            self._cut(partition, (at,), "size", now)

    def _divide_stored(self, kept: Partition, new: Partition) -> None:
        if kept.stored is None or not kept.stored.places:
            new.stored_bytes = kept.stored_bytes // 2
            kept.stored_bytes -= new.stored_bytes
            return
        total = len(kept.stored.places)
        given = [place for place in kept.stored.places if place in new.key_range]
        kept.stored.places = [place for place in kept.stored.places if place in kept.key_range]
        new.stored = Sample(self.parameters.partition_bytes / 512, 1024, state=2 + new.number)
        new.stored.places = given
        new.stored_bytes = kept.stored_bytes * len(given) // total
        kept.stored_bytes -= new.stored_bytes


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Say whether these are the very same objects."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
