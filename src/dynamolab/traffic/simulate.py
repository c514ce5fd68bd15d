"""What a design does with a workload: millions of requests by arithmetic, under the rules of the live gate."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ..arguments import number, shown, whole
from ..errors import LabError
from ..model import flow
from ..model.autoscaling import AutoScaling, Policy, ScheduledAction, Step
from ..model.indexes import PartitionedIndex
from ..model.keyspace import Place
from ..model.meters import MICROSECONDS
from ..model.modes import DecreaseHistory
from ..model.parameters import DEFAULTS, Parameters
from ..model.partitions import PartitionedTable
from ..model.throttling import SIDES, Side
from ..model.units import read_units
from .demand import MOST_SECONDS, Floats, Keys
from .design import Design, IndexDesign, IndexWrites, Operation, Stream, Workload
from .layout import Layout, layout
from .outcome import Block, Event, Outcome, Part, Record

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/T"
MINUTE = 60
MOST_CELLS = 400_000_000
"""The most seconds times partitions of one simulation: about 6 GB."""

_PLACES = 512
Retrying = Literal["standard", "legacy"]
BACK_OFF: Mapping[str, tuple[tuple[float, float], ...]] = {
    "standard": tuple((0.0, float(min(2**retry, 20))) for retry in range(3)),
    "legacy": tuple((0.05 * 2**retry, 0.05 * 2**retry) for retry in range(9)),
}
"""The shortest and longest wait before each retry of a throttled request: boto3's modes, as measured (1.44)."""


def simulate(
    workload: Workload,
    design: Design,
    *,
    parameters: Parameters = DEFAULTS,
    start: float = 0.0,
    retries: Retrying | None = None,
    seconds: int | None = None,
) -> Outcome:
    """Return what ``design`` admits and refuses of ``workload``, second by second.

    ``start``: the simulated time at which it begins, in epoch seconds (auto scaling looks at whole minutes, decreases
    are counted by UTC days); the default begins at midnight. ``seconds``: how long, if not as long as the workload.
    ``retries``: how refused requests come again: None, they do not; "standard" (boto3's default: 3 retries) or "legacy"
    (9 retries).

    Nominal, like the live lab, and a limit of many small requests: within a second they arrive evenly, and units are
    divisible. Retries are a flow as well: waits are those of the mode, and no client runs out of its retry quota.
    Raises LabError for input without sense. The cost grows with seconds x partitions, and with keys at each split.
    """
    if not isinstance(workload, Workload) or not isinstance(design, Design):
        raise LabError("Call it as simulate(workload, design), with a Workload and a Design.")
    length = workload.seconds if seconds is None else seconds
    whole("seconds", length, 0, MOST_SECONDS)
    if retries is not None and not (isinstance(retries, str) and retries in BACK_OFF):
        raise LabError(f"Requests are retried as {', '.join(BACK_OFF)}, or not at all (None), not {shown(retries)}.")
    number("the start, in epoch seconds,", start, 0, 1e11)
    if not isinstance(parameters, Parameters):
        raise LabError(f"The parameters are of dynamolab.model.parameters.Parameters, not {shown(parameters)}.")
    return _Simulation(workload, design, parameters, int(start), retries, int(length)).run()


def units_of(operation: Operation, shards: int) -> tuple[float, float]:
    """Return how many requests an operation is under a scheme of ``shards`` suffixes, and the units of each.

    A Query of a whole partition key asks each suffix for its part of the items; everything else stays one request.
    """
    if operation.kind != "query" or operation.index is not None or shards == 1:
        return 1.0, operation.units
    part = max(1, math.ceil(operation.items * operation.item_bytes / shards))
    return float(shards), read_units(part, consistency=operation.consistency)


# --- one side of one table or index -----------------------------------------------------------------------------------


