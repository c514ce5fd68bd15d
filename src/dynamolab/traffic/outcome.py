"""What came of a simulated workload: totals, and frames by second, partition, key, minute and reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..arguments import shown, typed, whole
from ..errors import LabError
from ..model.flow import Stretch
from ..model.partitions import PartitionedTable
from ..model.throttling import SIDES, Side
from .demand import Floats, Keys
from .layout import Layout

if TYPE_CHECKING:
    import pandas as pd

_LONGEST_RUN = 7200
"""Seconds that are looked at together: what is held in memory at once."""


class Part(NamedTuple):
    """One operation as asked of one side: its population of keys (by number), requests a second, units of each."""

    name: str
    group: int
    rate: Floats
    units: float


class Block(NamedTuple):
    """One stretch of seconds on one side: what was asked and admitted, and where the keys lay meanwhile."""

    first: int
    stretch: Stretch
    fresh: Floats
    layouts: list[Layout]
    shares: list[Floats]

    @property
    def last(self) -> int:
        """The second behind it."""
        return self.first + len(self.fresh)

    @property
    def refused(self) -> Floats:
        """Units refused, (seconds, partitions)."""
        asked = self.stretch.asked
        return np.where(self.stretch.admitted < asked * (1 - 1e-12), asked - self.stretch.admitted, 0.0)

    @property
    def fractions(self) -> Floats:
        """Which part of what was asked was admitted, (seconds, partitions); 1 where nothing was."""
        asked = self.stretch.asked
        return np.divide(self.stretch.admitted, asked, out=np.ones_like(asked), where=asked > 0)


class Event(NamedTuple):
    """Something that changed: ``resource`` is the index, None for the table."""

    second: int
    resource: str | None
    event: str
    detail: str


@dataclass
class Record:
    """All stretches of one side of a table or index."""

    side: Side
    index: str | None
    table: PartitionedTable
    parts: list[Part]
    blocks: list[Block] = field(default_factory=list)


class Totals(dict[str, dict[str, float]]):
    """Totals by side and name; printed, one line a number."""

    def __repr__(self) -> str:
        lines = []
        for side, values in self.items():
            lines.append(f"{side}:")
            for name, value in values.items():
                text = f"{100 * value:.2f} %" if name.endswith("share") else f"{value:,.6g}"
                if not name.endswith("share") and value >= 1e6:
                    text = f"{value:,.0f}"
                lines.append(f"  {name.replace('_', ' ')}: {text}")
        return "\n".join(lines)


@dataclass
class Outcome:
    """What came of ``simulate``. Arrays are by second from 0; frames (pandas) are made when they are first asked for.

    ``sent`` counts each request once, when it was first sent; ``admitted`` counts it when it got through; ``refused``
    counts refusals, so that with retries one request may be refused several times; ``lost`` counts those that nobody
    tries again. Without retries what is refused is lost. Fractions of requests occur: a flow has no whole requests.
    """

    seconds: int
    records: Mapping[tuple[str | None, Side], Record] = field(repr=False)
    steps: list[tuple[int, str | None, Side, int]] = field(repr=False)
    event_log: list[Event] = field(repr=False)
    tables: Mapping[str | None, PartitionedTable] = field(default_factory=dict, repr=False)

    # --- arrays -----------------------------------------------------------------------------------------------------

    def sent_units(self, side: Side, index: str | None = None) -> Floats:
        """Units asked for by requests sent for the first time, by second."""
        return self._seconds(side, index, lambda block: block.fresh.sum(axis=1))

    def admitted_units(self, side: Side, index: str | None = None) -> Floats:
        """Units consumed, by second."""
        return self._seconds(side, index, lambda block: block.stretch.admitted.sum(axis=1))

    def refused_units(self, side: Side, index: str | None = None) -> Floats:
        """Units refused, by second: each refused attempt counts."""
        return self._seconds(side, index, lambda block: block.refused.sum(axis=1))

    def lost_units(self, side: Side, index: str | None = None) -> Floats:
        """Units refused for the last time, by second."""
        return self._seconds(side, index, lambda block: block.stretch.lost)

    def sent_requests(self, side: Side, index: str | None = None) -> Floats:
        """Requests sent for the first time, by second."""
        found = self._record(side, index)
        parts = found.parts if found is not None else []
        return np.sum([part.rate for part in parts], axis=0) if parts else np.zeros(self.seconds)

    def admitted_requests(self, side: Side, index: str | None = None) -> Floats:
        """Requests that got through, by second."""
        return self._requests(side, index)[0]

    def refused_requests(self, side: Side, index: str | None = None) -> Floats:
        """Refused requests, by second: each refused attempt counts."""
        return self._requests(side, index)[1]

    def partition_units(self, side: Side, index: str | None = None) -> Floats:
        """Units that each partition consumed, (seconds, partitions by number)."""
        return self._grid(side, index, lambda block: block.stretch.admitted)

    def partition_refused(self, side: Side, index: str | None = None) -> Floats:
        """Units refused at each partition, for whichever reason, (seconds, partitions by number)."""
        return self._grid(side, index, lambda block: block.refused)

    def index_units(self, name: str, side: Side = "write") -> Floats:
        """Units that a global index consumed, by second."""
        return self.admitted_units(side, name)

    def provisioned_units(self, side: Side, index: str | None = None) -> Floats:
        """The provisioned units in force, by second: what is billed; zeros in on-demand mode."""
        found = np.zeros(self.seconds)
        for second, name, of, units in self.steps:
            if (name, of) == (index, side):
                found[second:] = units
        return found

    # --- totals -----------------------------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> Totals:
        """Totals by side of the table: ``totals["write"]["refused_share"]``; printed as text.

        ``sent_``, ``admitted_``, ``refused_`` and ``lost_requests``, the same of ``_units``; ``refused_share`` (of all
        units asked for, retries included), ``lost_share`` (of the units sent), ``waiting_units`` (still between two
        attempts at the end), and ``peak_units``, consumed in the busiest second.
        """
        found = Totals()
        for side in SIDES:
            record = self._record(side, None)
            if record is None:
                continue
            sent, admitted = self.sent_units(side), self.admitted_units(side)
            refused, lost = float(self.refused_units(side).sum()), float(self.lost_units(side).sum())
            values = {
                "sent_requests": float(self.sent_requests(side).sum()),
                "admitted_requests": float(self.admitted_requests(side).sum()),
                "refused_requests": float(self.refused_requests(side).sum()),
                "sent_units": float(sent.sum()),
                "admitted_units": float(admitted.sum()),
                "refused_units": refused,
                "lost_units": lost,
                "peak_units": float(admitted.max(initial=0.0)),
            }
            each = values["sent_units"] / values["sent_requests"] if values["sent_requests"] else 1.0
            values["lost_requests"] = lost / each if self._retried(record) else values["refused_requests"]
            values["waiting_units"] = _no_dust(values["sent_units"] - values["admitted_units"] - lost)
            asked = values["admitted_units"] + refused
            values["refused_share"] = refused / asked if asked else 0.0
            values["lost_share"] = lost / values["sent_units"] if values["sent_units"] else 0.0
            found[side] = values
        return found

    def __repr__(self) -> str:
        lines = [f"{self.seconds:,} s simulated"]
        for side, values in self.totals.items():
            text = f"{side}: {values['sent_requests']:,.0f} requests sent, {values['admitted_requests']:,.0f} admitted"
            text += f", {values['refused_requests']:,.0f} refused ({100 * values['refused_share']:.2f} % of the units)"
            lines.append(text)
        return "\n".join(lines)

    # --- frames -----------------------------------------------------------------------------------------------------

    @cached_property
    def by_second(self) -> pd.DataFrame:
        """One row for each second and side of the table: ``second``, ``side``, and ``sent_``, ``admitted_`` and
        ``refused_requests``, ``sent_``, ``admitted_`` and ``refused_units``.
        """
        import pandas as pd

        frames = [
            pd.DataFrame(
                {
                    "second": np.arange(self.seconds),
                    "side": side,
                    "sent_requests": self.sent_requests(side),
                    "admitted_requests": self.admitted_requests(side),
                    "refused_requests": self.refused_requests(side),
                    "sent_units": self.sent_units(side),
                    "admitted_units": self.admitted_units(side),
                    "refused_units": self.refused_units(side),
                }
            )
            for side in self._sides()
        ]
        return _sorted(frames, ["second", "side"])

    @cached_property
    def by_partition(self) -> pd.DataFrame:
        """One row for each second, partition and side of the table, with the columns of ``lab.partition_load``.

        ``second``, ``partition``, ``side``, ``admitted_requests``, ``refused_requests``, ``admitted_units``. A
        partition that is born later has zeros before.
        """
        import pandas as pd

        frames = []
        for side in self._sides():
            units, refused = self.partition_units(side), self.partition_refused(side)
            admitted, back = self._partition_requests(side)
            seconds, count = units.shape
            assert refused.shape == units.shape
            frames.append(
                pd.DataFrame(
                    {
                        "second": np.repeat(np.arange(seconds), count),
                        "partition": np.tile(np.arange(count), seconds),
                        "side": side,
                        "admitted_requests": admitted.ravel(),
                        "refused_requests": back.ravel(),
                        "admitted_units": units.ravel(),
                    }
                )
            )
        return _sorted(frames, ["second", "partition", "side"])

    @cached_property
    def by_operation(self) -> pd.DataFrame:
        """One row for each operation, under the name that the workload gives it.

        Columns: ``operation``, ``side``, ``index`` ("" for the table), and requests and units ``sent_``, ``admitted_``
        and ``refused_``. With retries, what each partition admitted is shared among the operations as it was sent.
        """
        import pandas as pd

        rows: dict[tuple[str, str, str], list[float]] = {}
        for (index, side), record in self.records.items():
            for part, (admitted, refused) in zip(record.parts, self._by_part(record), strict=True):
                sent = float(part.rate.sum())
                values = [sent, admitted, refused, sent * part.units, admitted * part.units, refused * part.units]
                row = rows.setdefault((part.name, side, index or ""), [0.0] * 6)
                row[:] = [one + other for one, other in zip(row, values, strict=True)]
        columns = ["sent_requests", "admitted_requests", "refused_requests", "sent_units", "admitted_units",
                   "refused_units"]  # fmt: skip
        return pd.DataFrame(
            [[*names, *values] for names, values in rows.items()], columns=["operation", "side", "index", *columns]
        )

    @cached_property
    def by_key(self) -> pd.DataFrame:
        """One row for each partition key and side of the table, the most asked for first.

        Columns: ``key`` (a number from 1, where keys have no names; without its suffix), ``side``, ``sent_units``,
        ``admitted_units``, ``refused_units``, ``admitted_share``. With retries, a partition's keys fare alike.
        """
        import pandas as pd

        columns = ["key", "side", "sent_units", "admitted_units"]
        frames = []
        for side in self._sides():
            record = self.records[None, side]
            for group, keys in enumerate(_populations(record)):
                sent, got = _Sums(keys), _Sums(keys)
                for first, layout, fresh, _, admitted in self._runs(record, group):
                    sent.add(layout.by_key(first, fresh))
                    got.add(layout.by_key(first, admitted))
                values: list[Any] = [sent.labels, side, sent.values, got.values]
                frames.append(pd.DataFrame(dict(zip(columns, values, strict=True))))
        frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
        if len(frames) > len(self._sides()):
            frame = frame.groupby(["key", "side"], sort=False, as_index=False).sum()
        sent_units, admitted = frame["sent_units"], frame["admitted_units"]
        frame["refused_units"] = _no_dust((sent_units - admitted).to_numpy(), sent_units.to_numpy())
        frame["admitted_share"] = (admitted / sent_units.where(sent_units > 0)).fillna(1.0)
        return frame.sort_values("sent_units", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def by_minute(self) -> pd.DataFrame:
        """What CloudWatch would show: one row for each minute, table or index ("" for the table) and side.

        Columns: ``minute`` (from 0), ``index``, ``side``, ``consumed_units`` (sum), ``provisioned_units`` (average; 0
        in on-demand mode), ``throttled_requests``. A write that an index stopped is an event of that index, not of the
        table ("Understanding global secondary index write throttling").
        """
        import pandas as pd

        stopped = self._stopped_by()
        frames = []
        for index, side in self.records:
            events = stopped.get((index, side), np.zeros(self.seconds))
            frames.append(
                pd.DataFrame(
                    {
                        "minute": np.arange(-(-self.seconds // 60)),
                        "index": index or "",
                        "side": side,
                        "consumed_units": _by_minute(self.admitted_units(side, index)),
                        "provisioned_units": _by_minute(self.provisioned_units(side, index), mean=True),
                        "throttled_requests": _by_minute(events),
                    }
                )
            )
        return _sorted(frames, ["minute", "index", "side"])

    @cached_property
    def by_reason(self) -> pd.DataFrame:
        """One row for each reason for refusals, in the service's words: ``reason``, ``resource`` (an ARN), ``units``
        refused and ``requests`` refused; the most first.
        """
        import pandas as pd

        rows = []
        for (reason, resource), (units, requests) in self._reasons().items():
            rows.append((reason, resource, float(units.sum()), float(requests.sum())))
        frame = pd.DataFrame(rows, columns=["reason", "resource", "units", "requests"])
        return frame.sort_values("units", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def capacity(self) -> pd.DataFrame:
        """The provisioned units, one row a change: ``second``, ``index`` ("" for the table), ``side``, ``units``."""
        import pandas as pd

        rows = [(second, index or "", side, units) for second, index, side, units in self.steps]
        return pd.DataFrame(rows, columns=["second", "index", "side", "units"])

    @cached_property
    def events(self) -> pd.DataFrame:
        """What changed on the way: ``second``, ``index`` ("" for the table), ``event``, ``detail``.

        Events are "split" and "stayed whole" of partitions, "scale out", "scale in" and "scheduled" decisions, and
        "capacity", when new units are in force.
        """
        import pandas as pd

        rows = [(each.second, each.resource or "", each.event, each.detail) for each in self.event_log]
        return pd.DataFrame(rows, columns=["second", "index", "event", "detail"])

    # --- the arithmetic behind them ---------------------------------------------------------------------------------

    def _sides(self) -> list[Side]:
        return [side for side in SIDES if (None, side) in self.records]

    @staticmethod
    def _retried(record: Record) -> bool:
        return any(block.stretch.asked is not block.fresh for block in record.blocks) and any(
            (block.stretch.asked != block.fresh).any() for block in record.blocks
        )

    def _record(self, side: Side, index: str | None) -> Record | None:
        """Return the record of one side of the table or of an index; None if nothing was asked of it."""
        if side not in list(SIDES):
            raise LabError(f"A side is read or write, not {shown(side)}.")
        names = [*self.tables, *(name for name, _ in self.records)]
        if index is not None and index not in names:
            there = ", ".join(sorted({name for name in names if name is not None})) or "none"
            raise LabError(f"The design has no index {shown(index)}; it has {there}.")
        return self.records.get((index, side))

    def _seconds(self, side: Side, index: str | None, of: Callable[[Block], Floats]) -> Floats:
        found = np.zeros(self.seconds)
        record = self._record(side, index)
        for block in record.blocks if record is not None else ():
            found[block.first : block.last] = of(block)
        return found

    def _grid(self, side: Side, index: str | None, of: Callable[[Block], Floats]) -> Floats:
        record = self._record(side, index)
        if record is None:
            return np.zeros((self.seconds, len(self.tables[index].partitions)))
        found = np.zeros((self.seconds, len(record.table.partitions)))
        for block in record.blocks:
            rows = of(block)
            found[block.first : block.last, : rows.shape[1]] = rows
        return found

    def _partition_requests(self, side: Side) -> tuple[Floats, Floats]:
        """Admitted and refused requests, (seconds, partitions): in each cell, requests have their average units."""
        record = self.records[None, side]
        units, refused = self.partition_units(side), self.partition_refused(side)
        requests, asked = np.zeros_like(units), np.zeros_like(units)
        for block in record.blocks:
            rows = slice(block.first, block.last)
            for part in record.parts:
                cells = part.rate[rows, None] * block.shares[part.group]
                requests[rows, : cells.shape[1]] += cells
                asked[rows, : cells.shape[1]] += cells * part.units
        overall = requests.sum() / asked.sum() if asked.sum() else 1.0
        each = np.divide(requests, asked, out=np.full_like(asked, overall), where=asked > 0)
        if self._retried(record):
            each = np.full_like(asked, overall)
        return units * each, refused * each

    def _requests(self, side: Side, index: str | None) -> tuple[Floats, Floats]:
        """Admitted and refused requests by second."""
        record = self._record(side, index)
        admitted, refused = np.zeros(self.seconds), np.zeros(self.seconds)
        if record is None or not record.parts:
            return admitted, refused
        if self._retried(record):
            sent = float(self.sent_units(side, index).sum())
            each = float(self.sent_requests(side, index).sum()) / sent if sent else 1.0
            return self.admitted_units(side, index) * each, self.refused_units(side, index) * each
        for block in record.blocks:
            rows = slice(block.first, block.last)
            fractions = block.fractions
            for part in record.parts:
                rate = part.rate[rows]
                through = rate * (fractions * block.shares[part.group]).sum(axis=1)
                admitted[rows] += through
                refused[rows] += _no_dust(rate - through, rate)
        return admitted, refused

    def _by_part(self, record: Record) -> list[tuple[float, float]]:
        """Admitted and refused requests of each operation."""
        count = len(record.table.partitions)
        retried = self._retried(record)
        sent = np.zeros((len(record.parts), count))
        units = np.zeros((len(record.parts), count))
        through = np.zeros(len(record.parts))
        admitted, refused = np.zeros(count), np.zeros(count)
        for block in record.blocks:
            rows, now = slice(block.first, block.last), block.fresh.shape[1]
            fractions = block.fractions
            admitted[:now] += block.stretch.admitted.sum(axis=0)
            refused[:now] += block.refused.sum(axis=0)
            for at, part in enumerate(record.parts):
                shares = block.shares[part.group]
                cells = part.rate[rows] @ np.broadcast_to(shares, block.fresh.shape)
                sent[at, :now] += cells
                units[at, :now] += cells * part.units
                through[at] += float((part.rate[rows, None] * shares * fractions).sum())
        if not retried:
            totals = sent.sum(axis=1)
            return [
                (float(got), float(_no_dust(whole - got, whole))) for got, whole in zip(through, totals, strict=True)
            ]
        mix = np.divide(units, units.sum(axis=0), out=np.zeros_like(units), where=units.sum(axis=0) > 0)
        return [
            (float(mix[at] @ admitted) / part.units, float(mix[at] @ refused) / part.units)
            for at, part in enumerate(record.parts)
        ]

    def _runs(self, record: Record, group: int) -> Iterator[tuple[int, Layout, Floats, Floats, Floats]]:
        """Runs of stretches in which one population lay alike: first second, layout, and its units by second and
        partition: fresh, asked, admitted.
        """
        run: list[Block] = []
        for block in [*record.blocks, None]:
            together = (
                block is not None
                and run
                and block.layouts[group] is run[-1].layouts[group]
                and block.first == run[-1].last
                and block.first - run[0].first < _LONGEST_RUN
            )
            if run and not together:
                cells = [_of_group(record, each, group) for each in run]
                fresh, asked, admitted = (np.concatenate([each[at] for each in cells]) for at in range(3))
                yield run[0].first, run[0].layouts[group], fresh, asked, admitted
                run = []
            if block is not None:
                run.append(block)

    def _reasons(self) -> dict[tuple[str, str], tuple[Floats, Floats]]:
        """Refused units and requests by second, for each reason and resource."""
        found: dict[tuple[str, str], tuple[Floats, Floats]] = {}
        for (index, side), record in self.records.items():
            if not record.parts:
                continue
            units, requests = self.refused_units(side, index), self._requests(side, index)[1]
            each = np.divide(requests, units, out=np.zeros_like(units), where=units > 0)
            for block in record.blocks:
                for reason, part in block.stretch.refused.items():
                    if reason not in found:
                        found[reason] = np.zeros(self.seconds), np.zeros(self.seconds)
                    found[reason][0][block.first : block.last] += part
                    found[reason][1][block.first : block.last] += part * each[block.first : block.last]
        return found

    def _stopped_by(self) -> dict[tuple[str | None, str], Floats]:
        """Refused requests by second, for each table or index (None, or a name) and side that stopped them."""
        found: dict[tuple[str | None, str], Floats] = {}
        for (reason, resource), (_, requests) in self._reasons().items():
            index = resource.partition("/index/")[2] or None
            side = "write" if "Write" in reason else "read"
            found[index, side] = found.get((index, side), 0.0) + requests
        return found


# --- a day's heat map -------------------------------------------------------------------------------------------------

Quantity = Literal["asked", "admitted", "refused"]


@dataclass(frozen=True)
class DayMap:
    """Units by key range and time, to be drawn as a heat map.

    ``units``: (rows, columns), rows are equal slices of the hash space from its beginning on, columns bins of time;
    units a second, averaged over the bin. ``refused``: the same of refused units. ``row_edges``: from 0 to 1, shape
    (rows + 1,); ``second_edges``: shape (columns + 1,). ``quantity`` names what ``units`` are.
    """

    units: Floats
    refused: Floats
    row_edges: Floats
    second_edges: Floats
    quantity: Quantity
    side: Side


@typed
def day_map(
    outcome: Outcome, side: Side = "write", *, quantity: Quantity = "admitted", rows: int = 64, columns: int = 288
) -> DayMap:
    """Return the map of key ranges (rows) over time (columns) of an outcome, as Bigtable's Key Visualizer shows it.

    ``quantity``: "asked" (retries included), "admitted" or "refused". A row is an equal slice of the hash space, not a
    partition: partitions are born on the way, slices stay. ``columns`` is at most the number of seconds. Raises
    LabError for a quantity or numbers without sense.
    """
    if not isinstance(outcome, Outcome):
        raise LabError(f"day_map shows what lab.simulate returned, not {shown(outcome)}.")
    for name, value in (("rows", rows), ("columns", columns)):
        whole(name, value, 1, 4096)
    columns = max(1, min(columns, outcome.seconds))
    edges = np.linspace(0.0, outcome.seconds, columns + 1).round()
    bins = np.searchsorted(edges, np.arange(outcome.seconds), side="right") - 1
    asked, admitted = np.zeros((rows, columns)), np.zeros((rows, columns))
    record = outcome._record(side, None)
    if record is not None:
        for group in range(len(_populations(record))):
            for first, layout, _, tried, got in outcome._runs(record, group):
                at = bins[first : first + len(tried)]
                asked += layout.by_range(rows, first, tried, at, columns)
                admitted += layout.by_range(rows, first, got, at, columns)
    lengths = np.maximum(np.diff(edges), 1.0)
    refused = _no_dust(asked - admitted, asked) / lengths
    chosen = {"asked": asked / lengths, "admitted": admitted / lengths, "refused": refused}[quantity]
    return DayMap(chosen, refused, np.linspace(0.0, 1.0, rows + 1), edges, quantity, side)


class _Sums:
    """Units by key, in the order of the keys' labels or by label."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._named: dict[Any, float] = {}
        self._sums: Floats = np.zeros(len(keys))

    def add(self, found: dict[Any, float] | Floats) -> None:
        if isinstance(found, dict):
            for key, value in found.items():
                self._named[key] = self._named.get(key, 0.0) + value
        else:
            self._sums = self._sums + found

    @property
    def labels(self) -> Any:
        return list(self._named) or self._keys.labels

    @property
    def values(self) -> Any:
        return list(self._named.values()) or self._sums


