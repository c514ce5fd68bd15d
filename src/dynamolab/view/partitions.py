"""A live table's partitions, drawn."""

from __future__ import annotations

from ..arguments import typed
from ..model.throttling import Side
from ..traffic.load import find, partition_load
from .frames import partition_seconds
from .picture import Picture


@typed
def partition_map(table: str, side: Side = "write", *, index: str | None = None, since: int = 0) -> Picture:
    """Draw what each partition of ``table`` admitted and refused, second by second, under its ceiling.

    With ``index``, those of a global index. ``side`` is "write" or "read"; ``since`` leaves out the simulated seconds
    before it (``since=drive.began``). Idle seconds before the first request are left out too. Raises LabError for an
    unknown table, index or side, and for a table that was not asked for anything.
    """
    load = partition_load(table, index=index, since=since)
    ceiling = find(table, index).ceiling(side)
    name = table if index is None else f"{index} of {table}"
    return partition_seconds(load, side=side, ceiling=ceiling, title=f"{name}: {side}s by the second")