class _Running:
    """One side of one resource as it runs: what is asked of it, and where that falls."""

    def __init__(self, table: PartitionedTable, side: Side, index: str | None, shards: int, length: int) -> None:
        self.table, self.side, self.index, self.shards, self.length = table, side, index, shards, length
        self.parts: list[Part] = []
        self.keys: list[Keys] = []
        self.units: list[Floats] = []
        self.strong: list[Floats] = []
        self.layouts: list[Layout] = []
        self.record = Record(side, index, table, self.parts)
        self.retries: flow.Retries | None = None

    def add(self, name: str, stream: Stream, keys: Keys, operation: Operation) -> None:
        """Let an operation of a stream be asked of this side."""
        requests, units = units_of(operation, self.shards)
        group = next((at for at, known in enumerate(self.keys) if known is keys), None)
        if group is None:
            group = len(self.keys)
            self.keys.append(keys)
            self.units.append(np.zeros(self.length))
            self.strong.append(np.zeros(self.length))
        rate = _fitted(stream.rate, self.length) * (operation.share * requests)
        self.units[group] += rate * units
        if operation.consistency != "eventual":
            self.strong[group] += rate * units
        self.parts.append(Part(name, group, rate, units))

    def ready(self) -> bool:
        """Find the keys on the partitions there are now; False if these are the same as before."""
        if self.layouts and self.layouts[0].count == len(self.table.partitions):
            return False
        before = self.layouts
        self.layouts = [layout(keys, self.table, self.shards) for keys in self.keys]
        if self.retries is not None and before:
            self.retries.follow(_regrouping(before[0].count, self.table))
        return True

    def demand(self, first: int, last: int, of: list[Floats]) -> tuple[Floats, list[Floats]]:
        """Return the units asked for, (seconds, partitions), and each population's shares of the partitions."""
        shares = [each.shares(first, last) for each in self.layouts]
        total = of[0][first:last, None] * shares[0]
        for units, share in zip(of[1:], shares[1:], strict=True):
            total = total + units[first:last, None] * share
        return total, shares

    def go(
        self, first: int, last: int, now: int, pressure: flow.Pressure | None = None, writes: _Writes | None = None
    ) -> flow.Stretch | None:
        """Run the seconds from ``first`` to before ``last``; None if nothing was asked in them."""
        waiting = self.retries is not None and self.retries.waiting > 0
        if pressure is None and not waiting and not any(units[first:last].any() for units in self.units):
            return None
        self.ready()
        fresh, shares = self.demand(first, last, self.units)
        strong = None
        if self.side == "read" and self.table.parameters.eventual_read_units is not None:
            strong, _ = self.demand(first, last, self.strong)
        stretch = flow.admit(
            self.table,
            self.side,
            fresh,
            now,
            strong=strong,
            pressure=pressure,
            inflow=writes.inflow(first, shares) if writes is not None else None,
            retries=self.retries,
        )
        flow.enter(self.table, self.side, stretch.admitted, _Places(self.layouts, self.units, shares, first, last))
        self.record.blocks.append(Block(first, stretch, fresh, self.layouts, shares))
        return stretch