def _of_group(record: Record, block: Block, group: int) -> tuple[Floats, Floats, Floats]:
    """Return one population's units in a stretch: fresh, asked and admitted, by second and partition."""
    if len(block.layouts) == 1:
        return block.fresh, block.stretch.asked, block.stretch.admitted
    rows = slice(block.first, block.last)
    own = sum(
        (part.rate[rows, None] * part.units * block.shares[group] for part in record.parts if part.group == group),
        start=np.zeros_like(block.fresh),
    )
    # Retries where nothing fresh is asked are shared equally: whose they are is not known any more.
    part = np.divide(own, block.fresh, out=np.full_like(own, 1 / len(block.layouts)), where=block.fresh > 0)
    return own, block.stretch.asked * part, block.stretch.admitted * part


def _populations(record: Record) -> list[Keys]:
    for block in record.blocks:
        return [layout.keys for layout in block.layouts]
    return []


def _no_dust(value: Any, whole: Any = 1.0) -> Any:
    """Take what is below a billionth of the whole for nothing: differences of floats leave such dust."""
    clean = np.where(value > 1e-9 * np.maximum(whole, 1.0), value, 0.0)
    return clean if np.ndim(value) else float(clean)


def _by_minute(values: Floats, *, mean: bool = False) -> Floats:
    starts = np.arange(0, len(values), 60)
    sums = np.add.reduceat(values, starts) if len(values) else np.zeros(0)
    return sums / np.diff(np.r_[starts, len(values)]) if mean else sums


def _sorted(frames: list[pd.DataFrame], by: list[str]) -> pd.DataFrame:
    import pandas as pd

    if not frames:
        return pd.DataFrame(columns=by)
    if len(frames) == 1:
        return frames[0]
    return pd.concat(frames, ignore_index=True).sort_values(by, kind="stable", ignore_index=True)
