"""What each partition of a table was asked for, second by second."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..arguments import shown, typed
from ..errors import LabError
from ..live import clock, gate, isolation
from ..live.schema import schema_of
from ..model import keyrange_view
from ..model.keyspace import Place, place_of
from ..model.meters import MICROSECONDS
from ..model.partitions import PartitionedTable
from ..model.throttling import Side

SIDES: tuple[Side, ...] = ("read", "write")
_COUNTS = ["admitted_requests", "refused_requests", "admitted_units"]


IDLE_SECONDS = 600
"""A pause longer than this is left out of a load: ten minutes."""


@typed
def partition_load(table: str, *, index: str | None = None, since: int = 0) -> pd.DataFrame:
    """Return what each partition of ``table``, or of its global ``index``, admitted and refused in each second.

    Columns: ``second`` (simulated, since lab.start), ``partition``, ``side`` ("read" or "write"),
    ``admitted_requests``, ``refused_requests``, ``admitted_units``. Every partition has a row for both sides of every
    second from the first to the last in which the table was used, but a pause of more than ten minutes has none;
    ``since`` leaves out the seconds before it. A write that an index stopped counts as refused on its table. Raises
    LabError for an unknown table or index.
    """
    throughput = find(table, index)
    first_second = clock.started // MICROSECONDS
    used = {second for partition in throughput.partitions for second, _ in partition.load}
    rows = []
    for second in _filled(sorted(second for second in used if second - first_second >= since)):
        for partition in throughput.partitions:
            for side in SIDES:
                tally = partition.load.get((second, side))
                counts = [getattr(tally, name) for name in _COUNTS] if tally else [0, 0, 0.0]
                rows.append((second - first_second, partition.number, side, *counts))
    return pd.DataFrame(rows, columns=["second", "partition", "side", *_COUNTS]).astype(
        {"second": int, "partition": int, "admitted_requests": int, "refused_requests": int, "admitted_units": float}
    )


def _filled(seconds: list[int]) -> Iterator[int]:
    for second, following in itertools.zip_longest(seconds, seconds[1:]):
        pause = following is None or following - second > IDLE_SECONDS
        yield from (second,) if pause else range(second, following)


@typed
def partition_of(table: str, key: Mapping[str, Any], *, index: str | None = None) -> int:
    """Return the number of the partition in which ``key`` lives: ``lab.partition_of("pedidos", {"pk": "a"})``.

    ``key`` holds the partition key of the table or of its global ``index``, and the sort key where a split went through
    an item collection (more attributes do not matter), as Python values or as DynamoDB JSON. Raises LabError for an
    unknown table or index, and for a key without the partition key.
    """
    return find(table, index).partition_at(place(table, key, index)).number


@typed
def look(table: str, key: Mapping[str, Any], *, index: str | None = None) -> Look:
    """Return what the partition of ``key`` is like now: its key range, its tokens, its load, its history.

    The history counts simulated seconds since lab.start.

    Arguments and errors as of :func:`partition_of`; nothing is charged.
    """
    return Look(
        keyrange_view.look(find(table, index), place(table, key, index), clock.microseconds, since=clock.started)
    )


@typed
def partition_history(table: str, *, index: str | None = None) -> pd.DataFrame:
    """Return the births, splits and splits not made of all partitions of ``table``, or of its global ``index``.

    Columns: ``second`` (simulated, since lab.start; 0 for what came with the table), ``partition``, ``event`` ("born",
    "gave", "stayed"), ``other`` (the partition that the keys came from or went to, -1 for none), ``cause``, and
    ``key_range``, what the partition holds from then on. In the order of time. Raises LabError for an unknown table or
    index.
    """
    rows = [
        (
            0 if event.at is None else (event.at - clock.started) // MICROSECONDS,
            partition.number,
            event.kind,
            -1 if event.other is None else event.other,
            event.cause,
            keyrange_view.range_text(event.key_range),
        )
        for partition in find(table, index).partitions
        for event in partition.history
    ]
    rows.sort(key=lambda row: (row[0], row[1]))
    return pd.DataFrame(rows, columns=["second", "partition", "event", "other", "cause", "key_range"])


@dataclass(frozen=True)
class Look:
    """One partition at one instant, to be printed."""

    partition: keyrange_view.PartitionView

    def __repr__(self) -> str:
        seen = self.partition
        lines = [
            f"partition {seen.number}: {keyrange_view.range_text(seen.key_range)}; {seen.stored_bytes:,} bytes stored"
        ]
        for side, state in seen.sides.items():
            text = f"  {side}: {state.tokens:,.10g} of {state.ceiling:,.10g} units left this second"
            if state.part is not None:
                text += f", {state.part_tokens:,.10g} of its own part of {state.part:,.10g} a second"
            lines.append(f"{text}; {state.admitted_requests:,} admitted, {state.refused_requests:,} refused")
        return "\n".join([*lines, *(f"  {line}" for line in seen.history)])


def place(table: str, key: Mapping[str, Any], index: str | None = None) -> Place:
    """Return the place of a key of a table or of its global index; raises LabError if the key does not fit."""
    isolation.require_running()
    schema = schema_of(gate.find_table(table))
    names: tuple[str, ...] = (schema.keys.partition_key,)
    sort_names = schema.keys.names[1:]
    found = schema.index(index) if index is not None else None
    if found is not None:
        names, sort_names = found.partition_key, found.sort_key
    of = f"{table!r}" if index is None else f"{index!r} of {table!r}"
    for name in names:
        if not isinstance(key, Mapping) or name not in key:
            raise LabError(
                f"The partition key of {of} is {name!r}: give a key such as {{{name!r}: 'a'}}, not {shown(key)}."
            )
    values = {name: _attribute_value(key[name]) for name in (*names, *sort_names) if name in key}
    for name, value in values.items():
        kind = schema.types[name]
        if list(value) != [kind]:
            what = "partition" if name in names else "sort"
            raise LabError(f"The {what} key {name!r} of {of} is of type {kind}; {shown(key[name])} is not.")
    whole = all(name in values for name in sort_names)
    sort_values = [values[name] for name in sort_names] if whole else []
    return place_of([values[name] for name in names], sort_values)


def find(table: str, index: str | None = None) -> PartitionedTable:
    """Return the limits and load of a table of the running lab, or of its global index; LabError if there is none."""
    isolation.require_running()
    physics = gate.physics_of(gate.find_table(table))
    if index is None:
        return physics.table
    if index not in physics.indexes:
        there = ", ".join(sorted(physics.indexes)) or "none"
        raise LabError(f"The table {table!r} has no global index {index!r}; it has {there}.")
    return physics.indexes[index]


def _attribute_value(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    return {"S": value} if isinstance(value, str) else {"N": str(value)}
