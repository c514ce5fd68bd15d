"""What each partition of a table was asked for, second by second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ..errors import LabError
from ..live import clock, gate, session
from ..model.meters import MICROSECONDS
from ..model.partitions import PartitionedTable
from ..model.throttling import Side

SIDES: tuple[Side, ...] = ("read", "write")
_COUNTS = ["admitted_requests", "refused_requests", "admitted_units"]


def partition_load(table: str, *, since: int = 0) -> pd.DataFrame:
    """Return what each partition of ``table`` admitted and refused in each simulated second.

    Columns: ``second`` (since lab.start), ``partition``, ``side`` ("read" or "write"), ``admitted_requests``,
    ``refused_requests``, ``admitted_units``. Every partition has a row for both sides of every second from the first
    to the last in which the table was used; ``since`` leaves out the seconds before it. Raises LabError for an unknown
    table.
    """
    throughput = find(table)
    first_second = clock.started // MICROSECONDS
    seconds = {second for partition in throughput.partitions for second, _ in partition.load}
    seconds = {second for second in seconds if second - first_second >= since}
    rows = []
    for second in range(min(seconds), max(seconds) + 1) if seconds else ():
        for partition in throughput.partitions:
            for side in SIDES:
                tally = partition.load.get((second, side))
                counts = [getattr(tally, name) for name in _COUNTS] if tally else [0, 0, 0.0]
                rows.append((second - first_second, partition.number, side, *counts))
    return pd.DataFrame(rows, columns=["second", "partition", "side", *_COUNTS]).astype(
        {"second": int, "partition": int, "admitted_requests": int, "refused_requests": int, "admitted_units": float}
    )


def partition_of(table: str, key: Mapping[str, Any]) -> int:
    """Return the number of the partition in which ``key`` lives: ``lab.partition_of("pedidos", {"pk": "a"})``.

    ``key`` holds the table's partition key (more attributes do not matter), as Python values or as DynamoDB JSON.
    Raises LabError for an unknown table or a key without the partition key.
    """
    throughput = find(table)
    found = gate.find_table(table)
    name, kind = found.hash_key_attr, found.hash_key_type
    if not isinstance(key, Mapping) or name not in key:
        raise LabError(f"The table's partition key is {name!r}: give a key such as {{{name!r}: 'a'}}, not {key!r}.")
    value = _attribute_value(key[name])
    if list(value) != [kind]:
        raise LabError(f"The partition key {name!r} of {table!r} is of type {kind}; {key[name]!r} is not.")
    return throughput.partition_of(value).number


def find(table: str) -> PartitionedTable:
    """Return the limits and load of a table of the running lab; raises LabError if there is none of that name."""
    session.require_running()
    return gate.throughput_of(gate.find_table(table))


def _attribute_value(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    return {"S": value} if isinstance(value, str) else {"N": str(value)}
