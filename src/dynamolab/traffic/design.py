"""A workload and a design: what is asked of a table, and how the table is set up to take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from ..errors import LabError
from ..model.autoscaling import Policy
from ..model.sizes import MAX_ITEM_BYTES
from ..model.throttling import BillingMode, Side
from ..model.units import Consistency, read_units, write_units
from .demand import Floats, Keys, checked

Kind = Literal["put", "update", "delete", "get", "query"]
_WRITES = ("put", "update", "delete")


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
        if self.kind not in (*_WRITES, "get", "query"):
            raise LabError(f"An operation is put, update, delete, get or query, not {self.kind!r}.")
        if isinstance(self.share, bool) or not 0 <= self.share < float("inf"):
            raise LabError(f"The share of {self.kind} is a number from 0 up, not {self.share!r}.")
        if isinstance(self.item_bytes, bool) or not 1 <= self.item_bytes <= MAX_ITEM_BYTES:
            raise LabError(f"An item of {self.kind} has 1 to {MAX_ITEM_BYTES:,} bytes, not {self.item_bytes!r}.")
        if self.items < 1:
            raise LabError(f"A {self.kind} is of one item or more, not {self.items!r}.")
        if self.index is not None and (self.kind != "query" or self.consistency != "eventual"):
            raise LabError("Only a query reads a global index, and it does so eventually consistently.")

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
        if not 0 <= self.moves <= self.share <= 1:
            raise LabError(
                "Of the writes, from 0 to 1 touch an index, and those that move an entry are among them: not "
                f"share={self.share!r} with moves={self.moves!r}."
            )
        if isinstance(self.entry_bytes, bool) or not 1 <= self.entry_bytes <= MAX_ITEM_BYTES:
            raise LabError(f"An index entry has 1 to {MAX_ITEM_BYTES:,} bytes, not {self.entry_bytes!r}.")

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
            raise LabError(f"A workload's keys are a population such as demand.uniform(1000), not {keys!r}.")
        chosen = []
        for name, given in ({"put": 1.0} if operations is None else operations).items():
            if isinstance(given, Operation):
                chosen.append((name, given))
            else:
                kind: Any = name
                how = consistency if name in ("get", "query") else "eventual"
                chosen.append((name, Operation(kind, given, item_bytes, consistency=how)))
        self.streams: tuple[Stream, ...] = (Stream(checked(rate), keys, tuple(chosen), dict(indexes or {})),)

    def __add__(self, other: Workload) -> Workload:
        return self._of(self.streams + other.streams)

    def __mul__(self, factor: float) -> Workload:
        """The same workload with ``factor`` times as many requests."""
        return self._of(tuple(replace(each, rate=checked(each.rate * factor)) for each in self.streams))

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
        return f"Workload: {self.requests:,.0f} requests in {self.seconds:,} s, {len(self.streams)} streams"


@dataclass(frozen=True)
class Limits:
    """New limits of auto scaling from second ``at`` of the simulation on: a scheduled action."""

    at: float
    minimum: int
    maximum: int


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


@dataclass(frozen=True)
class Design:
    """How a table is set up.

    ``mode``: "PAY_PER_REQUEST" (on-demand) or "PROVISIONED" with ``read_units`` and ``write_units``. ``partitions``:
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
        if self.mode not in ("PAY_PER_REQUEST", "PROVISIONED"):
            raise LabError(f"A table's mode is PAY_PER_REQUEST or PROVISIONED, not {self.mode!r}.")
        _whole("shards", self.shards, 1, 10_000)
        resources: list[tuple[str, Design | IndexDesign]] = [("the table", self), *self.indexes.items()]
        for where, each in resources:
            if self.mode == "PROVISIONED" and (each.read_units < 1 or each.write_units < 1):
                raise LabError(
                    f"Provisioned mode needs read_units and write_units of 1 or more for {where}, not "
                    f"{each.read_units!r} and {each.write_units!r}."
                )
            if each.partitions is not None:
                _whole("partitions", each.partitions, 1, 100_000)
            for side in (*each.warm, *each.maximum, *each.auto_scaling, *each.schedule):
                if side not in ("read", "write"):
                    raise LabError(f"Settings are by side, read or write, not {side!r}.")
            if self.mode != "PROVISIONED" and (each.auto_scaling or each.schedule):
                raise LabError("Auto scaling and scheduled actions move provisioned units; this design is on-demand.")


def _whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise LabError(f"Choose {name} as a whole number from {least:,} to {most:,}, not {value!r}.")


__all__ = ["Design", "IndexDesign", "IndexWrites", "Limits", "Operation", "Policy", "Workload"]
