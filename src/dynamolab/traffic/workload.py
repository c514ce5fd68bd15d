"""Steady traffic on many keys, answered by arithmetic instead of requests: the same rules as the live gate, vectorised.

Only NumPy and the model: an explorer recomputes it while a slider moves.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arguments import is_number, shown, typed, whole
from ..errors import LabError
from ..model.keyspace import SPACE, position
from ..model.partitions import ON_DEMAND_PARTITIONS, PARTITION_UNITS
from ..model.sizes import MAX_ITEM_BYTES, PAGE_BYTES
from ..model.throttling import Side
from ..model.units import READ_UNIT_BYTES, read_units, write_units

DAY = "PEDIDOS#2026-09-06"
MOST_SHARDS = 10_000
MOST = 1_000_000_000
"""The most writes in a second, and the most seconds."""
SHARD_STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400)
"""Numbers of suffixes worth trying, from one to a few hundred: what an explorer's slider offers."""

Floats = NDArray[np.float64]


@typed
def places(keys: Sequence[str], partitions: int = ON_DEMAND_PARTITIONS) -> NDArray[np.int64]:
    """Return the partition number of each partition key, for ``partitions`` equal key ranges; shape (keys,)."""
    whole("the number of partitions", partitions, 1, 100_000)
    # position // (SPACE / n) in integers, as the live table's ranges are cut.
    return np.array([position({"S": key}) * partitions // SPACE for key in keys], dtype=np.int64)


def admitted(demand: Floats, where: NDArray[np.int64], partitions: int, side: Side = "write") -> tuple[Floats, Floats]:
    """Return the units per second that each partition admits and refuses in the steady state; two arrays (partitions,).

    ``demand`` is units per second by key, ``where`` each key's partition. A partition admits up to its ceiling.
    """
    asked = np.bincount(where, weights=demand, minlength=partitions).astype(np.float64)
    given = np.minimum(asked, float(PARTITION_UNITS[side]))
    return given, asked - given


@dataclass(frozen=True)
class ShardedDay:
    """One logical key, written through N suffixes for a day, and what reading it back costs.

    Arrays have one element a partition; units are write units per second in the steady state. ``read_back_units`` are
    eventually consistent read units for all items that the day admitted, from ``read_back_queries`` item collections in
    ``read_back_pages`` pages, each ended by the item that reaches 1 MB.
    """

    keys_per_partition: NDArray[np.int64]
    admitted_units: Floats
    refused_units: Floats
    sent_units: float
    read_back_queries: int
    read_back_pages: int
    read_back_units: float

    @property
    def refused_share(self) -> float:
        """Refused units over sent units, from 0 to 1."""
        return float(self.refused_units.sum() / self.sent_units)


def sharded_writes(
    n: int,
    *,
    item_bytes: int,
    writes_per_second: float,
    partitions: int = ON_DEMAND_PARTITIONS,
    day: str = DAY,
    seconds: float = 86_400,
) -> ShardedDay:
    """Answer what ``n`` suffixes of the key ``day`` (``day.1`` ... ``day.n``) admit under an even, steady load.

    ``item_bytes`` is the size of an item with its names. Raises LabError for an N, a size or a rate that no table can
    have. The suffixes share the load equally; retries are not counted.
    """
    n = whole("N", n, 1, MOST_SHARDS)
    item_bytes = whole("the item size in bytes", item_bytes, 1, MAX_ITEM_BYTES)
    partitions = whole("the number of partitions", partitions, 1, 100_000)
    if not isinstance(day, str):
        raise LabError(f"Give day as text, the key that is sharded, not {shown(day)}.")
    for name, value in (("the write rate", writes_per_second), ("the time in seconds", seconds)):
        if not is_number(value) or not 0 < value <= MOST:
            raise LabError(f"Choose {name} as a number above 0, up to {MOST:,}, not {shown(value)}.")
    units = write_units(item_bytes)
    sent = float(units * writes_per_second)
    where = _suffix_places(day, n, partitions)
    given, refused = admitted(np.full(n, sent / n), where, partitions)
    keys = np.bincount(where, minlength=partitions)
    # Keys in one partition share what it admits equally, so a collection holds its part of the day's items.
    items_per_key = given / units * seconds / np.maximum(keys, 1)
    page_items = -(-PAGE_BYTES // item_bytes)
    pages = np.maximum(1, np.ceil(items_per_key / page_items))
    full, rest = np.divmod(items_per_key, page_items)
    rest_units = np.where(rest > 0, np.ceil(rest * item_bytes / READ_UNIT_BYTES), 0) / 2
    per_key = np.maximum(0.5, full * read_units(page_items * item_bytes) + rest_units)
    return ShardedDay(
        keys_per_partition=keys,
        admitted_units=given,
        refused_units=refused,
        sent_units=sent,
        read_back_queries=n,
        read_back_pages=int((pages * keys).sum()),
        read_back_units=float((per_key * keys).sum()),
    )


@functools.lru_cache(maxsize=256)
def _suffix_places(day: str, n: int, partitions: int) -> NDArray[np.int64]:
    found = places([f"{day}.{suffix}" for suffix in range(1, n + 1)], partitions)
    found.flags.writeable = False
    return found
