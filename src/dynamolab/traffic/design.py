"""A workload and a design: what is asked of a table, and how the table is set up to take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from numpy.typing import ArrayLike

from ..arguments import is_number, is_whole, mapping, number, shown, whole
from ..errors import LabError
from ..model.autoscaling import Policy
from ..model.sizes import MAX_ITEM_BYTES
from ..model.throttling import BillingMode, Side
from ..model.units import Consistency, read_units, write_units
from .demand import MOST_SECONDS, Floats, Keys, checked

Kind = Literal["put", "update", "delete", "get", "query"]
_WRITES = ("put", "update", "delete")
MOST_UNITS = 10**8
"""The most units of a design: what its 100,000 partitions give at most."""
MOST_STORED_BYTES = 10**14
"""The most that a design may hold, 100 TB: the lab keeps each of its partitions of 10 GB."""


@dataclass(frozen=True)
class Operation:
    """One kind of request: ``share`` of the workload's requests are of it.

    ``item_bytes``: the item, the larger of both images for a write; ``items``: how many a Query reads; ``consistency``:
    "eventual", "strong" or "transactional" (of a write: "transactional" doubles the table's units, nothing else
    matters); ``index``: the global index that a Query reads.
    """

    kind: Kind
    share: float = 1.0
    item_bytes: int = 1024
    items: int = 1
    consistency: Consistency = "eventual"
    index: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in get_args(Kind):
            raise LabError(f"An operation is put, update, delete, get or query, not {shown(self.kind)}.")
        number(f"the share of {self.kind}", self.share, 0, MOST_UNITS)
        number(f"the item_bytes of {self.kind}", self.item_bytes, 1, MAX_ITEM_BYTES)
        whole(f"the items of a {self.kind}", self.items, 1, MOST_UNITS)
        _consistency(self.kind, self.consistency)
        if self.index is not None and (self.kind != "query" or self.consistency != "eventual"):
            raise LabError("Only a query reads a global index, and it does so eventually consistently.")
        _as_python(self)

    @property
    def side(self) -> Side:
        """Which units it uses."""
        return "write" if self.kind in _WRITES else "read"

    @property
    def units(self) -> float:
        """The units of one request, on its table or on the index that it reads."""
        if self.side == "write":
            return float(write_units(self.item_bytes) * (2 if self.consistency == "transactional" else 1))
        if self.kind == "get":
            return read_units(self.item_bytes, consistency=self.consistency)
        return read_units(self.items * self.item_bytes, consistency=self.consistency)


@dataclass(frozen=True)
class IndexWrites:
    """What the writes of a workload do to one global index.

    ``entry_bytes``: the entry as projected; ``share``: the part of the writes that touch the index (a sparse index, or
    updates that change nothing projected: below 1); ``moves``: the part of the writes that move an entry to another
    index key, a delete and a put; ``keys``: which index keys, the table's own population (placed by another hash)
    unless told.
    """

    entry_bytes: int = 1024
    share: float = 1.0
    moves: float = 0.0
    keys: Keys | None = None

    def __post_init__(self) -> None:
        number("the share of the writes that touch an index", self.share, 0, 1)
        number("the share of the writes that move an entry (they are among those that touch it)", self.moves, 0, 1)
        if self.moves > self.share:
            raise LabError(
                "Of the writes, those that move an entry are among those that touch the index: not "
                f"share={self.share!r} with moves={self.moves!r}."
            )
        number("the entry_bytes of an index", self.entry_bytes, 1, MAX_ITEM_BYTES)
        if self.keys is not None and not isinstance(self.keys, Keys):
            raise LabError(f"An index's keys are a population such as demand.uniform(1000), not {shown(self.keys)}.")
        _as_python(self)

    @property
    def units_per_write(self) -> float:
        """Write units of the index for each write of the table, on average."""
        return write_units(self.entry_bytes) * (self.share + self.moves)


@dataclass(frozen=True)
class Stream:
    """One part of a workload: requests of some operations, on one population of keys."""

    rate: Floats
    keys: Keys
    operations: tuple[tuple[str, Operation], ...]
    indexes: Mapping[str, IndexWrites]


class Workload:
    """What is asked of a table: requests over time, on keys, of operations.

    ``rate``: requests a second, one number for each second (a single number: one second). ``operations``: the share of
    each kind, such as ``{"put": 0.3, "get": 0.7}`` (all of ``item_bytes`` and ``consistency``), or an
    :class:`Operation` under any name. Shares need not add up to 1: with ``rate`` in orders an hour, they may be
    requests an order. ``indexes``: by name, what writes do to each global index. Workloads add: ``a + b``; the shorter
    one has ended while the longer goes on. Raises LabError for rates, sizes or shares without sense.
    """

    def __init__(
        self,
        rate: ArrayLike,
        keys: Keys,
        operations: Mapping[str, float | Operation] | None = None,
        *,
        item_bytes: int = 1024,
        consistency: Consistency = "eventual",
        indexes: Mapping[str, IndexWrites] | None = None,
    ) -> None:
        if not isinstance(keys, Keys):
            raise LabError(f"A workload's keys are a population such as demand.uniform(1000), not {shown(keys)}.")
        chosen = []
        _consistency("a workload", consistency)
        asked = mapping(
            "operations", {"put": 1.0} if operations is None else operations, object, "{'put': 0.3, 'get': 0.7}"
        )
        entries = mapping(
            "indexes", {} if indexes is None else indexes, IndexWrites, "{'by-city': IndexWrites(entry_bytes=100)}"
        )
        for name, given in asked.items():
            if isinstance(given, Operation):
                chosen.append((name, given))
            else:
                kind: Any = name
                how = consistency if name in ("get", "query") else "eventual"
                chosen.append((name, Operation(kind, given, item_bytes, consistency=how)))
        self.streams: tuple[Stream, ...] = (Stream(checked(rate), keys, tuple(chosen), dict(entries)),)

    def __add__(self, other: Workload) -> Workload:
        if not isinstance(other, Workload):
            raise LabError(f"A workload is added to a workload, not to {shown(other)}; multiply it for more requests.")
        return self._of(self.streams + other.streams)

    def __mul__(self, factor: float) -> Workload:
        """The same workload with ``factor`` times as many requests."""
        times = number("the factor of a workload", factor)
        return self._of(tuple(replace(each, rate=checked(each.rate * times)) for each in self.streams))

    __rmul__ = __mul__

    def _of(self, streams: tuple[Stream, ...]) -> Workload:
        made = Workload.__new__(Workload)
        made.streams = streams
        return made

    @property
    def seconds(self) -> int:
        """How long it lasts."""
        return max((len(stream.rate) for stream in self.streams), default=0)

    @property
    def requests(self) -> float:
        """How many requests there are in all."""
        return float(
            sum(stream.rate.sum() * sum(each.share for _, each in stream.operations) for stream in self.streams)
        )

    def __repr__(self) -> str:
        count = len(self.streams)
        return f"Workload: {self.requests:,.0f} requests in {self.seconds:,} s, {count} stream{'s' * (count != 1)}"


@dataclass(frozen=True)
class Limits:
    """New limits of auto scaling from second ``at`` of the simulation on: a scheduled action."""

    at: float
    minimum: int
    maximum: int

    def __post_init__(self) -> None:
        number("the second of a scheduled action", self.at, 0, MOST_SECONDS)
        whole("the minimum of a scheduled action", self.minimum, 1, MOST_UNITS)
        whole("the maximum of a scheduled action", self.maximum, self.minimum, MOST_UNITS)
        _as_python(self)


@dataclass(frozen=True)
class IndexDesign:
    """The capacity of one global index; meanings as of :class:`Design`."""

    read_units: int = 0
    write_units: int = 0
    partitions: int | None = None
    warm: Mapping[Side, int] = field(default_factory=dict)
    maximum: Mapping[Side, int] = field(default_factory=dict)
    auto_scaling: Mapping[Side, Policy] = field(default_factory=dict)
    schedule: Mapping[Side, tuple[Limits, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _as_python(self)


@dataclass(frozen=True)
class Design:
    """How a table is set up.

    ``mode``: "PAY_PER_REQUEST" (on-demand) or "PROVISIONED", with ``read_units`` and ``write_units``. ``partitions``:
    how many key ranges it has by now; None: as many as it is born with. ``warm``: warm throughput by side. ``maximum``:
    maximum on-demand throughput by side. ``auto_scaling``: a :class:`~dynamolab.model.autoscaling.Policy` by side, and
    ``schedule``: scheduled :class:`Limits` by side, which also work without a policy of their side's consumption (then
    capacity only moves into the limits). ``shards``: suffixes that each partition key is spread over by its writer (a
    query of a key becomes so many). ``indexes``: its global indexes by name. ``local_indexes``: whether it has any.
    ``stored_bytes``: what it holds. Raises LabError for values without sense.
    """

    mode: BillingMode = "PAY_PER_REQUEST"
    read_units: int = 0
    write_units: int = 0
    partitions: int | None = None
    shards: int = 1
    warm: Mapping[Side, int] = field(default_factory=dict)
    maximum: Mapping[Side, int] = field(default_factory=dict)
    auto_scaling: Mapping[Side, Policy] = field(default_factory=dict)
    schedule: Mapping[Side, tuple[Limits, ...]] = field(default_factory=dict)
    indexes: Mapping[str, IndexDesign] = field(default_factory=dict)
    local_indexes: bool = False
    stored_bytes: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.mode, str) or self.mode not in get_args(BillingMode):
            raise LabError(f"A table's mode is PAY_PER_REQUEST or PROVISIONED, not {shown(self.mode)}.")
        whole("shards", self.shards, 1, 10_000)
        if not isinstance(self.local_indexes, bool):
            raise LabError(f"Choose local_indexes as True or False, not {shown(self.local_indexes)}.")
        number("stored_bytes", self.stored_bytes, 0, MOST_STORED_BYTES)
        mapping("indexes", self.indexes, IndexDesign, "{'by-city': IndexDesign(read_units=5, write_units=5)}")
        resources: list[tuple[str, Design | IndexDesign]] = [("the table", self), *self.indexes.items()]
        for where, each in resources:
            whole(f"the read_units of {where}", each.read_units, 0, MOST_UNITS)
            whole(f"the write_units of {where}", each.write_units, 0, MOST_UNITS)
            if self.mode == "PROVISIONED" and (each.read_units < 1 or each.write_units < 1):
                raise LabError(
                    f"Provisioned mode needs read_units and write_units of 1 or more for {where}, not "
                    f"{each.read_units!r} and {each.write_units!r}."
                )
            if self.mode != "PROVISIONED" and (each.read_units or each.write_units):
                raise LabError(
                    f"On-demand mode has no read_units or write_units, as given for {where}: leave them out, or choose "
                    "the mode 'PROVISIONED'."
                )
            if each.partitions is not None:
                whole("partitions", each.partitions, 1, 100_000)
            mapping("warm", each.warm, object, "{'write': 8000}")
            mapping("maximum", each.maximum, object, "{'write': 500}")
            if self.mode == "PROVISIONED" and each.maximum:
                raise LabError(
                    f"Provisioned mode has no maximum on-demand throughput, as given for {where}: leave maximum out, "
                    "or choose the mode 'PAY_PER_REQUEST'."
                )
            mapping("auto_scaling", each.auto_scaling, Policy, "{'write': Policy(5, 100)}")
            mapping("schedule", each.schedule, (tuple, list), "{'write': (Limits(3600, 50, 100),)}")
            for side in (*each.warm, *each.maximum, *each.auto_scaling, *each.schedule):
                if side not in ("read", "write"):
                    raise LabError(f"Settings are by side, read or write, not {shown(side)}.")
            for units in each.warm.values():
                whole("the units of warm", units, 0, MOST_UNITS)
            for units in each.maximum.values():
                whole("the units of maximum", units, 1, MOST_UNITS)
            for action in (action for actions in each.schedule.values() for action in actions):
                if not isinstance(action, Limits):
                    raise LabError(f"A schedule is of Limits(at, minimum, maximum), not {shown(action)}.")
            if self.mode != "PROVISIONED" and (each.auto_scaling or each.schedule):
                raise LabError("Auto scaling and scheduled actions move provisioned units; this design is on-demand.")
        _as_python(self)


def _as_python(made: Any) -> None:
    """Keep NumPy's numbers as Python's: a NumPy whole number ends at 64 bits, and a key's place has as many."""
    for each in fields(made):
        value = getattr(made, each.name)
        if is_whole(value) or is_number(value):
            object.__setattr__(made, each.name, int(value) if is_whole(value) else float(value))


def _consistency(where: str, given: Any) -> None:
    if not isinstance(given, str) or given not in get_args(Consistency):
        raise LabError(f"The consistency of {where} is one of {', '.join(get_args(Consistency))}, not {shown(given)}.")


__all__ = ["Design", "IndexDesign", "IndexWrites", "Limits", "Operation", "Policy", "Workload"]
