"""A live table's partitions, drawn."""

from __future__ import annotations

from ..model.partitions import PARTITION_UNITS
from ..model.throttling import Side
from ..traffic.load import partition_load
from .frames import partition_seconds
from .picture import Picture


def partition_map(table: str, side: Side = "write", *, since: int = 0) -> Picture:
    """Draw what each partition of ``table`` admitted and refused, second by second, under its ceiling.

    ``side`` is "write" or "read"; ``since`` leaves out the simulated seconds before it (``since=drive.began``). Idle
    seconds before the first request are left out too. Raises LabError for an unknown table or side, and for a table
    that was not asked for anything.
    """
    load = partition_load(table, since=since)
    ceiling = PARTITION_UNITS.get(side)
    return partition_seconds(
        load, side=side, ceiling=ceiling, title=f"{table}: {side}s by the second"
    )