class _Places:
    """Where in a hot partition the load falls, each population of keys with its part."""

    def __init__(self, layouts: list[Layout], units: list[Floats], shares: list[Floats], first: int, last: int) -> None:
        self.layouts, self.shares, self.first = layouts, shares, first
        self.amounts = [each[first:last] for each in units]

    def __call__(self, number: int) -> Sequence[Place]:
        if len(self.layouts) == 1:
            return self.layouts[0].places(number, _PLACES, self.first)
        loads = [
            float((amount * share[:, number]).sum()) for amount, share in zip(self.amounts, self.shares, strict=True)
        ]
        places: list[Place] = []
        for each, load in zip(self.layouts, loads, strict=True):
            count = round(16 * load / sum(loads)) if sum(loads) > 0 else 0
            if count:
                places += each.places(number, _PLACES // 16 * count, self.first)
        return places


class _Writes:
    """What flows from a table's writes to its indexes."""

    def __init__(self, indexes: Mapping[str, PartitionedIndex]) -> None:
        self.indexes = indexes
        self.entries: dict[str, list[tuple[int, Floats, Keys]]] = {name: [] for name in indexes}
        self._layouts: dict[str, list[Layout]] = {}

    def add(self, name: str, group: int, units: Floats, keys: Keys) -> None:
        """Let writes of a population of the table's keys reach an index: ``units`` a second if all are admitted."""
        for at, (known, flowing, where) in enumerate(self.entries[name]):
            if known == group and where is keys:
                self.entries[name][at] = (group, flowing + units, keys)
                return
        self.entries[name].append((group, units, keys))

    def inflow(self, first: int, shares: list[Floats]) -> flow.Inflow:
        """Return what flows to each index in a stretch that begins in second ``first``."""
        for name, index in self.indexes.items():
            layouts = self._layouts.get(name)
            if layouts is None or any(each.count != len(index.partitions) for each in layouts):
                self._layouts[name] = [layout(keys, index) for _, _, keys in self.entries[name]]

        def flowing(begin: int, end: int, fractions: Floats) -> Mapping[str, Floats]:
            found: dict[str, Floats] = {}
            for name, index in self.indexes.items():
                total: Floats = np.zeros((end - begin, len(index.partitions)))
                for (group, units, _), where in zip(self.entries[name], self._layouts[name], strict=True):
                    share = shares[group] if len(shares[group]) == 1 else shares[group][begin:end]
                    through = units[first + begin : first + end] * (fractions * share).sum(axis=1)
                    total += through[:, None] * where.shares(first + begin, first + end)
                found[name] = total
            return found

        return flowing

    def places(self, name: str, first: int, last: int) -> _Places:
        """Return where in the partitions of an index the writes fall."""
        layouts = self._layouts[name]
        units = [flowing for _, flowing, _ in self.entries[name]]
        return _Places(layouts, units, [each.shares(first, last) for each in layouts], first, last)


def _regrouping(before: int, table: PartitionedTable) -> Callable[[Floats], Floats]:
    """Return how units at the partitions of before lie on those of now: a new one takes its part of its parent's."""
    parents: list[int] = []
    for partition in table.partitions[before:]:
        born = next(event for event in partition.history if event.kind == "born")
        parents.append(born.other if born.other is not None else 0)

    def regroup(units: Floats) -> Floats:
        grown: Floats = np.r_[units, np.zeros(len(parents))]
        for at, parent in enumerate(parents, before):
            grown[at] = grown[parent] / 2
            grown[parent] /= 2
        return grown

    return regroup


def _fitted(rate: Floats, length: int) -> Floats:
    if len(rate) >= length:
        return rate[:length]
    longer: Floats = np.r_[rate, np.zeros(length - len(rate))]
    return longer


# --- capacity ---------------------------------------------------------------------------------------------------------


@dataclass
class _Capacity:
    """The provisioned units of one table or index, and what moves them."""

    name: str | None
    table: PartitionedTable
    units: dict[Side, int]
    scaling: dict[Side, AutoScaling]
    tracked: tuple[Side, ...]
    decreases: DecreaseHistory
    consumed: dict[Side, float] = field(default_factory=lambda: {"read": 0.0, "write": 0.0})


class _Simulation:
    def __init__(
        self,
        workload: Workload,
        design: Design,
        parameters: Parameters,
        start: int,
        retries: Retrying | None,
        length: int,
    ) -> None:
        self.design, self.parameters, self.length = design, parameters, length
        self.began = start * MICROSECONDS
        self.agenda: list[tuple[int, int, Callable[[int], None]]] = []
        self.order = itertools.count()
        self.events: list[Event] = []
        self.steps: list[tuple[int, str | None, Side, int]] = []
        self.capacities: list[_Capacity] = []
        self.table = PartitionedTable(
            ARN,
            design.mode,
            **self._born(design),
            local_indexes=design.local_indexes,
            stored_bytes=design.stored_bytes,
            partitions=design.partitions,
            parameters=parameters,
        )
        self._set_up(None, self.table, design)
        self.indexes: dict[str, PartitionedIndex] = {}
        for name, each in sorted(design.indexes.items()):
            self.indexes[name] = PartitionedIndex(
                f"{ARN}/index/{name}",
                design.mode,
                **self._born(each),
                partitions=each.partitions,
                parameters=parameters,
            )
            self._set_up(name, self.indexes[name], each)
        self._ask(workload, retries)

    def _born(self, design: Design | IndexDesign) -> dict[str, Any]:
        if self.design.mode == "PAY_PER_REQUEST":
            return {"read_units": 0, "write_units": 0}
        return {"read_units": design.read_units, "write_units": design.write_units}

    def _set_up(self, name: str | None, table: PartitionedTable, design: Design | IndexDesign) -> None:
        now = self.began
        if design.maximum:
            table.limit_on_demand(read_units=design.maximum.get("read"), write_units=design.maximum.get("write"))
        if design.warm:
            # Some time before, so that its bucket is full when the first request comes.
            ready = now - MINUTE * MICROSECONDS
            table.warm_up(read_units=design.warm.get("read", 0), write_units=design.warm.get("write", 0), now=ready)
        if self.design.mode != "PROVISIONED":
            return
        units: dict[Side, int] = {"read": design.read_units, "write": design.write_units}
        scaling: dict[Side, AutoScaling] = {}
        for side in SIDES:
            self.steps.append((0, name, side, units[side]))
            policy = design.auto_scaling.get(side)
            actions = [
                ScheduledAction(now + round(each.at * MICROSECONDS), each.minimum, each.maximum)
                for each in design.schedule.get(side, ())
            ]
            if policy is None and not actions:
                continue
            if policy is not None:
                actions.insert(0, ScheduledAction(now, policy.minimum, policy.maximum))
            tracking = policy or Policy(1, self.parameters.table_write_quota)
            scaling[side] = AutoScaling(tracking, tuple(actions), self.parameters)
        capacity = _Capacity(name, table, units, scaling, tuple(design.auto_scaling), DecreaseHistory(self.parameters))
        self.capacities.append(capacity)
        for side, each in scaling.items():
            for action in each.schedule:
                self._at(action.at, functools.partial(self._schedule, capacity, side))

    def _ask(self, workload: Workload, retries: Retrying | None) -> None:
        """Find out what is asked of which side of which table or index."""
        shards = self.design.shards
        self.sides: dict[tuple[str | None, Side], _Running] = {
            (None, side): _Running(self.table, side, None, shards, self.length) for side in SIDES
        }
        self.writes = _Writes(self.indexes)
        elsewhere: dict[int, Keys] = {}
        reached = False
        for stream in workload.streams:
            for name, operation in stream.operations:
                if operation.index is not None:
                    if operation.index not in self.indexes:
                        there = ", ".join(self.indexes) or "none"
                        raise LabError(f"{name} reads the index {operation.index!r}, which the design lacks: {there}.")
                    index = self.indexes[operation.index]
                    running = self.sides.setdefault(
                        (operation.index, "read"), _Running(index, "read", operation.index, 1, self.length)
                    )
                    running.add(name, stream, self._index_keys(operation.index, stream, elsewhere), operation)
                    continue
                running = self.sides[None, operation.side]
                running.add(name, stream, stream.keys, operation)
                if operation.side == "read":
                    continue
                for index_name, effect in stream.indexes.items():
                    if index_name in self.indexes and effect.units_per_write:
                        reached = True
                        self._reach(index_name, running, stream, operation, effect, elsewhere)
        self.pressure = flow.Pressure(self.indexes) if reached else None
        self.sides = {key: running for key, running in self.sides.items() if running.parts}
        self.index_records = {
            name: Record("write", name, index, []) for name, index in self.indexes.items() if self.writes.entries[name]
        }
        for running in self.sides.values():
            if retries is not None:
                running.retries = flow.Retries(BACK_OFF[retries], len(running.table.partitions))
            if len(running.table.partitions) * self.length > MOST_CELLS:
                raise LabError(
                    f"{self.length:,} seconds on {len(running.table.partitions):,} partitions are too much for one "
                    "simulation; choose fewer seconds, or speed the trace up."
                )

    def _index_keys(self, name: str, stream: Stream, elsewhere: dict[int, Keys]) -> Keys:
        effect = stream.indexes.get(name)
        if effect is not None and effect.keys is not None:
            return effect.keys
        return elsewhere.setdefault(id(stream.keys), stream.keys.elsewhere())

    def _reach(
        self,
        name: str,
        running: _Running,
        stream: Stream,
        operation: Operation,
        effect: IndexWrites,
        elsewhere: dict[int, Keys],
    ) -> None:
        group = running.parts[-1].group
        rate = running.parts[-1].rate * effect.units_per_write
        self.writes.add(name, group, rate, self._index_keys(name, stream, elsewhere))

    # --- the run ------------------------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """Run all seconds, from one instant at which something may change to the next."""
        first = 0
        self._due(self.began)
        while first < self.length:
            now = self.began + first * MICROSECONDS
            end = self._next(now)
            last = min(self.length, max(first + 1, -(-(end - self.began) // MICROSECONDS)))
            self._stretch(first, last, now)
            first = last
            now = self.began + first * MICROSECONDS
            self.table.settle(now)
            for index in self.indexes.values():
                index.settle(now)
            if now % (MINUTE * MICROSECONDS) == 0:
                for capacity in self.capacities:
                    self._observe(capacity, now)
            self._due(now)
        records = [running.record for running in self.sides.values()]
        records += self.index_records.values()
        self._collect_events()
        return Outcome(
            seconds=self.length,
            records={(record.index, record.side): record for record in records},
            steps=self.steps,
            event_log=sorted(self.events, key=lambda event: (event.second, event.resource or "")),
            tables=dict(self._tables()),
        )

    def _tables(self) -> list[tuple[str | None, PartitionedTable]]:
        return [(None, self.table), *self.indexes.items()]

    def _stretch(self, first: int, last: int, now: int) -> None:
        for (name, side), running in self.sides.items():
            if (name, side) == (None, "write") and self.pressure is not None:
                stretch = running.go(first, last, now, self.pressure, self.writes)
            else:
                stretch = running.go(first, last, now)
            if stretch is None:
                continue
            self._consumed(name, side, stretch.admitted)
            for index, units in stretch.to_indexes.items():
                if index in self.index_records:
                    taken = flow.Stretch(units, units, {}, np.zeros(len(units)))
                    self.index_records[index].blocks.append(Block(first, taken, units, [], []))
                    flow.enter(self.indexes[index], "write", units, self.writes.places(index, first, last))
                    self._consumed(index, "write", units)

    def _consumed(self, name: str | None, side: Side, admitted: Floats) -> None:
        for capacity in self.capacities:
            if capacity.name == name:
                capacity.consumed[side] += float(admitted.sum())

    def _next(self, now: int) -> int:
        minute = (now // (MINUTE * MICROSECONDS) + 1) * MINUTE * MICROSECONDS
        due = min(each.next_due(now) for each in (self.table, *self.indexes.values()))
        return min(minute, due, *(entry[0] for entry in self.agenda[:1]))

    def _at(self, moment: int, what: Callable[[int], None]) -> None:
        heapq.heappush(self.agenda, (moment, next(self.order), what))

    def _due(self, now: int) -> None:
        while self.agenda and self.agenda[0][0] <= now:
            moment, _, what = heapq.heappop(self.agenda)
            what(moment)

    # --- auto scaling -------------------------------------------------------------------------------------------------

    def _observe(self, capacity: _Capacity, now: int) -> None:
        """Tell auto scaling what a minute consumed; a minute without consumption has no data point."""
        for side in capacity.tracked:
            consumed = capacity.consumed[side]
            if consumed > 0:
                may = capacity.decreases.check(now) is None
                minute = now - MINUTE * MICROSECONDS
                step = capacity.scaling[side].observe(minute, consumed, capacity.units[side], may_decrease=may)
                self._carry_out(capacity, side, step)
        capacity.consumed = {"read": 0.0, "write": 0.0}

    def _schedule(self, capacity: _Capacity, side: Side, moment: int) -> None:
        self._carry_out(capacity, side, capacity.scaling[side].scheduled(moment, capacity.units[side]))

    def _carry_out(self, capacity: _Capacity, side: Side, step: Step | None) -> None:
        if step is not None:
            detail = f"{side}: {capacity.units[side]:,} to {step.units:,} units decided"
            self.events.append(Event(self._second(step.decided), capacity.name, step.cause, detail))
            self._at(step.effective, lambda moment: self._begin(capacity, side, step.units, moment))

    def _begin(self, capacity: _Capacity, side: Side, units: int, moment: int) -> None:
        """Ask for the change when auto scaling has got round to it; the limits may have moved since."""
        units = capacity.scaling[side].policy.clamp(units)
        lower = units < capacity.units[side]
        if units != capacity.units[side] and not (lower and capacity.decreases.check(moment) is not None):
            in_force = moment + self.parameters.capacity_seconds * MICROSECONDS
            self._at(in_force, lambda now: self._change(capacity, side, units, now))

    def _change(self, capacity: _Capacity, side: Side, units: int, now: int) -> None:
        if units < capacity.units[side]:
            capacity.decreases.decrease(now)
        detail = f"{side}: {capacity.units[side]:,} to {units:,} units in force"
        capacity.units[side] = units
        self.events.append(Event(self._second(now), capacity.name, "capacity", detail))
        self.steps.append((self._second(now), capacity.name, side, units))
        given = {"read_units": capacity.units["read"], "write_units": capacity.units["write"]}
        capacity.table.provision("PROVISIONED", **given, now=now)

    def _second(self, moment: int) -> int:
        return (moment - self.began) // MICROSECONDS

    def _collect_events(self) -> None:
        for name, table in self._tables():
            for partition in table.partitions:
                for event in partition.history:
                    if event.at is None or event.kind == "gave":
                        continue
                    what = "split" if event.kind == "born" else "stayed whole"
                    source = f" from {event.other}" if event.other is not None else ""
                    detail = f"partition {partition.number}{source}: {event.cause}"
                    self.events.append(Event(self._second(event.at), name, what, detail))
