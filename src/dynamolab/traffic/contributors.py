"""Which keys of a table were used most, and which were throttled most, as Contributor Insights ranks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..arguments import typed
from ..errors import LabError
from ..live import gate, isolation
from ..live import insights as live
from ..live.insights import Ranking

if TYPE_CHECKING:
    import pandas as pd


@typed
def most_accessed_keys(table: str, index: str | None = None, *, sort_key: bool = False) -> pd.DataFrame:
    """Return up to 25 keys of ``table``, or of its global index, in the order of what they used.

    Columns: ``rank`` (from 1), ``partition_key``, with ``sort_key=True`` also ``sort_key`` (both as text), ``units``
    (ConsumedThroughputUnits: 3 times the write units plus the read units, since the lab's start) and ``share`` (of all
    that the table or index used). A Query counts for its partition key alone, PartiQL not at all. The lab counts
    whether Contributor Insights is turned on or not. Raises LabError for an unknown table or index.
    Source: "CloudWatch Contributor Insights for DynamoDB: How it works".
    """
    return _frame(table, index, "SKC" if sort_key else "PKC", "units")


@typed
def most_throttled_keys(table: str, index: str | None = None, *, sort_key: bool = False) -> pd.DataFrame:
    """Return up to 25 keys of ``table``, or of its global index, in the order of their throttled events.

    Columns as of :func:`most_accessed_keys`, with ``events`` (ThrottleCount) for the units. A write that an index
    refused is no event here: back-pressure does not show. Raises LabError for an unknown table or index.
    """
    return _frame(table, index, "SKT" if sort_key else "PKT", "events")


def _frame(table: str, index: str | None, ranking: Ranking, column: str) -> pd.DataFrame:
    import pandas as pd

    isolation.require_running()
    found = gate.find_table(table)
    names = [each.name for each in found.global_indexes]
    if index is not None and index not in names:
        there = ", ".join(sorted(names)) or "none"
        raise LabError(f"The table {table!r} has no global index {index!r}; it has {there}.")
    counted = live.insights.rankings.get((table, index, ranking))
    total = sum(counted.counts.values()) if counted is not None else 0.0
    rows = []
    for rank, (key, count) in enumerate(live.insights.top(table, index, ranking), 1):
        row = {"rank": rank, "partition_key": key[1]}
        if ranking.startswith("SK"):
            row["sort_key"] = key[3]
        rows.append({**row, column: count, "share": count / total})
    columns = ["rank", "partition_key", *(["sort_key"] if ranking.startswith("SK") else []), column, "share"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({"rank": int, column: int if column == "events" else float, "share": float})
